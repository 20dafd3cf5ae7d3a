import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { canMountDisks, smallDisk } from '../base/small-disk.fixture.ts';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { failing, newVault, openedIn } from './batch.fixture.ts';
import { eicar, filesHolding, filesUnder } from './eicar.fixture.ts';
import { openVault } from './vault.ts';

test('spooled bytes are read back at any position', async () => {
  const { vault } = await newVault();
  const bytes = randomBytes(200_000);
  const spool = await vault.spool();
  for (let at = 0; at < bytes.length; at += 33_333) await spool.write(bytes.subarray(at, at + 33_333));
  const spooled = await spool.finish();
  expect(spooled.sizeBytes).toBe(bytes.length);
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 210_000 }), fc.nat({ max: 50_000 }), async (position, length) => {
      expect(Buffer.from(await spooled.read(position, length))).toEqual(bytes.subarray(position, position + length));
    }),
    { numRuns: 100 },
  );
});

test('a spool is stored encrypted and is gone when it is discarded', async () => {
  const { vault, folder } = await newVault();
  const spool = await vault.spool();
  for (let time = 0; time < 100; time += 1) await spool.write(eicar);
  const spooled = await spool.finish();
  expect(await filesUnder(folder)).toHaveLength(1);
  expect(await filesHolding(folder, eicar)).toEqual([]);
  await Promise.all([spool.discard(), spool.discard()]);
  expect(await filesUnder(folder)).toEqual([]);
  await expect(spooled.read(0, 1)).rejects.toMatchObject(failing('cancelled'));
  await expect(spool.write(eicar)).rejects.toMatchObject(failing('cancelled'));
});

test('closing the vault ends its spools, and the next start sweeps the remains of a crash', async () => {
  const place = temporaryFolder();
  const { vault, folder } = await openedIn(place);
  const spool = await vault.spool();
  await spool.write(eicar);
  await vault.close();
  expect(await filesUnder(folder)).toEqual([]);
  await writeFile(join(folder, 'incoming', `${'0a'.repeat(16)}.part`), 'left');
  await openedIn(place);
  expect(await readdir(join(folder, 'incoming'))).toEqual([]);
});

test.skipIf(!canMountDisks)(
  'a full disk is named and nothing remains (needs root on Linux, to mount a small one)',
  async () => {
    const disk = smallDisk('1m');
    const vault = await openVault(disk, null);
    onTestFinished(() => vault.close());
    const spool = await vault.spool();
    const filling = (async () => {
      for (;;) await spool.write(randomBytes(200_000));
    })();
    await expect(filling).rejects.toMatchObject(failing('disk-full', { path: disk }));
    expect(await filesUnder(disk)).toEqual([]);
  },
);
