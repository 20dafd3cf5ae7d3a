import { flushCompileCache } from 'node:module';
import { argv, kill, pid } from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTestLibrary, named, testLimits } from './library.fixture.ts';

/**
 * A program of its own that begins to change samples, and is killed when some of them are. Given: its data directory,
 * and whether it was tried again.
 */
const setup = await createTestLibrary(argv[2]);
// It is killed, and Node stores nothing of what such a program compiled unless it is made to.
flushCompileCache();
const known = setup.know('killed', testLimits.change + 1);
const { job = 0 } = await setup.library.change({
  selection: named(...known),
  change: { add: [], remove: [], note: 'once each' },
});
const done = (): number => setup.jobs.get(job).counts.done;
while (done() === 0) await nextTurn();
if (argv[3] === 'tried again') {
  await setup.unwritable(null, async () => {
    while (setup.jobs.get(job).state !== 'paused') await nextTurn();
  });
  const before = done();
  setup.jobs.resume(job);
  while (done() === before) await nextTurn();
}
kill(pid, 'SIGKILL');
