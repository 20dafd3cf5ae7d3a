import type { LabRight, SampleFile } from '../../shared/domain/lab.ts';
import type { Service } from './action.ts';
import { type FormLimits, usualFormLimits } from './form-fields.ts';
import { PublicationScanner } from './publication-scanner.ts';
import { repositoryService } from './repository-service.ts';
import { PackagePassword, type RuleEditor, ruleEditor } from './rule-editor-service.ts';
import { type FileScanner, type LabScanLimits, scannerHere, usualScanLimits } from './scan-file.ts';
import { type LabServerOptions, serveLab } from './server.ts';
import { sampleFileList } from './stock.ts';
import { type LabStores, type Stores, sweptAfterMs } from './stores/blob-store.ts';
import { openFolderStores } from './stores/folder/folder-stores.ts';
import { createCallerOf } from './tokens.ts';

export interface ServeOptions extends Omit<LabServerOptions, 'services' | 'linkAt' | 'limits'> {
  /** What encrypted packages are made with; without one none are made. */
  packagePassword?: string | null;
  limits?: FormLimits;
  scanLimits?: LabScanLimits;
  /** Scans the files of requests, and is closed with the lab; without one the lab scans in threads of its own. */
  scanner?: FileScanner;
  /** Actions that the repository has besides those of every lab, by their names. */
  moreActions?: Service;
  /** Removes bytes without a record that are old enough; called every hour. The signal ends it with the lab. */
  sweep: (signal: AbortSignal) => Promise<unknown>;
}

export interface LabOptions extends Omit<ServeOptions, 'callerOf' | 'sweep'> {
  dataDirectory: string;
  /** A token that lives in memory only, for the Vitrine process that started the lab. */
  session: { token: string; rights: LabRight[] } | null;
}

export interface Lab {
  port: number;
  sampleFiles: SampleFile[];
  /** From the next request on. It is in memory only. */
  setPackagePassword(password: string | null): void;
  close(graceMs: number): Promise<void>;
}

/** Opens the stores of a data directory and serves. Fails as `openFolderStores` does, or with `port-busy`. */
export async function startLab({ dataDirectory, session, ...options }: LabOptions): Promise<Lab> {
  const stores = await openFolderStores(dataDirectory);
  const callerOf = createCallerOf(stores.metadata, session);
  return serveStores(stores, { ...options, callerOf, sweep: (signal) => sweep(stores, sweptAfterMs, signal) });
}

/** Serves both services over stores, which are closed with it, also when it fails with `port-busy`. */
export async function serveStores(
  stores: LabStores,
  {
    packagePassword = null,
    limits = usualFormLimits,
    scanLimits = usualScanLimits,
    scanner = scannerHere((publication, how) => PublicationScanner.open(stores.blobs, publication, how), scanLimits),
    moreActions = new Map(),
    sweep: sweepOnce,
    ...options
  }: ServeOptions,
): Promise<Lab> {
  const password = new PackagePassword(packagePassword);
  const rules = ruleEditor(stores, password, scanner, scanLimits.fileBytes);
  try {
    const repository = new Map([...repositoryService(stores, limits), ...moreActions]);
    const server = await serveLab({ ...options, ...servicesOf(repository, rules) });
    const sweeping = sweepRegularly(sweepOnce, options.report);
    return {
      port: server.port,
      sampleFiles: sampleFileList(),
      setPackagePassword: (changed) => (password.current = changed),
      close: async (graceMs) => {
        await server.close(graceMs);
        await scanner.close();
        await sweeping.stop();
        await stores.close();
      },
    };
  } catch (error) {
    await scanner.close();
    await stores.close();
    throw error;
  }
}

/** Each service's own base address is the path without `/api.php`. */
const servicesOf = (
  repository: Service,
  { service, linkAt }: RuleEditor,
): Pick<LabServerOptions, 'services' | 'linkAt'> => ({
  services: new Map([
    ['/repository/api.php', repository],
    ['/rules/api.php', service],
  ]),
  linkAt,
});

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Removes bytes whose rows were never written, such as those of a killed process. @returns how many */
export const sweep = ({ metadata, blobs }: Stores, olderThanMs: number, signal?: AbortSignal): Promise<number> =>
  blobs.sweep({ olderThanMs, unknownAmong: (places) => metadata.unknownAmong(places), signal });

/**
 * Every hour, unless the last one still runs, and first a minute after the start: never while a lab starts, which would
 * wait for the whole list.
 */
function sweepRegularly(sweepOnce: ServeOptions['sweep'], report: (error: unknown) => void): { stop(): Promise<void> } {
  const ending = new AbortController();
  let running: Promise<unknown> | null = null;
  const run = (): void => {
    running ??= sweepOnce(ending.signal)
      .catch(report)
      .finally(() => (running = null));
  };
  let timer = setTimeout(() => {
    run();
    timer = setInterval(run, hourMs).unref();
  }, minuteMs).unref();
  const stop = async (): Promise<void> => {
    clearTimeout(timer);
    ending.abort();
    await running;
  };
  return { stop };
}
