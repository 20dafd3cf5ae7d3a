import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import { labWorkspaceId as workspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarString } from '../../eicar.ts';
import { startProgram } from '../../program.ts';
import { dataOf, type Vitrine, downloaded, until } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';

const samples = 60;
const oneOfThem = '3c'.padStart(32, '0');

/** A start over data of version 1, with records, comments and tags that later versions keep in places of their own. */
export const migration: DurableChange = {
  name: 'migration',
  prepare: async () => ({
    beforeStart: ofFirstVersion,
    make: async ({ call }) => void (await call('library.count', {})),
    look,
    live: [eicarString],
    // The folder is synced when the journal, the log and, last, once all is migrated, the packages are there. The words
    // of the records are read behind the start, and again.
    mayFollow: { words: 'data/vitrine.db-wal was written and not synced', behind: 'sync data', times: 3 },
  }),
};

async function ofFirstVersion(folder: string): Promise<void> {
  for (const ending of ['', '-wal', '-shm']) await rm(join(dataOf(folder), `vitrine.db${ending}`), { force: true });
  const made = startProgram('electron/storage/testing/first-version.fixture.ts', [dataOf(folder), `${samples}`]);
  assert.equal(await made.exited, 0, made.output());
}

async function look(vitrine: Vitrine): Promise<void> {
  const { call } = vitrine;
  assert.equal((await call('library.count', {})).samples, samples);
  const { comments } = await call('comments.thread', { workspaceId, md5: oneOfThem });
  assert.deepEqual(
    comments.map(({ content }) => content),
    ['drops Emotet', 'agreed'],
  );
  // The words of the records are read behind the start, a few at a time.
  await until(async () => ((await found(vitrine)).every((many) => many === samples) ? true : null));
  assert.equal((await downloaded(vitrine, workspaceId, eicarMd5)).state, 'done');
}

async function found({ call }: Vitrine): Promise<number[]> {
  const { totals } = await call('library.totals', { queries: ['emotet', 'tag:apt'].map(termsOf) });
  return totals.map((total) => total.samples);
}

function termsOf(query: string): QueryTerm[] {
  const read = readLibraryQuery(query, new Date());
  return read.kind === 'terms' ? read.terms : assert.fail(query);
}
