import { randomBytes } from 'node:crypto';
import { openStaging } from '../staging.ts';

/**
 * A program to be killed: stages `whole` and `forgotten`, prints both ids, and then a file that comes without an end;
 * prints `half` when much of that is there. Its argument is the folder.
 */
const staging = await openStaging(process.argv[2] ?? '');

async function* once(text: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(text);
}

async function* endless(): AsyncGenerator<Uint8Array, void, void> {
  for (let piece = 0; ; piece += 1) {
    yield randomBytes(100_000);
    if (piece === 100) process.stdout.write('half\n');
  }
}

for (const text of ['whole', 'forgotten'])
  process.stdout.write(`${(await staging.stageStream(text, once(text))).id}\n`);
await staging.stageStream('half', endless());
