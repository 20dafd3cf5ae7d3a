import assert from 'node:assert/strict';
import { join } from 'node:path';
import { labWorkspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarSha256, eicarString } from '../../eicar.ts';
import { dataOf, type Vitrine, downloaded } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';
import { filesIn } from '../zip-members.ts';

/** A sample is forgotten: its bytes, and what the library knows. */
export const forget: DurableChange = {
  name: 'forgetting',
  prepare: async (vitrine) => {
    await downloaded(vitrine, labWorkspaceId, eicarMd5);
    // That its file is gone is written down last: a start that does not know it removes the file again.
    return {
      make,
      look,
      live: [eicarString],
      mayFollow: {
        words: 'data/vitrine.db-wal was written and not synced',
        behind: 'remove data/vault/AB/SHA256',
        times: 1,
      },
    };
  },
};

async function make({ call }: Vitrine): Promise<void> {
  const { forgotten } = await call('library.forget', {
    selection: { kind: 'named', hashes: [eicarSha256] },
    what: 'all',
    expected: null,
  });
  assert.equal(forgotten, 1);
}

async function look(vitrine: Vitrine, wasReported: boolean): Promise<void> {
  const { samples, inVault } = await vitrine.call('library.count', {});
  assert.ok(
    samples === 0 || !wasReported,
    'Vitrine had reported that the sample is forgotten, and the library knows it',
  );
  assert.equal(inVault, samples, 'the library knows a sample whose bytes are gone');
  if (samples === 1) await make(vitrine);
  assert.deepEqual(
    (await filesIn(join(dataOf(vitrine.folder), 'vault'))).filter((path) => path.endsWith(eicarSha256)),
    [],
    'bytes of a forgotten sample are left',
  );
}
