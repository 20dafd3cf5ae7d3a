import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarString } from '../../eicar.ts';
import { backupsOf, dataOf, type Vitrine, downloaded, endedJob, reportedInJournal } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';

/** A start that makes its data from a backup; the next start begins an interrupted one again. */
export const restore: DurableChange = {
  name: 'restore',
  prepare: async (vitrine) => {
    await downloaded(vitrine, labWorkspaceId, eicarMd5);
    const { job } = await vitrine.call('storage.backUp', {});
    assert.equal((await endedJob(vitrine, job?.id ?? 0)).state, 'done');
    return {
      beforeStart: async (folder) => rm(dataOf(folder), { recursive: true }),
      order: {
        arguments: (folder) => ['--restore', backupsOf(folder)],
        refusal: /A backup is restored only to an empty or a new folder/,
      },
      make: async ({ call }) => void (await call('library.count', {})),
      look,
      live: [eicarString],
      // All of it is on the disk before the mark goes. The backup contains its own unfinished job: a start halts it and
      // cancels its items after it reports, and again.
      mayFollow: {
        words: 'data/vitrine.db-wal was written and not synced',
        behind: 'remove data/move.unfinished',
        times: 1,
      },
    };
  },
};

async function look(vitrine: Vitrine): Promise<void> {
  assert.equal((await vitrine.call('library.count', {})).inVault, 1);
  assert.equal(await reportedInJournal(vitrine, 'restore', 'done'), 1, 'the journal does not have one restore');
}
