import { within } from './offsets.ts';

export type GoTo = { kind: 'offset'; offset: number } | { kind: 'not-understood' } | { kind: 'beyond' };

const grouped = /^\d{1,3}(?:,\d{3})+$/;
const share = /^(\d{1,3}(?:\.\d{1,6})?)\s*%$/;
const hexadecimal = /^([+-]?)\s*(?:0x)?([0-9a-f]{1,16})h?$/i;

/**
 * Where a text leads: an offset as hexadecimal digits (`0xbd21a`, `bd21a`, `bd21ah`), a way from the cursor (`+0x10`,
 * `-10`), a count of bytes with its commas (`774,682`), or a share of the file (`25 %`).
 */
export function readGoTo(text: string, { cursor, sizeBytes }: { cursor: number; sizeBytes: number }): GoTo {
  const typed = text.trim();
  const percent = share.exec(typed);
  if (percent !== null)
    return Number(percent[1]) <= 100
      ? { kind: 'offset', offset: within(Math.floor((Number(percent[1]) / 100) * sizeBytes), sizeBytes) }
      : { kind: 'beyond' };
  if (grouped.test(typed)) return inFile(Number(typed.replaceAll(',', '')), sizeBytes);
  const digits = hexadecimal.exec(typed);
  if (digits === null) return { kind: 'not-understood' };
  const number = Number.parseInt(digits[2] ?? '', 16);
  if (digits[1] === '+') return inFile(cursor + number, sizeBytes);
  return inFile(digits[1] === '-' ? cursor - number : number, sizeBytes);
}

const inFile = (offset: number, sizeBytes: number): GoTo =>
  offset >= 0 && offset < sizeBytes ? { kind: 'offset', offset } : { kind: 'beyond' };
