import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { systemErrorCode } from '../../../shared/disk-failure.ts';
import type { JobItem } from '../../../shared/domain/job.ts';
import type { LocalEngine, ScanPackage, ScanSide } from '../../../shared/domain/scan.ts';
import { cutText } from '../../../shared/domain/visible-text.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import type { JobWork } from '../../jobs/job-runner.ts';
import { type FactVariable, type FileFacts, unknownOf } from '../../rules/scanning/file-variables.ts';
import type { ScannedVerdict } from '../../rules/scanning/scan-verdict.ts';
import type { ScanOrder } from '../../rules/scanning/task-queue.ts';
import type { ScanStore, StoredResult } from '../../storage/scans/scan-store.ts';
import type { Staging } from '../../vault/staging.ts';
import type { LocalScanner } from './local-scanner.ts';
import {
  type ScanFile,
  type ScanSource,
  scanSourceOf,
  type SourcePorts,
  unreadableFailure,
} from './read-scan-source.ts';

interface KnownFactsOptions {
  staging: Pick<Staging, 'sourceOf'>;
  store: Pick<ScanStore, 'namesOf'>;
}

/** What is known of the files of a scan besides their bytes. */
class KnownFacts {
  readonly #options: KnownFactsOptions;
  #accounts: Promise<ReadonlyMap<number, string>> | null = null;

  constructor(options: KnownFactsOptions) {
    this.#options = options;
  }

  /** Of a sample of the vault, all names it is known by. `asksForOwner`: an owner is looked up. */
  async of(file: ScanFile, asksForOwner: boolean): Promise<FileFacts[]> {
    if (file.stagedId === null) return sampleFacts(this.#options.store, file.sha256);
    const source = this.#options.staging.sourceOf(file.stagedId);
    const files = [{ name: file.name, path: source?.kind === 'in-place' ? source.path : null }, ...file.also];
    return Promise.all(
      files.map(async (one) => ({
        ...one,
        owner: asksForOwner && one.path !== null ? await this.#ownerOf(one.path) : null,
      })),
    );
  }

  async #ownerOf(path: string): Promise<string | null> {
    if (process.platform === 'win32') return null;
    const uid = await stat(path).then((found) => found.uid, nullWhereGone);
    this.#accounts ??= readAccounts();
    return uid === null ? null : ((await this.#accounts).get(uid) ?? null);
  }
}

/** Of a sample of the vault: all names it is known by. */
export function sampleFacts(store: Pick<ScanStore, 'namesOf'>, sha256: string): FileFacts[] {
  const names = namesKnownOf(store, sha256);
  return (names.length === 0 ? [null] : names).map((name) => ({ name, path: null, owner: null }));
}

/** Without their folders. */
export const namesKnownOf = (store: Pick<ScanStore, 'namesOf'>, sha256: string): string[] =>
  store
    .namesOf(sha256)
    .map(baseName)
    .filter((name) => name !== '');

/** Of a name that came from elsewhere, and may be a path. */
const baseName = (name: string): string => name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);

function nullWhereGone(error: unknown): null {
  if (systemErrorCode(error) === null) throw error;
  return null;
}

/** By number: the accounts of the system's own list, and the one that Vitrine runs as. */
async function readAccounts(): Promise<ReadonlyMap<number, string>> {
  const list = await readFile('/etc/passwd', 'utf8').catch(nullWhereGone);
  const accounts = new Map<number, string>();
  for (const line of (list ?? '').split('\n')) {
    const [name, , uid] = line.split(':');
    if (name !== undefined && uid !== undefined && /^\d+$/.test(uid) && !accounts.has(Number(uid)))
      accounts.set(Number(uid), name);
  }
  try {
    const { uid, username } = userInfo();
    if (!accounts.has(uid)) accounts.set(uid, username);
  } catch (error) {
    nullWhereGone(error);
  }
  return accounts;
}

interface LocalFacts {
  engine: LocalEngine;
  package: ScanPackage;
  /** Global rules that it scans without. */
  withoutGlobal: readonly string[];
}

/** Of a string's name: an engine has no limit to it. */
const longestId = 200;

const nothing = { elapsedMs: 0, hits: [], isCut: false, withoutGlobal: [], failure: null, raw: null };

const localResult = (
  { engine, package: used, withoutGlobal }: LocalFacts,
  { elapsedMs, found, isCut, namesLeftOut }: Omit<ScannedVerdict, 'kind'>,
): StoredResult => ({
  ...nothing,
  side: 'local',
  state: 'scanned',
  engine,
  package: used,
  elapsedMs: Math.round(elapsedMs),
  isCut,
  ...(namesLeftOut > 0 && { namesLeftOut }),
  withoutGlobal: [...withoutGlobal],
  hits: found.map(({ rule, strings }) => ({
    rule,
    strings: strings.map(({ id, ...same }) => ({ id: cutText(id, longestId), ...same })),
  })),
});

export const failedResult = (
  side: ScanSide,
  facts: Omit<LocalFacts, 'withoutGlobal'> | null,
  failure: Failure,
): StoredResult => ({
  ...nothing,
  side,
  state: 'failed',
  engine: facts?.engine ?? null,
  package: facts?.package ?? null,
  failure,
});

interface FileScannerOptions extends SourcePorts {
  store: KnownFactsOptions['store'];
  scanner: LocalScanner;
  package: ScanPackage;
  limitBytes: number;
  work: JobWork;
}

/** What came of a file. */
interface FileOutcome {
  result: StoredResult;
  /** Rules that were looked with and could know all that they ask for. */
  rules: ReadonlySet<string>;
  /** All that were looked with. */
  looked: ReadonlySet<string>;
  /** All that the file is called, as far as that was found out; null: no rule asks. */
  names: readonly string[] | null;
}

/** Variables that are made of a name. */
const namedVariables: ReadonlySet<string> = new Set<FactVariable>(['filename', 'extension']);

/** A file through the engine of this computer. */
export class FileScanner {
  readonly #options: FileScannerOptions;
  readonly #facts: KnownFacts;
  /** Of variables that were not known of a file: the rules that did not ask for them. */
  readonly #sure = new Map<string, { rules: ReadonlySet<string>; of: number }>();
  readonly #notified = new Set<string>();

