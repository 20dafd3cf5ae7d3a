import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files in memory, where Linux has them. */
const memory = '/dev/shm';
/** Some tests write hundreds of megabytes, and three run at once. */
const spaceNeeded = 8 * 1024 ** 3;

/**
 * Where tests put their folders: in memory, where there is plenty. They are as they would be on a disk; that one is
 * only not waited for, thousands of times.
 */
export function folderOfTests(): string {
  if (!hasSpace()) return tmpdir();
  // Short: a socket lies in some of them, whose path has a limit.
  const folder = mkdtempSync(join(memory, 'vt-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function hasSpace(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= spaceNeeded;
  } catch {
    return false;
  }
}
