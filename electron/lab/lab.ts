import type { LabRight, Specimen } from '../../shared/domain/lab.ts';
import type { Service } from './action.ts';
import type { BlobStore } from './blob-store.ts';
import { type DataLock, holdDataDirectory } from './data-lock.ts';
import { openFileBlobs } from './file-blob-store.ts';
import type { MetadataStore } from './metadata-store.ts';
import { repositoryService } from './repository-service.ts';
import { serveLab } from './server.ts';
import { openSqliteMetadata } from './sqlite-metadata-store.ts';
import { specimenList, stock } from './stock.ts';
import { createRightsOf } from './tokens.ts';

/** The stores of one data directory, held for this process alone. */
export interface LabStores {
  metadata: MetadataStore;
  blobs: BlobStore;
  close(): Promise<void>;
}

export interface LabOptions {
  dataDirectory: string;
  /** 0 for any free port. */
  port: number;
  /** A token that lives in memory only, for the desk that started the lab. */
  session: { token: string; rights: LabRight[] } | null;
  report: (error: unknown) => void;
}

export interface Lab {
  port: number;
  specimens: Specimen[];
  close(graceMs: number): Promise<void>;
}

/**
 * Opens a lab's stores, sweeps what a killed process left behind, and stocks them with the specimens.
 * Fails with `data-in-use`, `data-newer`, `data-damaged`, `not-writable` or `disk-full`.
 */
export async function openLabStores(dataDirectory: string): Promise<LabStores> {
  const lock = await holdDataDirectory(dataDirectory);
  try {
    return await storesUnder(lock, dataDirectory);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function storesUnder(lock: DataLock, dataDirectory: string): Promise<LabStores> {
  const metadata = openSqliteMetadata(dataDirectory);
  try {
    await prepareBlobs(dataDirectory, metadata);
    const blobs = await openFileBlobs(dataDirectory);
    return { metadata, blobs, close: () => closeAll(blobs, metadata, lock) };
  } catch (error) {
    await metadata.close();
    throw error;
  }
}

/** In a blob store of its own: taking bytes in starts workers, and a lab that only serves should not carry them. */
async function prepareBlobs(dataDirectory: string, metadata: MetadataStore): Promise<void> {
  const blobs = await openFileBlobs(dataDirectory);
  try {
    await blobs.sweep((sha256) => metadata.isKnown(sha256));
    await stock({ metadata, blobs });
  } finally {
    await blobs.close();
  }
}

async function closeAll(blobs: BlobStore, metadata: MetadataStore, lock: DataLock): Promise<void> {
  await blobs.close();
  await metadata.close();
  lock.release();
}

/** Opens the stores and serves. Fails as `openLabStores` does, or with `port-busy`. */
export async function startLab({ dataDirectory, port, session, report }: LabOptions): Promise<Lab> {
  const stores = await openLabStores(dataDirectory);
  try {
    const server = await serveLab({ port, services: servicesOver(stores), rightsOf: createRightsOf(stores.metadata, session), report });
    return {
      port: server.port,
      specimens: specimenList(),
      close: async (graceMs) => {
        await server.close(graceMs);
        await stores.close();
      },
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** Each service's own base address is the path without `/api.php`. The rule editor has no action yet. */
function servicesOver(stores: LabStores): Map<string, Service> {
  return new Map<string, Service>([
    ['/repository/api.php', repositoryService(stores)],
    ['/rules/api.php', new Map()],
  ]);
}
