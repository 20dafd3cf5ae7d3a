import { argv, kill, pid } from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { found, mostOfADesk, openLibraryDesk } from './library-desk.fixture.ts';

/** A program of its own that begins to change samples, and is killed when some of them are. Given: its data directory. */
const desk = await openLibraryDesk(argv[2]);
desk.know('killed', mostOfADesk.change + 1);
const { job = 0 } = await desk.library.change({ selection: found('tag:killed'), change: { add: [], remove: [], note: 'once each' } });
while (desk.jobs.get(job).counts.done === 0) await nextTurn();
kill(pid, 'SIGKILL');
