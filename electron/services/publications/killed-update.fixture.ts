import { flushCompileCache } from 'node:module';
import { argv, kill, pid, stdout } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { dieAt, dyingPoints } from './dying-points.fixture.ts';
import { createTestPublications } from './publications.fixture.ts';

/**
 * A separate program that updates, goes back, updates to the next, and so on for ever, and reports each package that it
 * made the active one. It has two from the start. It dies at a point of the next update, or comes to none. Given:
 * folder, address, point.
 */
const [folder = '', baseUrl = ''] = argv.slice(2);
const point = z.enum([...dyingPoints, 'none']).parse(argv[4]);
const ignore = (): void => {};
const setup = await createTestPublications(
  {
    baseUrl,
    asked: [],
    onCheck: ignore,
    onDownload: ignore,
    onList: ignore,
    onExport: ignore,
    keep: ignore,
    publish: ignore,
    end: ignore,
  },
  { folder },
);
await setup.set({ keep: 1 });
while (setup.state().packages.length < 2) await update();
// It is killed, and Node stores nothing of what such a program compiled unless it is made to.
flushCompileCache();
stdout.write('started\n');
if (point !== 'none') dieAt(setup, point, () => void kill(pid, 'SIGKILL'));
for (;;) {
  const before = setup.state().active ?? '';
  await update();
  await activate(before);
}

async function update(): Promise<void> {
  setup.publications.check(setup.team);
  while (setup.state().check !== null) await pause(1);
  const { candidate, lastCheck } = setup.state();
  await activate(candidate ?? expectCandidate(lastCheck));
}

async function activate(sha256: string): Promise<void> {
  await setup.publications.activate(setup.team, sha256, true);
  stdout.write(`${sha256}\n`);
}

function expectCandidate(instead: unknown): never {
  throw new Error(`a check without a candidate: ${JSON.stringify(instead)}`);
}
