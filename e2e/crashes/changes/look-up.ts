import assert from 'node:assert/strict';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarString } from '../../eicar.ts';
import { type Vitrine, reportedInJournal } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';

/** One row of the journal, with what was learnt. */
export const lookUp: DurableChange = {
  name: 'journal row',
  prepare: async (vitrine) => {
    await vitrine.call('lab.sampleFiles', {});
    return { make, look, live: [eicarString] };
  },
};

async function make({ call }: Vitrine): Promise<void> {
  await call('samples.lookup', { workspaceId: labWorkspaceId, hash: eicarMd5 });
}

async function look(vitrine: Vitrine, wasReported: boolean): Promise<void> {
  const reported = await reportedInJournal(vitrine, 'look-up', 'found');
  assert.ok(reported === 1 || (!wasReported && reported === 0), `the journal has ${reported} rows of one look-up`);
  const { samples } = await vitrine.call('library.count', {});
  assert.equal(samples, reported, 'the journal and the library differ');
  await make(vitrine);
  assert.equal(await reportedInJournal(vitrine, 'look-up', 'found'), reported + 1);
}
