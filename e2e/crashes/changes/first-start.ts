import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarString } from '../../eicar.ts';
import { dataOf, type Vitrine, downloaded } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';

/** A start without data: the database goes through every version of its schema, a transaction each. */
export const firstStart: DurableChange = {
  name: 'first start',
  prepare: async () => ({
    beforeStart: async (folder) => rm(dataOf(folder), { recursive: true }),
    make: async ({ call }) => void (await call('lab.sampleFiles', {})),
    look,
    live: [eicarString],
  }),
};

async function look(vitrine: Vitrine): Promise<void> {
  const { state } = await downloaded(vitrine, labWorkspaceId, eicarMd5);
  assert.equal(state, 'done');
}
