import { labPassword } from '../../shared/domain/lab.ts';
import { WrongArguments } from './command-line.ts';
import { readableOrPiped } from './readable-file.ts';

/** No first line is longer that holds a password. */
const readBytesAtMost = 4 * 1024;
/** A shell hands over what a command prints, such as a password store, as a pipe. */
const pipeEndsWithinMs = 10_000;
const lineEnd = 0x0a;

/** The first line of a file, in UTF-8. @throws WrongArguments when it is no password, UnreadableFile */
export async function readPasswordFile(path: string): Promise<string> {
  const [line = ''] = (await beginningOf(path))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/, 1);
  const password = labPassword.shape.password.safeParse(line).data ?? '';
  if (password === '' || password.includes('\ufffd'))
    throw new WrongArguments('The first line of the password file must be 1 to 128 characters of UTF-8.');
  return password;
}

async function beginningOf(path: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of readableOrPiped(path, pipeEndsWithinMs)) {
    pieces.push(piece);
    sizeBytes += piece.length;
    if (sizeBytes >= readBytesAtMost || piece.includes(lineEnd)) break;
  }
  return Buffer.concat(pieces).subarray(0, readBytesAtMost);
}
