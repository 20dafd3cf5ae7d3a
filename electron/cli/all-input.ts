import type { Terminal } from './terminal.ts';
import { wrongUsage } from './usage-error.ts';

const mostBytes = 1024 * 1024;

/** All of standard input as text. @throws UsageError where it is a terminal, is no UTF-8, or longer than anybody types */
export async function allInput(terminal: Pick<Terminal, 'input'>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of terminal.input() ?? wrongUsage('nothing comes from standard input')) {
    bytes += piece.byteLength;
    if (bytes > mostBytes) wrongUsage('more than 1 MiB from standard input');
    pieces.push(piece);
  }
  return readText(Buffer.concat(pieces));
}

function readText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return wrongUsage('standard input is not UTF-8 text');
  }
}
