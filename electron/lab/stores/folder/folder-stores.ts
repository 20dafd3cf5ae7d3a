import { type DataLock, holdDataDirectory } from '../../../storage/directory/data-lock.ts';
import { stock, stockRules } from '../../stock.ts';
import type { LabStores } from '../blob-store.ts';
import type { MetadataStore } from '../metadata-store.ts';
import { openFolderBlobs } from './folder-blobs.ts';
import { openSqliteMetadata } from './sqlite-metadata-store.ts';

/**
 * The metadata database is a separate file, so that `token add` works beside a running lab. A lab that is asked to end
 * lets running downloads end first; its successor waits that long and a little more.
 */
const lock = { fileName: 'lab.lock', waitMs: 3_000 };
export const labLockName = lock.fileName;

/** A lab's folder for this process alone. Fails with `data-in-use`, `not-writable`, `disk-full` or `not-own`. */
export const holdLab = (dataDirectory: string): DataLock => holdDataDirectory(dataDirectory, lock);

/**
 * The stores of one data directory, held for this process alone and stocked with sample files and rules. Fails with
 * `data-in-use`, `data-newer`, `data-damaged`, `not-writable` or `disk-full`.
 */
export async function openFolderStores(dataDirectory: string): Promise<LabStores> {
  const held = holdLab(dataDirectory);
  try {
    return await storesUnder(held, dataDirectory);
  } catch (error) {
    held.release();
    throw error;
  }
}

async function storesUnder(held: DataLock, dataDirectory: string): Promise<LabStores> {
  const metadata = openSqliteMetadata(dataDirectory);
  try {
    await stockFolder(dataDirectory, metadata);
    const blobs = await openFolderBlobs(dataDirectory);
    const close = async (): Promise<void> => {
      await blobs.close();
      await metadata.close();
      held.release();
    };
    return { metadata, blobs, close };
  } catch (error) {
    await metadata.close();
    throw error;
  }
}

/** In a blob store of its own: taking bytes in starts workers, and a lab that only serves should not carry them. */
async function stockFolder(dataDirectory: string, metadata: MetadataStore): Promise<void> {
  const blobs = await openFolderBlobs(dataDirectory);
  try {
    await stock({ metadata, blobs });
    await stockRules({ metadata, blobs });
  } finally {
    await blobs.close();
  }
}
