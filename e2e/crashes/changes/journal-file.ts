import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarString } from '../../eicar.ts';
import { type Vitrine, exportsOf, until } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';
import { filesIn } from '../zip-members.ts';

const rows = 3;

/**
 * The journal as a file in the export folder, without a job. Lists, results of scans, rule packages and a single sample
 * are written the same way.
 */
export const journalFile: DurableChange = {
  name: 'journal file',
  prepare: async ({ call }) => {
    for (let row = 0; row < rows; row += 1)
      await call('samples.lookup', { workspaceId: labWorkspaceId, hash: eicarMd5 });
    return { make, look, live: [eicarString] };
  },
};

async function make({ call }: Vitrine): Promise<void> {
  await call('journal.export', {
    filter: { operations: [], workspaceId: null, find: '', from: null, before: null },
    format: 'csv',
    to: 'folder',
  });
}

async function look(vitrine: Vitrine, wasReported: boolean): Promise<void> {
  const there = await leftAtRest(vitrine);
  assert.ok(there.length === 1 || !wasReported, 'Vitrine had reported that the file is written, and it is not there');
  if (there.length === 0) await make(vitrine);
  const files = await filesIn(exportsOf(vitrine.folder));
  assert.deepEqual(
    files.map((path) => basename(path)),
    ['journal.csv'],
  );
  const [head = '', ...lines] = (await readFile(files[0] ?? '', 'utf8')).trimEnd().split('\r\n');
  assert.ok(head.startsWith('number,') && lines.length >= rows, `the file has ${lines.length} rows`);
}

const atRestWithinMs = 10_000;

/** What a crash left is removed soon after the start. @returns what is there by then */
async function leftAtRest({ folder }: Vitrine): Promise<string[]> {
  const end = performance.now() + atRestWithinMs;
  return until(async () => {
    const there = await filesIn(exportsOf(folder));
    return there.every((path) => path.endsWith('.csv')) || performance.now() > end ? there : null;
  });
}
