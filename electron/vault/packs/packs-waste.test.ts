import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { frameBytes } from './pack-frame.ts';
import { PackIndexFile } from './pack-index.fixture.ts';
import { wastedPacks } from './packs.ts';

const packOf = (number: number): string => `${String(number).padStart(32, '0')}.pack`;
const length = 1000;

/** Packs of so many bytes, each with samples side by side. */
async function packsWith(
  packs: readonly { size: number; samples: number; from?: number }[],
): Promise<() => Promise<string[]>> {
  const folder = temporaryFolder();
  const index = new PackIndexFile(join(folder, 'index.json'));
  for (const [number, { size, samples, from = 0 }] of packs.entries()) {
    await writeFile(join(folder, packOf(number)), Buffer.alloc(size));
    const places = Array.from({ length: samples }, (_, at) => ({
      sha256: `${number}-${at}`,
      pack: packOf(number),
      at: from + at * (frameBytes + length) + frameBytes,
      length,
    }));
    await index.add(places, () => {});
  }
  return async () =>
    (
      await wastedPacks(
        folder,
        index,
        packs.map((_, number) => packOf(number)),
      )
    ).map(({ pack }) => pack);
}

test('empty packs come first, then those with the least to copy, so that a full disk gains space early', async () => {
  const wasted = await packsWith([
    { size: 100_000, samples: 30 },
    { size: 9_000, samples: 2 },
    { size: 5_000, samples: 0 },
    { size: 50_000, samples: 3 },
  ]);
  expect(await wasted()).toEqual([packOf(2), packOf(1), packOf(3), packOf(0)]);
});

test('a pack that is shorter than expected is left alone, since its copy would only take more space', async () => {
  const wasted = await packsWith([
    { size: 9_000, samples: 1, from: 8_000 },
    { size: 9_000, samples: 1 },
  ]);
  expect(await wasted()).toEqual([packOf(1)]);
});
