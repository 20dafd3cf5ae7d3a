import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { expect, test } from '@playwright/test';

const shipped = process.env.VITRINE_PACKED ?? '';
const inspectable = process.env.VITRINE_PACKED_INSPECTABLE ?? '';
const resources = (program: string): string => join(dirname(program), 'resources');
const archived = (program: string): string[] => listPackage(join(resources(program), 'app.asar'), { isPack: false });

test('both packed programs hold the same files and none of the runtime’s own', async () => {
  expect(archived(shipped).length).toBeGreaterThan(20);
  expect(archived(inspectable)).toEqual(archived(shipped));
  for (const program of [shipped, inspectable]) {
    expect(
      (await readdir(resources(program))).toSorted(),
      'no default app, and no folder that is run in place of the archive',
    ).toEqual(['app.asar', 'app.asar.unpacked']);
  }
});

test('the fuses of the packed programs are burnt and differ only by the one that tests need', async () => {
  const [own, open] = await Promise.all([getCurrentFuseWire(shipped), getCurrentFuseWire(inspectable)]);
  const on = [
    FuseV1Options.EnableCookieEncryption,
    FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
    FuseV1Options.OnlyLoadAppFromAsar,
  ];
  const off = [
    FuseV1Options.RunAsNode,
    FuseV1Options.EnableNodeOptionsEnvironmentVariable,
    FuseV1Options.GrantFileProtocolExtraPrivileges,
  ];
  for (const wire of [own, open]) {
    expect(on.map((fuse) => wire[fuse])).toEqual(on.map(() => FuseState.ENABLE));
    expect(off.map((fuse) => wire[fuse])).toEqual(off.map(() => FuseState.DISABLE));
  }
  expect(own[FuseV1Options.EnableNodeCliInspectArguments]).toBe(FuseState.DISABLE);
  expect(open[FuseV1Options.EnableNodeCliInspectArguments]).toBe(FuseState.ENABLE);
});
