const units = ['KiB', 'MiB', 'GiB', 'TiB'] as const;
const numbers = new Intl.NumberFormat('en');

export function numberWords(value: number): string {
  return numbers.format(value);
}

const compactNumbers = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 2 });

/** Four characters at most for what a narrow column counts: `999`, `1.2K`. */
export function countWords(value: number): string {
  return value < 1000 ? String(value) : compactNumbers.format(value);
}

/** A short size: `1.15 MiB`, three digits at most before it says `KiB` and so on. Input in bytes. */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${numberWords(Math.round(bytes))} ${bytes === 1 ? 'byte' : 'bytes'}`;
  let value = bytes;
  let unit: (typeof units)[number] = 'KiB';
  for (unit of units) {
    value /= 1024;
    if (value < 1000) break;
  }
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`;
}

/** The exact count with the short size behind it: `1,208,320 bytes (1.15 MiB)`. */
export function exactSizeWords(bytes: number): string {
  return bytes < 1024 ? sizeWords(bytes) : `${numberWords(bytes)} bytes (${sizeWords(bytes)})`;
}

/** A duration nobody can know exactly: `less than a minute`, `about 6 min`, `about 2 h 10 min`. */
export function aboutWords(seconds: number): string {
  if (seconds < 45) return 'less than a minute';
  const minutes = Math.max(1, Math.round(seconds / 60));
  const rest = minutes % 60;
  return minutes < 60
    ? `about ${minutes} min`
    : `about ${numberWords(Math.floor(minutes / 60))} h${rest === 0 ? '' : ` ${rest} min`}`;
}

/** Minutes and seconds, or hours: `0:44`, `12:03`, `2:01:09`. */
export function durationWords(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
