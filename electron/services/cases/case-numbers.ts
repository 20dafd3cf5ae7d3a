const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
const step = 1024;

/** `18 bytes`, `1.4 MiB`. */
export function tellBytes(count: number): string {
  if (count === 1) return '1 byte';
  let [value, unit] = [count, 0];
  for (; value >= step && unit < units.length - 1; unit += 1) value /= step;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit] ?? ''}`;
}

export const tellCount = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
