import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';

const tryAgainMs = 50;

/**
 * Writes into a pipe, once somebody reads it. No thread waits for that, as no process ends before its threads do.
 * @returns how many bytes. Rejects when the signal is aborted, with what the system says, and as the pieces do
 */
export async function writeIntoPipe(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  const pipe = new Socket({ fd: await openedPipe(path, signal), readable: false, writable: true });
  await pipeline(pieces, pipe, { signal });
  return pipe.bytesWritten;
}

async function openedPipe(path: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    const fd = openIfRead(path);
    if (fd !== null) return fd;
    await wait(tryAgainMs, undefined, { signal });
  }
}

/** null: nobody reads it yet. */
function openIfRead(path: string): number | null {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENXIO') return null;
    throw error;
  }
}
