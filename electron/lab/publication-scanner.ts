import { nameOfKey } from '../../shared/domain/rule-names.ts';
import { FailureError } from '../../shared/failure.ts';
import { startWorker } from '../base/workers.ts';
import { packageLimits } from '../rules/package-files.ts';
import { openRuleLibrary, type RuleFacts, type RuleLibrary } from '../rules/rule-library.ts';
import { programOf } from '../rules/scanning/rule-program.ts';
import { openScanSession, type ScanSession } from '../rules/scanning/scan-session.ts';
import type { FoundRule, FoundString, ScannedVerdict, ScanVerdict } from '../rules/scanning/scan-verdict.ts';
import type { ScanWorker } from '../rules/scanning/worker-messages.ts';
import { LabError } from './errors.ts';
import { packageFiles } from './package-archive.ts';
import type { BlobStore } from './stores/blob-store.ts';
import type { StoredPublication } from './stores/metadata-store.ts';

export interface ScannerOptions {
  /** Threads, each with the rules compiled. */
  workers: number;
  /** How long the rules may look at a file. */
  fileSeconds: number;
  /** What runs is given up with it. */
  signal: AbortSignal;
}

/** The rules of one publication, compiled and ready. */
export class PublicationScanner {
  readonly #key: string;
  readonly #library: RuleLibrary;
  readonly #session: ScanSession<Uint8Array>;
  readonly #leftOut: ReadonlySet<string>;
  /** Some rules compiled. */
  readonly hasRules: boolean;

  private constructor(
    key: string,
    library: RuleLibrary,
    { session, hasRules }: OpenSession,
    leftOut: ReadonlySet<string>,
  ) {
    this.#key = key;
    this.#library = library;
    this.#session = session;
    this.hasRules = hasRules;
    this.#leftOut = leftOut;
  }

  /** The caller that opens it closes it. */
  static async open(
    blobs: BlobStore,
    publication: StoredPublication,
    options: ScannerOptions,
  ): Promise<PublicationScanner> {
    const { id } = publication;
    const library = openRuleLibrary();
    const leftOut = new Set<string>();
    try {
      // Whatever is published has compiled.
      await library.load(id, await packageFiles(blobs.read(publication), packageLimits.bytes), []);
      const session = await openPublished(library, id, leftOut, options);
      return new PublicationScanner(id, library, session, leftOut);
    } catch (error) {
      await library.close();
      throw error;
    }
  }

  /** @throws LabError `scan-timed-out`, `scan-failed` */
  async scan({ name, bytes }: ScannedFile): Promise<ScannedWith> {
    const verdict = await this.#session.scan({ name, sizeBytes: bytes.length, source: bytes });
    const { found } = requireScanned(verdict);
    const facts = await this.#library.facts(
      this.#key,
      found.map(({ rule }) => rule),
    );
    return { found, facts, leftOut: [...this.#leftOut] };
  }

  /** Rules that are not looked with from now on. */
  get leftOut(): readonly string[] {
    return [...this.#leftOut];
  }

  async close(): Promise<void> {
    await this.#session.close();
    await this.#library.close();
  }
}

/**
 * Packages published before files had namespaces may hold rules that no longer compile: they are scanned without these
 * rules, which are reported.
 */
async function openPublished(
  library: RuleLibrary,
  id: string,
  leftOut: Set<string>,
  options: ScannerOptions,
): Promise<OpenSession> {
  try {
    return await openSession(library, id, leftOut, options);
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind !== 'scan-engine-failed') throw error;
    const { broken } = await library.gate(id, { signal: options.signal, onProgress: () => {} });
    if (broken.length === 0) throw error;
    for (const { rule } of broken) if (rule !== null) leftOut.add(rule);
    return openSession(library, id, leftOut, options);
  }
}

async function openSession(
  library: RuleLibrary,
  id: string,
  leftOut: Set<string>,
  { workers, fileSeconds, signal }: ScannerOptions,
): Promise<OpenSession> {
  const program = programOf(await library.pieces(id), null);
  const session = await openScanSession<Uint8Array>({
    program,
    engine: 'wasm',
    startScanWorker: scanThread,
    workers,
    limits: { fileSeconds },
    signal,
    leftOut: (rule) => leftOut.add(rule),
  });
  return { session, hasRules: program.reported.length > 0 };
}

interface OpenSession {
  session: ScanSession<Uint8Array>;
  hasRules: boolean;
}

function requireScanned(verdict: ScanVerdict): ScannedVerdict {
  if (verdict.kind === 'scanned') return verdict;
  if (verdict.kind === 'unreadable') throw new Error(`the bytes of a form cannot be read: ${verdict.reason}`);
  const { failure } = verdict;
  if (failure.kind === 'scan-timed-out')
    throw new LabError('scan-timed-out', `The rules did not finish within ${failure.seconds} s.`);
  throw new LabError('scan-failed', 'The rules crashed the engine.');
}

/** A thread of the lab that scans. It does not keep the lab from ending. */
function scanThread(): ScanWorker {
  const ended = Promise.withResolvers<string>();
  const worker = startWorker({ entry: './scan-worker', beside: import.meta.url, onEnd: ended.resolve });
  worker.unref();
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', listener),
    onExit: (listener) => void ended.promise.then(listener),
    kill: async () => void (await worker.terminate()),
  };
}

