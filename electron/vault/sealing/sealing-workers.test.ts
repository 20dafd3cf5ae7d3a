import { hash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readContainerFacts } from '../container/container-file.ts';
import { filesUnder, temporaryFolder } from '../eicar.fixture.ts';
import type { SealTarget } from './sealer.ts';
import { openSealingWorkers, type SealingWorkers } from './sealing-workers.ts';

const early = (bytes: Uint8Array | string) => ({ md5: hash('md5', bytes), sha1: hash('sha1', bytes) });

const target = (path: string): SealTarget => ({ path, shownPath: '/vault', durable: false });
const nothing = new Uint8Array(0);

function opened(): SealingWorkers {
  const lanes = openSealingWorkers();
  onTestFinished(() => lanes.close());
  return lanes;
}

test('a worker that crashes is a failure of what it held, and the next sample finds another', async () => {
  const lanes = opened();
  const folder = await temporaryFolder();
  // No disk ever refuses a path for this: to the worker it is a defect, and defects end it.
  const impossiblePath = 'a\0b';
  const doomed = lanes.openSealer(target(impossiblePath));
  await expect(doomed.seal(nothing, early(''))).rejects.toMatchObject({ failure: { kind: 'worker-ended' } });
  await expect(doomed.write(new Uint8Array(8))).rejects.toMatchObject({ failure: { kind: 'worker-ended' } });

  const path = join(folder, 'sealed');
  const next = lanes.openSealer(target(path));
  await next.write(new Uint8Array(8));
  await next.digest(nothing);
  const facts = await next.seal(nothing, early(new Uint8Array(8)));
  expect(await readContainerFacts(path, hash('sha256', new Uint8Array(8)))).toEqual(facts);
});

test('a path the disk refuses fails that sample alone', async () => {
  const lanes = opened();
  const folder = await temporaryFolder();
  const refused = lanes.openSealer(target(join(folder, 'no such folder', 'sealed')));
  const fine = lanes.openSealer(target(join(folder, 'sealed')));
  await expect(refused.seal(nothing, early(''))).rejects.toMatchObject({
    failure: { kind: 'folder-gone', path: '/vault' },
  });
  await refused.discard();
  const bytes = randomBytes(1000);
  await fine.write(new Uint8Array(bytes));
  expect(await fine.digest(nothing)).toEqual({ whole: early(bytes), withoutTail: early(bytes) });
  expect(await fine.seal(nothing, early(bytes))).toMatchObject({ sha256: hash('sha256', bytes) });
});

test('whoever waits for room when the lanes close is told, and no file stays', async () => {
  const lanes = opened();
  const folder = await temporaryFolder();
  const sealer = lanes.openSealer(target(join(folder, 'sealed')));
  const writing = (async () => {
    for (;;) await sealer.write(new Uint8Array(1024 * 1024));
  })();
  await sealer.digest(nothing);
  const [ended] = await Promise.allSettled([writing, lanes.close()]);
  expect(ended).toMatchObject({ status: 'rejected', reason: { failure: { kind: 'cancelled' } } });
  expect(await filesUnder(folder)).toEqual([]);
  expect(() => lanes.openSealer(target(join(folder, 'late')))).toThrow('closed');
});
