import { hash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { readContainerFacts } from '../container/container-file.ts';
import { filesUnder } from '../eicar.fixture.ts';
import type { SealTarget } from './sealer.ts';
import { openSealingWorkers, type SealingWorkers } from './sealing-workers.ts';

const early = (bytes: Uint8Array | string) => ({ md5: hash('md5', bytes), sha1: hash('sha1', bytes) });

const target = (path: string): SealTarget => ({ path, shownPath: '/vault', durable: false });
const nothing = new Uint8Array(0);

function opened(): SealingWorkers {
  const workers = openSealingWorkers();
  onTestFinished(() => workers.close());
  return workers;
}

test('a worker crash fails its samples, and the next sample starts another worker', async () => {
  const workers = opened();
  const folder = temporaryFolder();
  // No disk ever refuses a path for this: to the worker it is a defect, and defects end it.
  const impossiblePath = 'a\0b';
  const doomed = workers.openSealer(target(impossiblePath));
  await expect(doomed.seal(nothing, early(''))).rejects.toMatchObject({ failure: { kind: 'worker-ended' } });
  await expect(doomed.write(new Uint8Array(8))).rejects.toMatchObject({ failure: { kind: 'worker-ended' } });

  const path = join(folder, 'sealed');
  const next = workers.openSealer(target(path));
  await next.write(new Uint8Array(8));
  await next.digest(nothing);
  const facts = await next.seal(nothing, early(new Uint8Array(8)));
  expect(await readContainerFacts(path, hash('sha256', new Uint8Array(8)))).toEqual(facts);
});

test('a path the disk refuses fails that sample alone', async () => {
  const workers = opened();
  const folder = temporaryFolder();
  const refused = workers.openSealer(target(join(folder, 'no such folder', 'sealed')));
  const fine = workers.openSealer(target(join(folder, 'sealed')));
  await expect(refused.seal(nothing, early(''))).rejects.toMatchObject({
    failure: { kind: 'folder-gone', path: '/vault' },
  });
  await refused.discard();
  const bytes = randomBytes(1000);
  await fine.write(new Uint8Array(bytes));
  expect(await fine.digest(nothing)).toEqual({ whole: early(bytes), withoutTail: early(bytes) });
  expect(await fine.seal(nothing, early(bytes))).toMatchObject({ sha256: hash('sha256', bytes) });
});

test('closing the workers rejects samples that wait for space, and no file remains', async () => {
  const workers = opened();
  const folder = temporaryFolder();
  const sealer = workers.openSealer(target(join(folder, 'sealed')));
  const writing = (async () => {
    for (;;) await sealer.write(new Uint8Array(1024 * 1024));
  })();
  await sealer.digest(nothing);
  const [ended] = await Promise.allSettled([writing, workers.close()]);
  expect(ended).toMatchObject({ status: 'rejected', reason: { failure: { kind: 'cancelled' } } });
  expect(await filesUnder(folder)).toEqual([]);
  expect(() => workers.openSealer(target(join(folder, 'late')))).toThrow('closed');
});
