import assert from 'node:assert/strict';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarSha256, eicarString } from '../../eicar.ts';
import { type Vitrine, downloaded, reportedInJournal } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';

/** One sample from the lab into the vault. */
export const download: DurableChange = {
  name: 'download',
  prepare: async (vitrine) => {
    await vitrine.call('samples.lookup', { workspaceId: labWorkspaceId, hash: eicarMd5 });
    return { make, look, live: [eicarString] };
  },
};

async function make(vitrine: Vitrine): Promise<void> {
  const { state, failure } = await downloaded(vitrine, labWorkspaceId, eicarMd5);
  assert.equal(state, 'done', JSON.stringify(failure));
}

async function look(vitrine: Vitrine, wasReported: boolean): Promise<void> {
  const before = await vaultState(vitrine);
  const reported = await reportedInJournal(vitrine, 'download', 'done');
  assert.ok(before === 'held' || !wasReported, 'Vitrine had reported that the sample is here, and it is not');
  assert.equal(reported, before === 'held' ? 1 : 0, 'the journal and the library differ');
  const { state, failure } = await downloaded(vitrine, labWorkspaceId, eicarMd5);
  assert.equal(state, before === 'held' ? 'already-here' : 'done', JSON.stringify(failure));
  assert.equal(await vaultState(vitrine), 'held');
}

const vaultState = async ({ call }: Vitrine): Promise<string> =>
  (await call('library.sample', { hash: eicarSha256 })).row.vault;
