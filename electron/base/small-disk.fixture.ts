import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid, platform } from 'node:process';
import { onTestFinished } from 'vitest';

/** Root alone is not enough: a container may have taken the right to mount away. */
export const canMountDisks = platform === 'linux' && getuid?.() === 0 && mayMount();

function mayMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A real file system of that size (`64k`, `1m`), the only honest full disk; gone when the test is over. */
export function smallDisk(size: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  onTestFinished(() => {
    execFileSync('umount', [folder]);
    rmdirSync(folder);
  });
  return folder;
}
