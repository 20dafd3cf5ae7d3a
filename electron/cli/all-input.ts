import type { Terminal } from './terminal.ts';
import { wrongUsage } from './usage-error.ts';

const mostBytes = 1024 * 1024;

/**
 * All of standard input as text. @throws UsageError where it is a terminal, is no text, or longer than anybody types
 */
export async function allInput(terminal: Pick<Terminal, 'input'>): Promise<string> {
  const pieces = terminal.input() ?? wrongUsage('stdin is a terminal: pipe the text, or use a file');
  return readText(await allOf(pieces, mostBytes, 'stdin has more than 1 MiB'), 'stdin');
}

/** What comes in pieces, whole. @throws UsageError in the words of `tooMuch` beyond `most` bytes */
export async function allOf(pieces: AsyncIterable<Uint8Array>, most: number, tooMuch: string): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > most) wrongUsage(tooMuch);
    kept.push(piece);
  }
  return Buffer.concat(kept);
}

/**
 * UTF-8, or the UTF-16 that Windows PowerShell writes. @throws UsageError where it is neither, in which `place` is what
 * it came from
 */
export function readText(bytes: Uint8Array, place: string): string {
  const text = decoded(bytes);
  return text === null || text.includes('\0') ? wrongUsage(`${place} is not UTF-8 text`) : text;
}

/** The mark at its beginning is no part of it. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Told by the mark that UTF-16 begins with. */
const encodingOf = (bytes: Uint8Array): 'utf-16le' | 'utf-8' =>
  bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
