import type { ByteRange } from './blob-store.ts';
import { LabError } from './errors.ts';

/**
 * Reads a Range header (RFC 9110, section 14.2): null for the whole. One range of bytes is served; several, another
 * unit or anything unreadable is ignored, as the RFC allows. A range beyond the end is refused with 416.
 */
export function readRange(header: string | undefined, sizeBytes: number): ByteRange | null {
  const read = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (read === null) return null;
  const [, first = '', last = ''] = read;
  if (first === '') return last === '' ? null : suffix(Number(last), sizeBytes);
  if (last !== '' && Number(last) < Number(first)) return null;
  if (Number(first) >= sizeBytes) return refuse(sizeBytes);
  return { first: Number(first), last: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}

function suffix(length: number, sizeBytes: number): ByteRange {
  if (length === 0 || sizeBytes === 0) return refuse(sizeBytes);
  return { first: Math.max(0, sizeBytes - length), last: sizeBytes - 1 };
}

function refuse(sizeBytes: number): never {
  throw new LabError('range-not-satisfiable', 'The range is beyond the end of the file.', {
    'Content-Range': `bytes */${sizeBytes}`,
  });
}
