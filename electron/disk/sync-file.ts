import { open } from 'node:fs/promises';

/**
 * Brings a finished file to the disk, by a handle of its own: Windows syncs only what is open for writing. @throws the
 * system's error
 */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
