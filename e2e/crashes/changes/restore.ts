import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarString } from '../../eicar.ts';
import { backupsOf, dataOf, type Desk, downloaded, endedJob, toldInJournal } from '../desk.ts';
import type { DurableChange } from '../durable-change.ts';

/** A start that makes its data of a backup; one that was cut off is begun anew by the next. */
export const restore: DurableChange = {
  name: 'restore',
  prepare: async (desk) => {
    await downloaded(desk, labWorkspaceId, eicarMd5);
    const { job } = await desk.call('storage.backUp', {});
    assert.equal((await endedJob(desk, job?.id ?? 0)).state, 'done');
    return {
      beforeStart: async (folder) => rm(dataOf(folder), { recursive: true }),
      order: {
        arguments: (folder) => ['--restore', backupsOf(folder)],
        refusal: /A backup is restored only to an empty or a new folder/,
      },
      make: async ({ call }) => void (await call('library.count', {})),
      look,
      live: [eicarString],
      // All of it is on the disk before the mark goes. The backup that is in itself under way was put at rest: a start
      // cancels its items behind what it tells, and again.
      mayFollow: {
        words: 'data/vitrine.db-wal was written and not synced',
        behind: 'remove data/move.unfinished',
        times: 1,
      },
    };
  },
};

async function look(desk: Desk): Promise<void> {
  assert.equal((await desk.call('library.count', {})).inVault, 1);
  assert.equal(await toldInJournal(desk, 'restore', 'done'), 1, 'the journal does not tell of one restore');
}
