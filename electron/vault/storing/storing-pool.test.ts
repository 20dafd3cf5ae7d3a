import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { deflated, failing, large, small } from '../batch.fixture.ts';
import { ByteBudget } from '../byte-budget.ts';
import { StoringPool } from './storing-pool.ts';

const anything = { md5: null, sha256: null };

test('a worker crash fails its samples, and the next ones start another worker', async () => {
  const directory = temporaryFolder();
  const packs = join(directory, 'packs');
  await mkdir(packs);
  const budget = new ByteBudget(1000);
  // No disk ever refuses a path for this: to the worker it is a defect, and defects end it.
  const pool = new StoringPool({
    incoming: 'a\0b',
    isPacked: (sizeBytes) => sizeBytes <= 65_536,
    setup: () => ({ directory, packs, unfilled: null }),
    budget,
  });
  onTestFinished(() => pool.close());
  await expect(pool.store(deflated(large()), anything)).rejects.toMatchObject(
    failing('worker-ended', { task: 'storing samples', code: 'ERR_INVALID_ARG_VALUE' }),
  );
  expect(await pool.store(deflated(small()), anything)).toMatchObject({
    hasFile: false,
    spot: { at: 16, length: 4180 },
  });
  await budget.wait(1000);
});

test('samples that wait when the pool closes are cancelled', async () => {
  const directory = temporaryFolder();
  const pool = new StoringPool({
    incoming: directory,
    isPacked: () => false,
    setup: () => ({ directory, packs: null, unfilled: null }),
    budget: new ByteBudget(1000),
  });
  const answers = Promise.allSettled(Array.from({ length: 40 }, () => pool.store(deflated(large()), anything)));
  await pool.close();
  for (const answer of await answers)
    expect(answer).toMatchObject({ status: 'rejected', reason: failing('cancelled') });
  await expect(pool.store(deflated(small()), anything)).rejects.toMatchObject(failing('cancelled'));
});
