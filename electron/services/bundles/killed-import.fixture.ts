import { flushCompileCache } from 'node:module';
import { argv, kill, pid } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestBundles, passphrase, workspaceId } from './bundles.fixture.ts';

/**
 * A program of its own that begins to take a bundle in, and is killed when some of it is. Given: its folder, the
 * bundle.
 */
const setup = await createTestBundles(argv[2]);
// It is killed, and Node stores nothing of what such a program compiled unless it is made to.
flushCompileCache();
const staged = await setup.staging.stagePath(argv[3] ?? '');
await setup.bundles.open(staged.id, passphrase);
while (setup.bundles.opening?.state !== 'ready') await pause(1);
const { id } = setup.bundles.import(setup.bundles.opening?.id ?? '', workspaceId);
while (setup.jobs.get(id).counts.done === 0) await pause(1);
kill(pid, 'SIGKILL');
