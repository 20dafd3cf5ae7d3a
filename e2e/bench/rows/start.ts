import { join } from 'node:path';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5 } from '../../eicar.ts';
import { startProgram } from '../../program.ts';
import { run, runEntry } from '../child.ts';
import { openHostCalls } from '../host-calls.ts';
import { median, type Measured, type Row, type RowSettings } from '../row.ts';
import { settled } from './bulk.ts';

/** From the start of the process to the link that it prints, with data that an earlier start has left. */
export const start: Row = {
  name: 'start',
  reference: 'node -e 0',
  limit: 'Reading a few bundled files and initialising them; then SQLite opens the existing data. Node alone is 1.',
  aim: 8,
  must: 15,
  residentMustMiB: null,
  measure: compare,
};

async function compare({ folder, quick }: RowSettings): Promise<Measured> {
  await runEntry('build/page.ts', []);
  const data = join(folder, 'data');
  await stock(data);
  const ratios: number[] = [];
  for (let round = 0; round < (quick ? 7 : 11); round += 1) {
    await settled();
    const reference = await referenceSeconds();
    ratios.push((await startSeconds(data)) / reference);
  }
  return { ratio: median(ratios), residentMiB: null };
}

/** The first start makes the database, and lets the lab have its stock: EICAR is part of it. */
async function stock(data: string): Promise<void> {
  await whileRunning(data, async (link) => {
    const call = await openHostCalls(link);
    await call('samples.lookup', { workspaceId: labWorkspaceId, hash: eicarMd5 });
  });
}

async function referenceSeconds(): Promise<number> {
  const begun = performance.now();
  await run(process.execPath, ['-e', '0']);
  return (performance.now() - begun) / 1000;
}

async function startSeconds(data: string): Promise<number> {
  const begun = performance.now();
  return whileRunning(data, async () => (performance.now() - begun) / 1000);
}

/** Does it as soon as the link is there, and ends the host as Ctrl-C does. */
async function whileRunning<T>(data: string, work: (link: string) => Promise<T>): Promise<T> {
  const program = startProgram('electron/web.ts', ['--port', '0', '--data', data, '--no-open']);
  try {
    const [link] = await program.printed(/http:\/\/127\.0\.0\.1:\d+\/#\S+/);
    return await work(link);
  } finally {
    await program.stop();
  }
}
