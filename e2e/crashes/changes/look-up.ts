import assert from 'node:assert/strict';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarString } from '../../eicar.ts';
import { type Desk, toldInJournal } from '../desk.ts';
import type { DurableChange } from '../durable-change.ts';

/** One row of the journal, with what was learnt. */
export const lookUp: DurableChange = {
  name: 'journal row',
  prepare: async (desk) => {
    await desk.call('lab.specimens', {});
    return { make, look, live: [eicarString] };
  },
};

async function make({ call }: Desk): Promise<void> {
  await call('samples.lookup', { workspaceId: labWorkspaceId, hash: eicarMd5 });
}

async function look(desk: Desk, wasTold: boolean): Promise<void> {
  const told = await toldInJournal(desk, 'look-up', 'found');
  assert.ok(told === 1 || (!wasTold && told === 0), `the journal has ${told} rows of one look-up`);
  const { samples } = await desk.call('library.count', {});
  assert.equal(samples, told, 'the journal and the library do not tell the same');
  await make(desk);
  assert.equal(await toldInJournal(desk, 'look-up', 'found'), told + 1);
}
