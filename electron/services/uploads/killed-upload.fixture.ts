import { flushCompileCache } from 'node:module';
import { argv } from 'node:process';
import { createTestUploads, team } from './uploads.fixture.ts';

/** A program of its own that sends two files, and whose end comes from outside. Given: folder, address. */
const setup = await createTestUploads({ folder: argv[2] ?? '', baseUrl: argv[3] ?? '' });
// It is killed, and Node stores nothing of what such a program compiled unless it is made to.
flushCompileCache();
await setup.add({ 'a.bin': 'one', 'b.bin': 'two' });
while (isLearning()) await new Promise((resolve) => setTimeout(resolve, 5));
await setup.uploads.send(team);
setInterval(() => {}, 60_000);

function isLearning(): boolean {
  const { busy, unasked } = setup.uploads.draft(team);
  return busy + unasked > 0;
}
