import type { Terminal } from './terminal.ts';
import { wrongUsage } from './usage-error.ts';

const mostBytes = 1024 * 1024;

/** All of standard input as text. @throws UsageError where it is a terminal, is no UTF-8, or longer than anybody types */
export async function allInput(terminal: Pick<Terminal, 'input'>): Promise<string> {
  const pieces = terminal.input() ?? wrongUsage('nothing comes from standard input');
  return readText(await allOf(pieces, mostBytes, 'more than 1 MiB from standard input'));
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

function readText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return wrongUsage('standard input is not UTF-8 text');
  }
}
