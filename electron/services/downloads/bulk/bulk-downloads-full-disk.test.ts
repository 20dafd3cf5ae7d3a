import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longAfter } from '../../../../shared/testing/long-after.ts';
import { canMountDisks, smallDisk } from '../../../base/small-disk.fixture.ts';
import { createTestBulkDownloads, md5Of, repositoryOf, sha256Of } from './bulk-downloads.fixture.ts';

/** Packed ones, some in files of their own, and one that streams. */
const sizes = [...Array.from({ length: 40 }, () => 30_000), ...Array.from({ length: 5 }, () => 200_000), 9_000_000];

for (const { tags, cases } of longAfter(1, [
  [5, 3],
  [14, 6],
]))
  test.skipIf(!canMountDisks).each(cases)(
    'a bulk download on a disk of %i MB halts when full, keeps what it has, and resumes with space',
    { tags },
    async (disk, ballast) => {
      const samples = new Map(
        sizes
          .filter((size) => size < disk * 1_000_000)
          .map((size) => randomBytes(size))
          .map((bytes) => [md5Of(bytes), bytes]),
      );
      const folder = smallDisk(`${disk}m`);
      writeFileSync(join(folder, 'ballast'), randomBytes(ballast * 2 ** 20));
      const setup = await createTestBulkDownloads(repositoryOf(samples), {}, folder);
      const halted = await setup.download([...samples.keys()]);
      expect(halted).toMatchObject({ state: 'paused', failure: { kind: 'disk-full' } });
      expect(halted.counts.failed).toBe(0);
      const kept = (await setup.itemsOf(halted.id)).filter(({ state }) => state === 'done');
      for (const { hash } of kept)
        expect(await setup.vault.has(sha256Of(samples.get(hash) ?? Buffer.alloc(0)))).toBe(true);
      expect(readdirSync(join(folder, 'data', 'vault', 'incoming'))).toEqual([]);

      rmSync(join(folder, 'ballast'));
      setup.requests.length = 0;
      setup.jobs.resume(halted.id);
      expect(await setup.settled(halted.id)).toMatchObject({ state: 'done', counts: { done: samples.size } });
      const askedAgain = new Set(setup.requests.flatMap(({ hashes }) => hashes));
      expect(kept.filter(({ hash }) => askedAgain.has(hash))).toEqual([]);
    },
  );
