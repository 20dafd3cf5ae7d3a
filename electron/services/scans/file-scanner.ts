import type { JobItem } from '../../../shared/domain/job.ts';
import type { ScanPackage } from '../../../shared/domain/scan.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import type { JobWork } from '../../jobs/job-runner.ts';
import { type FactVariable, unknownOf } from '../../rules/scanning/file-variables.ts';
import type { ScanOrder } from '../../rules/scanning/scan-session.ts';
import type { StoredResult } from '../../storage/scans/scan-store.ts';
import { KnownFacts, type KnownFactsOptions, namesKnownOf } from './known-facts.ts';
import type { LocalScanner } from './local-scanner.ts';
import type { ScanSource } from './read-scan-source.ts';
import { failedResult, localResult } from './scan-results.ts';
import { type ScanFile, scanSourceOf, type SourcePorts, unreadableFailure } from './scan-source-of.ts';

export interface FileScannerOptions extends SourcePorts {
  store: KnownFactsOptions['store'];
  scanner: LocalScanner;
  package: ScanPackage;
  limitBytes: number;
  work: JobWork;
}

/** What came of a file. */
export interface FileOutcome {
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
  readonly #told = new Set<string>();

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
    if (unknown.length > 0) this.#tellUnknown(file, unknown);
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
  #tellUnknown({ stagedId }: ScanFile, variables: readonly string[]): void {
    const { work, staging } = this.#options;
    const of = stagedId === null ? 'vault' : staging.sourceOf(stagedId)?.kind === 'container' ? 'copies' : 'files';
    const rules = this.#rulesAsking(variables).size;
    const key = `${of} ${variables.join(' ')}`;
    if (rules === 0 || this.#told.has(key)) return;
    this.#told.add(key);
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
