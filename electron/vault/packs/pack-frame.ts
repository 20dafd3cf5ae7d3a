import { containerOverheadBytes, headerBytes } from '../container/container.ts';

/**
 * A pack is a file of records one after the other, nothing before, between or after them. Each is a frame and then an
 * ordinary container, so that a lost index can be made again by reading the pack. Integers are big-endian.
 *
 * - frame, 16 bytes: "VITRPACK" · length of the container (u32) · zero (u32)
 *
 * A removed record begins with "VITRVOID", and its container's header is zeros: the key is gone.
 */
export const frameBytes = 16;
/** A sample up to this size lies in a pack; a larger one in a file of its own. */
export const packedSampleBytes = 64 * 1024;
export const packedContainerBytes = packedSampleBytes + containerOverheadBytes;
/** A pack that has grown to this is not added to any more. */
export const fullPackBytes = 256 * 1024 * 1024;

export const frameMark = Buffer.from('VITRPACK', 'latin1');
const voidMark = Buffer.from('VITRVOID', 'latin1');
const at = { length: 8, zero: 12 } as const;

export interface Frame {
  isVoid: boolean;
  /** Bytes of the container behind it. */
  length: number;
}

/** Writes the frame to the beginning of these bytes. */
export function encodeFrameInto(bytes: Buffer, { isVoid, length }: Frame): void {
  (isVoid ? voidMark : frameMark).copy(bytes);
  bytes.writeUInt32BE(length, at.length);
  bytes.writeUInt32BE(0, at.zero);
}

/** @returns null when there is no frame at the beginning of these bytes */
export function readFrame(bytes: Buffer): Frame | null {
  if (bytes.length < frameBytes) return null;
  const mark = bytes.subarray(0, at.length);
  const isVoid = mark.equals(voidMark);
  const length = bytes.readUInt32BE(at.length);
  if ((!isVoid && !mark.equals(frameMark)) || bytes.readUInt32BE(at.zero) !== 0) return null;
  return isPackedLength(length) ? { isVoid, length } : null;
}

export const isPackedLength = (length: number): boolean =>
  length >= containerOverheadBytes && length <= packedContainerBytes;

/** The bytes that overwrite the beginning of a record, from its frame on, so that it can no longer be read. */
export function voidedStart(length: number): Buffer {
  const start = Buffer.alloc(frameBytes + headerBytes);
  encodeFrameInto(start, { isVoid: true, length });
  return start;
}