/** What the rules of a publication found in a file. */
export interface ScannedWith {
  found: readonly FoundRule[];
  /** Of each that was found, in their order. */
  facts: readonly (RuleFacts | null)[];
  /** Rules that are not looked with, because they do not end, or end the engine, or use such a one. */
  leftOut: readonly string[];
}

/** As docs/services.md, "scanfile in the lab", has it. `left_out` is there only when something is. */
export function scanReply({ id, version, group }: StoredPublication, { found, facts, leftOut }: ScannedWith): object {
  return {
    publication: { id, version, group },
    matches: found.map((rule, index) => matchOf(rule, facts[index] ?? null)),
    ...(leftOut.length > 0 ? { left_out: leftOut } : {}),
  };
}

function matchOf({ rule, strings }: FoundRule, facts: RuleFacts | null): object {
  return {
    rule: nameOfKey(rule),
    // Of several rules with one name, all but the first are distinguished by their files.
    namespace: facts === null || facts.name === nameOfKey(rule) ? 'default' : facts.file,
    tags: facts?.tags ?? [],
    meta: Object.fromEntries((facts?.meta ?? []).map(({ key, value }) => [key, value])),
    strings: strings.flatMap(placesOf),
  };
}

/** Where there are more places than are listed, the last entry is no place and holds their total. */
function placesOf({ id, matches, total }: FoundString): object[] {
  const places = matches.map(({ offset, length, data }) => ({ id, offset, length, data }));
  return total > matches.length ? [...places, { id, total }] : places;
}

interface Closable {
  close(): Promise<void>;
}

interface Kept<S> {
  id: string;
  scanner: Promise<S>;
  users: number;
  idle: NodeJS.Timeout | null;
  ending: Promise<void> | null;
}

/**
 * Keeps the scanner that was used last: until it was idle for so long, or another replaced it and it is no longer in
 * use.
 */
export class KeptScanner<S extends Closable> {
  readonly #idleMs: number;
  readonly #live = new Set<Kept<S>>();
  #last: Kept<S> | null = null;
  #isClosed = false;

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  /**
   * Runs work with the scanner of this id, which is opened if it is not open yet. A scanner that cannot be opened is
   * not used again, nor one whose work fails with anything but a LabError.
   *
   * @throws FailureError `cancelled` once this is closed
   */
  async use<T>(id: string, open: () => Promise<S>, work: (scanner: S) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new FailureError({ kind: 'cancelled' });
    const kept = this.#take(id, open);
    try {
      return await work(await kept.scanner);
    } catch (error) {
      if (!(error instanceof LabError) && this.#last === kept) this.#last = null;
      throw error;
    } finally {
      kept.users -= 1;
      if (kept.users === 0) await this.#rest(kept);
    }
  }

  /** Those in use are closed too. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#live].map((kept) => this.#end(kept)));
  }

  #take(id: string, open: () => Promise<S>): Kept<S> {
    const before = this.#last;
    const kept = before?.id === id ? before : this.#opened(id, open());
    kept.users += 1;
    if (kept.idle !== null) clearTimeout(kept.idle);
    kept.idle = null;
    if (before !== null && before !== kept && before.users === 0) void this.#end(before);
    return kept;
  }

  #opened(id: string, scanner: Promise<S>): Kept<S> {
    const kept: Kept<S> = { id, scanner, users: 0, idle: null, ending: null };
    this.#last = kept;
    this.#live.add(kept);
    return kept;
  }

  async #rest(kept: Kept<S>): Promise<void> {
    if (this.#last !== kept) return this.#end(kept);
    kept.idle = setTimeout(() => void this.#end(kept), this.#idleMs).unref();
  }

  #end(kept: Kept<S>): Promise<void> {
    if (kept.idle !== null) clearTimeout(kept.idle);
    if (this.#last === kept) this.#last = null;
    return (kept.ending ??= this.#closed(kept));
  }

  async #closed(kept: Kept<S>): Promise<void> {
    const scanner = await kept.scanner.catch(() => null);
    await scanner?.close();
    this.#live.delete(kept);
  }
}

/** A file to look at. The bytes are in shared memory, so that a thread reads them where they are. */
export interface ScannedFile {
  name: string;
  bytes: Uint8Array;
}
