import assert from 'node:assert/strict';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarSha256, eicarString } from '../../eicar.ts';
import { type Desk, downloaded, toldInJournal } from '../desk.ts';
import type { DurableChange } from '../durable-change.ts';

/** One sample from the lab into the vault. */
export const download: DurableChange = {
  name: 'download',
  prepare: async (desk) => {
    await desk.call('samples.lookup', { workspaceId: labWorkspaceId, hash: eicarMd5 });
    return { make, look, live: [eicarString] };
  },
};

async function make(desk: Desk): Promise<void> {
  const { state, failure } = await downloaded(desk, labWorkspaceId, eicarMd5);
  assert.equal(state, 'done', JSON.stringify(failure));
}

async function look(desk: Desk, wasTold: boolean): Promise<void> {
  const before = await vaultState(desk);
  const told = await toldInJournal(desk, 'download', 'done');
  assert.ok(before === 'held' || !wasTold, 'the program had told that the sample is here, and it is not');
  assert.equal(told, before === 'held' ? 1 : 0, 'the journal and the library do not tell the same');
  const { state, failure } = await downloaded(desk, labWorkspaceId, eicarMd5);
  assert.equal(state, before === 'held' ? 'already-here' : 'done', JSON.stringify(failure));
  assert.equal(await vaultState(desk), 'held');
}

const vaultState = async ({ call }: Desk): Promise<string> =>
  (await call('library.sample', { hash: eicarSha256 })).row.vault;
