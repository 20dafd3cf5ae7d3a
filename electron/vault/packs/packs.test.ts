import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { PackIndexFile } from './pack-index.fixture.ts';
import { Packs } from './packs.ts';

const [first, second] = ['1', '2'].map((digit) => `${digit.repeat(32)}.pack`);
const length = 1000;

/**
 * Two packs with a sample each at its end and far more space than needed; adding the copied samples of the first to the
 * index fails with this code.
 */
async function wastefulPacks(code: string) {
  const folder = temporaryFolder();
  const index = new PackIndexFile(join(folder, 'index.json'));
  for (const [number, pack = ''] of [first, second].entries()) {
    await writeFile(join(folder, pack), Buffer.alloc(20_000 + number));
    await index.add([{ sha256: String(number), pack, at: 20_000 + number - length, length }], () => {});
  }
  const add = index.add.bind(index);
  index.add = (places, alongside) =>
    places.some(({ sha256 }) => sha256 === '0')
      ? Promise.reject(Object.assign(new Error(code), { code }))
      : add(places, alongside);
  return { packs: await Packs.open(folder, index), index };
}

test('a pack the disk cannot read does not stop others from shrinking, and is reported at the end', async () => {
  const { packs, index } = await wastefulPacks('EIO');
  await expect(packs.shrink(() => true)).rejects.toThrow('EIO');
  expect([index.place('0')?.pack, index.place('1')?.pack === second, index.endOf(second ?? '')]).toEqual([
    first,
    false,
    null,
  ]);
});

test('a full disk ends the shrinking of packs', async () => {
  const { packs, index } = await wastefulPacks('ENOSPC');
  await expect(packs.shrink(() => true)).rejects.toThrow('ENOSPC');
  expect([index.place('0')?.pack, index.place('1')?.pack]).toEqual([first, second]);
});
