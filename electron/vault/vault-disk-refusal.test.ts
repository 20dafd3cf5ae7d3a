import { execFileSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getuid, platform } from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { collected, filesUnder } from './eicar.fixture.ts';
import { openStaging } from './staging.ts';
import { openVault } from './vault.ts';

const canMount = platform === 'linux' && getuid?.() === 0 && mounts();

/** A real file system of one megabyte: the only honest full disk. */
function mounts(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function smallDisk(): Promise<string> {
  const folder = join(temporaryFolder(), 'disk');
  await mkdir(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', [folder]));
  return folder;
}

async function* repeated(bytes: Uint8Array, times: number): AsyncGenerator<Uint8Array, void, void> {
  for (let time = 0; time < times; time += 1) yield bytes;
}

// Without the right to mount there is no disk to fill; the title shows in the report that this was not tested.
describe.skipIf(!canMount)('a full disk (needs root on Linux, to mount a small one)', () => {
  test.each([
    ['in the middle of a large sample', 4_000_000],
    ['with a small sample', 200_000],
  ])('is named and leaves nothing: %s', async (_, size) => {
    const disk = await smallDisk();
    const vault = await openVault(disk, null);
    onTestFinished(() => vault.close());
    const fill = async (): Promise<never> => {
      for (;;) {
        const receiver = vault.receive();
        await receiver.write(randomBytes(size));
        await receiver.finish({ md5: null, sha256: null });
      }
    };
    await expect(fill()).rejects.toMatchObject({ failure: { kind: 'disk-full', path: disk } });
    expect((await filesUnder(disk)).filter((path) => path.endsWith('.part'))).toEqual([]);
  });

  test('found by a staged stream leaves nothing', async () => {
    const disk = await smallDisk();
    const staging = await openStaging(disk);
    onTestFinished(() => staging.close());
    const staged = staging.stageStream('big', repeated(randomBytes(500_000), 20));
    await expect(staged).rejects.toMatchObject({ failure: { kind: 'disk-full', path: disk } });
    expect(await filesUnder(disk)).toEqual([]);
  });

  test('a disk made read-only is not writable, and still returns its samples', async () => {
    const disk = await smallDisk();
    const vault = await openVault(disk, null);
    onTestFinished(() => vault.close());
    const first = vault.receive();
    await first.write(Buffer.from('kept'));
    const { sha256 } = await first.finish({ md5: null, sha256: null });
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    const next = vault.receive();
    await next.write(Buffer.from('late'));
    await expect(next.finish({ md5: null, sha256: null })).rejects.toMatchObject({
      failure: { kind: 'not-writable', code: 'EROFS', path: disk },
    });
    await expect(vault.remove(sha256)).rejects.toMatchObject({ failure: { kind: 'not-writable', code: 'EROFS' } });
    expect(hash('sha256', await collected(vault.read(sha256)))).toBe(sha256);
  });
});
