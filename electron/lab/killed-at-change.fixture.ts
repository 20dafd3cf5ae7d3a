import { once } from 'node:events';
import { watch } from 'node:fs/promises';
import { ended, startLabCommand } from './running-lab.fixture.ts';

/** Resolves at the n-th change the system reports under a directory. */
async function changed(directory: string, times: number, signal: AbortSignal): Promise<void> {
  let seen = 0;
  for await (const _ of watch(directory, { recursive: true, signal })) {
    seen += 1;
    if (seen >= times) return;
  }
}

/** For tests: starts the command and kills it at its n-th change on the disk, or lets it end when it makes fewer. */
export async function killedAtChange(directory: string, times: number, ...args: string[]): Promise<void> {
  const stop = new AbortController();
  const moment = changed(directory, times, stop.signal).catch(() => {});
  const child = startLabCommand(...args, '--data', directory);
  const gone = once(child, 'exit');
  await Promise.race([moment, gone]);
  stop.abort();
  await ended(child, () => child.kill('SIGKILL'));
}
