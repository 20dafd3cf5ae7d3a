import type { LabRight, SampleFile } from '../../shared/domain/lab.ts';
import { type DataLock, holdDataDirectory } from '../storage/directory/data-lock.ts';
import { type BlobStore, openFileBlobs } from './blob-store.ts';
import { type FormLimits, usualFormLimits } from './form-fields.ts';
import type { MetadataStore } from './metadata-store.ts';
import { repositoryService } from './repository-service.ts';
import { PackagePassword, type RuleEditor, ruleEditor } from './rule-editor-service.ts';
import { type LabScanLimits, usualScanLimits } from './scan-file.ts';
import { type LabServerOptions, serveLab } from './server.ts';
import { openSqliteMetadata } from './sqlite-metadata-store.ts';
import { sampleFileList, stock, stockRules } from './stock.ts';
import { createCallerOf } from './tokens.ts';

/**
 * The metadata database is a separate file, so that `token add` works beside a running lab. A lab that is asked to end
 * lets running downloads end first; its successor waits that long and a little more.
 */
const lock = { fileName: 'lab.lock', waitMs: 3_000 };

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
  /** A token that lives in memory only, for the Vitrine process that started the lab. */
  session: { token: string; rights: LabRight[] } | null;
  /** What encrypted packages are made with; without one none are made. */
  packagePassword?: string | null;
  limits?: FormLimits;
  scanLimits?: LabScanLimits;
  report: (error: unknown) => void;
}

export interface Lab {
  port: number;
  sampleFiles: SampleFile[];
  /** From the next request on. It is in memory only. */
  setPackagePassword(password: string | null): void;
  close(graceMs: number): Promise<void>;
}

/**
 * Opens a lab's stores, sweeps what a killed process left behind, and stocks them with sample files and rules. Fails
 * with `data-in-use`, `data-newer`, `data-damaged`, `not-writable` or `disk-full`.
 */
export async function openLabStores(dataDirectory: string): Promise<LabStores> {
  const held = holdDataDirectory(dataDirectory, lock);
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
    await prepareBlobs(dataDirectory, metadata);
    const blobs = await openFileBlobs(dataDirectory);
    return { metadata, blobs, close: () => closeAll(blobs, metadata, held) };
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
    await stockRules({ metadata, blobs });
  } finally {
    await blobs.close();
  }
}

async function closeAll(blobs: BlobStore, metadata: MetadataStore, held: DataLock): Promise<void> {
  await blobs.close();
  await metadata.close();
  held.release();
}

/** Opens the stores and serves. Fails as `openLabStores` does, or with `port-busy`. */
export async function startLab({
  dataDirectory,
  port,
  session,
  packagePassword = null,
  limits = usualFormLimits,
  scanLimits = usualScanLimits,
  report,
}: LabOptions): Promise<Lab> {
  const stores = await openLabStores(dataDirectory);
  const password = new PackagePassword(packagePassword);
  const rules = ruleEditor(stores, password, scanLimits);
  try {
    const server = await serveLab({
      port,
      ...servicesOver(stores, limits, rules),
      callerOf: createCallerOf(stores.metadata, session),
      report,
    });
    return {
      port: server.port,
      sampleFiles: sampleFileList(),
      setPackagePassword: (changed) => (password.current = changed),
      close: async (graceMs) => {
        await server.close(graceMs);
        await rules.close();
        await stores.close();
      },
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** Each service's own base address is the path without `/api.php`. */
function servicesOver(
  stores: LabStores,
  limits: FormLimits,
  { service, linkAt }: RuleEditor,
): Pick<LabServerOptions, 'services' | 'linkAt'> {
  const services = new Map([
    ['/repository/api.php', repositoryService(stores, limits)],
    ['/rules/api.php', service],
  ]);
  return { services, linkAt };
}
