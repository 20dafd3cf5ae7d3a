import { FailureError } from '../../shared/failure.ts';
import { openRuleLibrary, type RuleLibrary } from '../rules/rule-library.ts';
import { programOf } from '../rules/scanning/rule-program.ts';
import { openScanSession, type ScanSession } from '../rules/scanning/scan-session.ts';
import type { ScannedVerdict, ScanVerdict } from '../rules/scanning/scan-verdict.ts';
import type { BlobStore } from './blob-store.ts';
import { LabError } from './errors.ts';
import type { StoredPublication } from './metadata-store.ts';
import { packageFiles } from './package-archive.ts';
import { packageLimits } from '../rules/package-limits.ts';
import type { ScannedFile } from './scan-form.ts';
import type { ScannedWith } from './scan-reply.ts';
import { scanThread } from './scan-thread.ts';

export interface ScannerOptions {
  /** Threads, each with the rules compiled. */
  lanes: number;
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

  private constructor(
    key: string,
    library: RuleLibrary,
    session: ScanSession<Uint8Array>,
    leftOut: ReadonlySet<string>,
  ) {
    this.#key = key;
    this.#library = library;
    this.#session = session;
    this.#leftOut = leftOut;
  }

  /** Whoever opens it closes it. */
  static async open(
    blobs: BlobStore,
    { id, sha256 }: StoredPublication,
    options: ScannerOptions,
  ): Promise<PublicationScanner> {
    const library = openRuleLibrary();
    const leftOut = new Set<string>();
    try {
      // Whatever is published has compiled.
      await library.load(id, await packageFiles(blobs.read(sha256), packageLimits.bytes), []);
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

  async close(): Promise<void> {
    await this.#session.close();
    await this.#library.close();
  }
}

/**
 * What was published before files had namespaces may hold rules that do not compile any more: it is scanned without
 * these, which are told.
 */
async function openPublished(
  library: RuleLibrary,
  id: string,
  leftOut: Set<string>,
  options: ScannerOptions,
): Promise<ScanSession<Uint8Array>> {
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
  { lanes, fileSeconds, signal }: ScannerOptions,
): Promise<ScanSession<Uint8Array>> {
  const program = programOf(await library.pieces(id), null);
  return openScanSession<Uint8Array>({
    program,
    engine: 'wasm',
    startLane: scanThread,
    lanes,
    limits: { fileSeconds },
    signal,
    leftOut: (rule) => leftOut.add(rule),
  });
}

function requireScanned(verdict: ScanVerdict): ScannedVerdict {
  if (verdict.kind === 'scanned') return verdict;
  if (verdict.kind === 'unreadable') throw new Error(`the bytes of a form cannot be read: ${verdict.reason}`);
  const { failure } = verdict;
  if (failure.kind === 'scan-timed-out')
    throw new LabError('scan-timed-out', `The rules did not finish within ${failure.seconds} s.`);
  throw new LabError('scan-failed', 'The rules crashed the engine.');
}