  constructor(options: FileScannerOptions) {
    this.#options = options;
    this.#facts = new KnownFacts(options);
  }

  /** Where samples of the vault are, for `scan`: many are found for the price of a few. */
  sourcesOf(items: readonly JobItem[]): ScanSource[] {
    return this.#options.vault.sourcesOf(items.map(({ hash }) => hash)).map((source) => ({ kind: 'vault', source }));
  }

  /** Rejects when the run is to stop, and when there can be no engine any more. */
  async scan(item: JobItem, file: ScanFile, sizeBytes: number, source?: ScanSource): Promise<FileOutcome> {
    const { scanner, limitBytes, work } = this.#options;
    if (sizeBytes > limitBytes)
      return this.#outcome(this.#failed({ kind: 'scan-too-large', name: file.name, sizeBytes, limitBytes }));
    work.active(item.position, {
      position: item.position,
      hash: item.hash,
      phase: 'scanning',
      receivedBytes: 0,
      totalBytes: sizeBytes,
    });
    const { order, unknown, names } = await this.#orderFor(file, sizeBytes, source);
    const verdict = await this.#verdict(() => scanner.session.scan(order));
    work.moved(sizeBytes);
    if (verdict.kind === 'scanned') {
      const result = localResult(
        { engine: scanner.engine, package: this.#options.package, withoutGlobal: [...scanner.globalsLeftOut] },
        verdict,
      );
      return {
        ...this.#outcome(
          result,
          verdict.namesLeftOut > 0 ? [...scanner.asked.keys()] : this.#unsureOf(file, unknown, names),
        ),
        names,
      };
    }
    return this.#outcome(
      this.#failed(
        verdict.kind === 'failed' ? verdict.failure : unreadableFailure(this.#options, file, verdict.reason),
      ),
    );
  }

