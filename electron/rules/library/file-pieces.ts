import type { RuleFile } from '../rule-file.ts';

const pieceBytes = 4 * 1024 * 1024;
const pieceFiles = 500;

/**
 * Copies of the files, some at a time: a package passed as one would keep the host's thread from its other work. While
 * a large file is copied, pieces without any come.
 */
export function* filePieces(files: readonly RuleFile[]): Generator<RuleFile[], void, undefined> {
  let piece: RuleFile[] = [];
  let size = 0;
  for (const { path, bytes } of files) {
    const copy = new Uint8Array(bytes.length);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const part = bytes.subarray(at, at + pieceBytes);
      copy.set(part, at);
      size += part.length;
      if (size < pieceBytes) continue;
      yield piece;
      piece = [];
      size = 0;
    }
    piece.push({ path, bytes: copy });
    if (piece.length < pieceFiles) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

/** Buffers that are passed without a second copy. */
export const buffersOf = (files: readonly RuleFile[]): ArrayBuffer[] =>
  files.flatMap(({ bytes: { buffer } }) => (buffer instanceof ArrayBuffer ? [buffer] : []));
