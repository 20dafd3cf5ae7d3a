import { argv, kill, pid } from 'node:process';
import { createTestExports } from './exports.fixture.ts';

/** A separate program that is killed while it writes a file without a job. Given: its folder. */
const setup = await createTestExports(argv[2]);
await setup.exports.files.write(setup.folder, 'journal.csv', halfAFile());

async function* halfAFile(): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from('number,time\n');
  kill(pid, 'SIGKILL');
}
