import { FailureError } from '../../../shared/failure.ts';
import { LabError } from '../../lab/errors.ts';
import { KeptScanner, PublicationScanner } from '../../lab/publication-scanner.ts';
import { type LabScanLimits, SharedBytes } from '../../lab/scan-file.ts';
import type { BlobStore, Stores } from '../../lab/stores/blob-store.ts';
import type { StoredBlob } from '../../lab/stores/metadata-store.ts';

/** What came of one sample. */
export interface SampleOutcome {
  rules: string[];
  /** Null: it was scanned with every rule that is usable. */
  failure: string | null;
  /** Rules it was scanned without. */
  leftOut: readonly string[];
}

export interface SampleScannerOptions {
  limits: LabScanLimits;
  /** What runs is given up with it. */
  signal: AbortSignal;
}

const idleMs = 60_000;
/**
 * A rule that does not end with a sample is left out of what runs. For the next samples all rules are compiled again,
 * so that one sample hides nothing in others, but only so often: then the fault is the rule's.
 */
const secondChances = 3;

/** Scans samples one after the other, with an engine in a thread of its own, which is killed when it does not end. */
export class SampleScanner {
  readonly #stores: Stores;
  readonly #options: SampleScannerOptions;
  #kept = new KeptScanner<PublicationScanner>(idleMs);
  #publication = '';
  #chances = 0;

  constructor(stores: Stores, options: SampleScannerOptions) {
    this.#stores = stores;
    this.#options = options;
  }

  /**
   * Fails with `cancelled` after the signal, and with RulesUnusable. What a sample does to the engine is an outcome.
   */
  async scan(publication: string, name: string, bytes: Uint8Array): Promise<SampleOutcome> {
    const { before, ...outcome } = await this.#kept.use(
      publication,
      () => this.#open(publication),
      (scanner) => scanWith(scanner, name, bytes),
    );
    const added = outcome.leftOut.filter((rule) => !before.includes(rule));
    if (added.length === 0) return outcome;
    const failure = outcome.failure ?? `Scanned without ${listed(added)}, which did not end or ended the engine.`;
    if (!this.#takeChance(publication)) return { ...outcome, failure };
    await this.#kept.close();
    this.#kept = new KeptScanner<PublicationScanner>(idleMs);
    return { ...outcome, failure, leftOut: before };
  }

  async close(): Promise<void> {
    await this.#kept.close();
  }

  #takeChance(publication: string): boolean {
    if (publication !== this.#publication) this.#chances = 0;
    this.#publication = publication;
    this.#chances += 1;
    return this.#chances <= secondChances;
  }

  async #open(id: string): Promise<PublicationScanner> {
    const publication = await this.#stores.metadata.publication(id);
    if (publication === null) throw new TypeError(`there is no publication ${id}`);
    const { limits, signal } = this.#options;
    const { fileSeconds } = limits;
    try {
      const scanner = await PublicationScanner.open(this.#stores.blobs, publication, {
        workers: 1,
        fileSeconds,
        signal,
      });
      if (scanner.hasRules) return scanner;
      await scanner.close();
    } catch (error) {
      throw asUnusable(error);
    }
    throw new RulesUnusable('None of its rules compiles.');
  }
}

/** No sample can be scanned with a publication, by this worker or another, and why. */
export class RulesUnusable extends Error {
  override readonly name = 'RulesUnusable';
}

/** What is not so by chance: the engine was tried some times. */
function asUnusable(error: unknown): unknown {
  if (!(error instanceof FailureError)) return error;
  const { failure } = error;
  switch (failure.kind) {
    case 'scan-engine-failed':
      return new RulesUnusable(`Its rules do not compile: ${failure.text}`, { cause: error });
    case 'not-in-vault':
      return new RulesUnusable('Its package is missing from the store.', { cause: error });
    case 'vault-damaged':
      return new RulesUnusable('Its package is damaged in the store.', { cause: error });
    default:
      return error;
  }
}

const listed = (rules: readonly string[]): string => rules.map((rule) => `the rule "${rule}"`).join(', ');

async function scanWith(
  scanner: PublicationScanner,
  name: string,
  bytes: Uint8Array,
): Promise<SampleOutcome & { before: readonly string[] }> {
  const before = scanner.leftOut;
  try {
    const { found } = await scanner.scan({ name, bytes });
    return { rules: found.map(({ rule }) => rule), failure: null, leftOut: scanner.leftOut, before };
  } catch (error) {
    if (!(error instanceof LabError)) throw error;
    return { rules: [], failure: error.message, leftOut: scanner.leftOut, before };
  }
}

/** A sample as read, or why it is not to be scanned. */
export type SampleRead = { bytes: Uint8Array; release(): void } | { failure: string };

/** Up to here samples are read ahead. */
export const smallBytes = 1024 ** 2;

/**
 * Reads samples into memory that the engine's thread shares, and that is used again for the next ones. What a large
 * sample took is freed when no other came for a while.
 */
export class SampleReader {
  readonly #blobs: Pick<BlobStore, 'read'>;
  readonly #mostBytes: number;
  readonly #small: SharedBytes[] = [];
  #large: SharedBytes | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor({ blobs }: { blobs: Pick<BlobStore, 'read'> }, { fileBytes }: Pick<LabScanLimits, 'fileBytes'>) {
    this.#blobs = blobs;
    this.#mostBytes = fileBytes;
  }

  /** One that is not small: only when no other is in use. Fails as the blob store does where that is not reachable. */
  async read(sample: StoredBlob): Promise<SampleRead> {
    if (sample.sizeBytes > this.#mostBytes)
      return { failure: `It has ${sample.sizeBytes} bytes, over the scan limit of ${this.#mostBytes}.` };
    const isSmall = sample.sizeBytes <= smallBytes;
    if (!isSmall) this.#keepLarge();
    const memory = isSmall
      ? (this.#small.pop() ?? new SharedBytes(smallBytes))
      : (this.#large ??= new SharedBytes(this.#mostBytes));
    const release = (): void => {
      if (isSmall) this.#small.push(memory);
      else this.#idle = setTimeout(() => this.rest(), idleMs).unref();
    };
    memory.clear();
    try {
      for await (const chunk of this.#blobs.read(sample))
        if (!memory.append(chunk)) throw new TypeError('a blob is larger than its row');
      return { bytes: memory.view(), release };
    } catch (error) {
      release();
      if (error instanceof FailureError && error.failure.kind === 'not-in-vault')
        return { failure: 'Its bytes are missing from the store.' };
      if (error instanceof FailureError && error.failure.kind === 'vault-damaged')
        return { failure: 'Its bytes are damaged in the store.' };
      throw error;
    }
  }

  /** Frees what a large sample took. */
  rest(): void {
    this.#keepLarge();
    this.#large = null;
  }

  #keepLarge(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
  }
}
