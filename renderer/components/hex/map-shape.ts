import type { ByteClass, StripPart } from '../../../shared/domain/byte-classes.ts';

/** Entropy at its most, in bits a byte. */
const mostEntropy = 8;

/** The entropy as a line through the middle of each part: points of an SVG of this size, high entropy at the top. */
export function entropyLine(parts: readonly StripPart[], width: number, height: number): string {
  return parts
    .map(
      ({ entropy }, index) =>
        `${round(((index + 0.5) / parts.length) * width)},${round(height - (entropy / mostEntropy) * height)}`,
    )
    .join(' ');
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Neighbours of the same class as one bar, in device pixels. Each begins and ends on a whole one. */
export function classBars(
  parts: readonly StripPart[],
  width: number,
): { byteClass: ByteClass; left: number; width: number }[] {
  const bars: { byteClass: ByteClass; left: number; width: number }[] = [];
  for (const [index, { byteClass }] of parts.entries()) {
    const left = Math.round((index / parts.length) * width);
    const right = Math.round(((index + 1) / parts.length) * width);
    const last = bars.at(-1);
    if (last?.byteClass === byteClass) last.width = right - last.left;
    else if (right > left) bars.push({ byteClass, left, width: right - left });
  }
  return bars;
}

/** The part that has this byte. */
export function partAt(parts: readonly StripPart[], offset: number, sizeBytes: number): StripPart | undefined {
  return parts[Math.min(parts.length - 1, Math.floor((offset / sizeBytes) * parts.length))];
}

/** Where the arrows of the map lead: by a part of it. */
const mapSteps = 512;

/** The byte that a key leads to, from `offset`; null when the key moves nowhere. */
export function offsetForKey(key: string, offset: number, sizeBytes: number): number | null {
  const step = Math.max(1, Math.floor(sizeBytes / mapSteps));
  const within = (to: number): number => Math.max(0, Math.min(sizeBytes - 1, to));
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return within(offset - step);
    case 'ArrowRight':
    case 'ArrowUp':
      return within(offset + step);
    case 'PageDown':
      return within(offset - step * 16);
    case 'PageUp':
      return within(offset + step * 16);
    case 'Home':
      return 0;
    case 'End':
      return sizeBytes - 1;
    default:
      return null;
  }
}
