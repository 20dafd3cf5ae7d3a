import { open } from 'node:fs/promises';
import { frameBytes, voidedStart } from './pack-frame.ts';
import type { PackSpot } from './pack-index-port.ts';

/** Takes the key from a record, durably. Throws the system's errors. */
export async function makeUnreadable(path: string, { at, length }: Pick<PackSpot, 'at' | 'length'>): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    const bytes = voidedStart(length);
    await handle.write(bytes, 0, bytes.length, at - frameBytes);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
