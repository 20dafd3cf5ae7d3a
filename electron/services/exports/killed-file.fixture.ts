import { argv, kill, pid } from 'node:process';
import { openExportDesk } from './exports.fixture.ts';

/** A program of its own that is killed while it writes a file that no job stands for. Given: its folder. */
const desk = await openExportDesk(argv[2]);
await desk.exports.files.write(desk.folder, 'journal.csv', halfAFile());

async function* halfAFile(): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from('number,time\n');
  kill(pid, 'SIGKILL');
}