  /** Only what rules ask for is looked up: most packages ask for nothing. */
  async #orderFor(
    file: ScanFile,
    sizeBytes: number,
    source = scanSourceOf(this.#options, file),
  ): Promise<{ order: ScanOrder<ScanSource>; unknown: readonly string[]; names: FileOutcome['names'] }> {
    const { asked, defaults } = this.#options.scanner;
    const order = { name: file.name, sizeBytes, source };
    if (asked.size === 0) return { order, unknown: [], names: null };
    const facts = await this.#facts.of(file, asked.has('owner'));
    const unknown = unknownOf(facts).filter((name) => asked.has(name) && !defaults.has(name));
    if (unknown.length > 0) this.#reportUnknown(file, unknown);
    return { order: { ...order, facts }, unknown, names: facts.flatMap(({ name }) => name ?? []) };
  }

  /**
   * A file that is scanned where it lies has its own names; the sample may be known by others, and have hits under
   * them.
   */
  #unsureOf(file: ScanFile, unknown: readonly string[], names: FileOutcome['names']): readonly string[] {
    if (file.stagedId === null || names === null) return unknown;
    const hasOthers = namesKnownOf(this.#options.store, file.sha256).some((name) => !names.includes(name));
    return hasOthers
      ? [...this.#options.scanner.asked.keys()].filter((name) => namedVariables.has(name) || unknown.includes(name))
      : unknown;
  }

  /** Once for each kind of file and each set of variables. */
  #reportUnknown({ stagedId }: ScanFile, variables: readonly string[]): void {
    const { work, staging } = this.#options;
    const of = stagedId === null ? 'vault' : staging.sourceOf(stagedId)?.kind === 'container' ? 'copies' : 'files';
    const rules = this.#rulesAsking(variables).size;
    const key = `${of} ${variables.join(' ')}`;
    if (rules === 0 || this.#notified.has(key)) return;
    this.#notified.add(key);
    work.notice({ kind: 'scan-variables-unknown', variables: [...variables], rules, of });
  }

  #rulesAsking(variables: Iterable<string>): ReadonlySet<string> {
    const { asked } = this.#options.scanner;
    return new Set(Array.from(variables, (name) => [...(asked.get(name) ?? [])]).flat());
  }

  /** What is known of rules that could not know what they ask for stays known. */
  #outcome(result: StoredResult, unsure: readonly string[] = []): FileOutcome {
    const { lookedWith } = this.#options.scanner;
    if (unsure.length === 0) return { result, rules: lookedWith, looked: lookedWith, names: null };
    const key = unsure.join(' ');
    let sure = this.#sure.get(key);
    if (sure?.of !== lookedWith.size) {
      const asking = this.#rulesAsking(unsure);
      sure = { rules: new Set([...lookedWith].filter((rule) => !asking.has(rule))), of: lookedWith.size };
      this.#sure.set(key, sure);
    }
    return { result, rules: sure.rules, looked: lookedWith, names: null };
  }

  #failed(failure: Failure): StoredResult {
    // Every other file would meet it too.
    if (failure.kind === 'folder-gone') fail(failure);
    const {
      scanner: { engine },
      package: used,
    } = this.#options;
    return failedResult('local', { engine, package: used }, failure);
  }

  /** To be stopped is no outcome. */
  async #verdict<T>(scan: () => Promise<T>): Promise<T> {
    try {
      return await scan();
    } catch (error) {
      this.#options.work.signal.throwIfAborted();
      if (error instanceof FailureError && error.failure.kind === 'cancelled')
        throw new FailureError({ kind: 'interrupted' }, { cause: error });
      throw error;
    }
  }
}
