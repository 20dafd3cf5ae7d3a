import { createReadStream } from 'node:fs';
import { systemErrorCode } from '../../shared/disk-failure.ts';

/** A file on this computer that cannot be read; the message is for a person. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** @throws UnreadableFile */
export async function* readable(path: string): AsyncGenerator<Uint8Array, void, void> {
  const file: AsyncIterable<Uint8Array> = createReadStream(path, { highWaterMark: 1024 * 1024 });
  try {
    yield* file;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === null) throw error;
    throw new UnreadableFile(`${path} cannot be read (${code}).`, { cause: error });
  }
}
