import { currentInstant } from '../../../shared/domain/clock.ts';
import type { RuleCost } from '../../../shared/domain/publication.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { Mutex } from '../../../shared/mutex.ts';
import type { RulePieces } from '../../rules/rule-library.ts';
import type { Vault } from '../../vault/vault.ts';
import {
  type LocalScanner,
  type LocalScannerOptions,
  type LocalScanRequest,
  openLocalScanner,
} from './local-scanner.ts';

export interface RuleTimerOptions extends LocalScannerOptions {
  vault: Pick<Vault, 'sourceOf' | 'unreadable'>;
}

export interface TimedSample {
  sha256: string;
  name: string | null;
  sizeBytes: number;
}

export interface TimedRules {
  pieces: RulePieces;
  variables: LocalScanRequest['variables'];
  samples: readonly TimedSample[];
}

/** Every sample is scanned this often, and more often if that is so fast that noise would decide. */
const leastRounds = 2;
const mostRounds = 20;
const enoughMs = 100;

const nothingToFind: RulePieces = {
  imports: [],
  rules: [{ name: 'nothing', text: 'rule nothing { condition: false }', uses: [], isGlobal: false, isPrivate: false }],
};

const ignore = (): void => undefined;

/** A rule stops the engine, or does not compile without the others; null if it is unknown which one. */
export class LeftOutError extends Error {
  readonly rule: string | null;

  constructor(rule: string | null) {
    super('a rule of the group cannot be measured');
    this.rule = rule;
  }
}

/** Times scans of samples with a set of rules, one scan at a time: two at once would measure each other. */
export class RuleTimer {
  readonly #options: RuleTimerOptions;
  readonly #mutex = new Mutex();

  constructor(options: RuleTimerOptions) {
    this.#options = options;
  }

  /** Resolves when no scan is running. */
  async idle(): Promise<void> {
    await this.#mutex.idle();
  }

  /** Milliseconds that the samples take with a rule that decides nothing. */
  async baseline({ variables, samples }: TimedRules, signal: AbortSignal): Promise<number> {
    const { ms } = await this.#timed(
      { pieces: nothingToFind, variables, names: new Set(['nothing']) },
      samples,
      signal,
    );
    return ms;
  }

  /** @throws LeftOutError, FailureError, or the reason of the signal */
  async costOf(
    { pieces, variables, samples }: TimedRules,
    names: readonly string[],
    baseline: number,
    signal: AbortSignal,
  ): Promise<RuleCost> {
    const { ms, engine } = await this.#timed({ pieces, variables, names: new Set(names) }, samples, signal);
    const bytes = samples.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return {
      msPerMegabyte: Math.max(0, ms - baseline) / (bytes / 1_000_000),
      together: names.length,
      samples: samples.length,
      bytes,
      engine,
      measured: currentInstant(),
    };
  }

  #timed(
    program: Pick<LocalScanRequest, 'pieces' | 'names' | 'variables'>,
    samples: readonly TimedSample[],
    signal: AbortSignal,
  ): Promise<{ ms: number; engine: LocalEngine }> {
    return this.#mutex.run(() => this.#timesOf(program, samples, signal));
  }

  /** The shortest time of each sample, in all. @throws LeftOutError */
  async #timesOf(
    program: Pick<LocalScanRequest, 'pieces' | 'names' | 'variables'>,
    samples: readonly TimedSample[],
    signal: AbortSignal,
  ): Promise<{ ms: number; engine: LocalEngine }> {
    signal.throwIfAborted();
    const faults: Failure[] = [];
    const { session, engine } = await this.#opened({
      ...program,
      signal,
      files: 1,
      isTimed: true,
      step: ignore,
      notice: (failure) => faults.push(failure),
    });
    try {
      const shortest = samples.map(() => Infinity);
      let spentMs = 0;
      for (let round = 0; round < leastRounds || (round < mostRounds && spentMs < enoughMs); round += 1) {
        for (const [index, sample] of samples.entries()) {
          const ms = await this.#scanned(session, sample, faults);
          spentMs += ms;
          shortest[index] = Math.min(shortest[index] ?? Infinity, ms);
        }
      }
      return { ms: shortest.reduce((sum, ms) => sum + ms, 0), engine };
    } finally {
      await session.close();
    }
  }

  /** @returns milliseconds. @throws LeftOutError */
  async #scanned(
    session: LocalScanner['session'],
    { sha256, name, sizeBytes }: TimedSample,
    faults: readonly Failure[],
  ): Promise<number> {
    const { vault } = this.#options;
    const verdict = await session.scan({
      name: name ?? sha256,
      sizeBytes,
      source: { kind: 'vault', source: vault.sourceOf(sha256) },
    });
    const [fault] = faults;
    if (fault !== undefined) throw new LeftOutError(fault.kind === 'scan-rule-left-out' ? fault.rule : null);
    if (verdict.kind === 'failed')
      throw verdict.failure.kind === 'cancelled' ? new FailureError(verdict.failure) : new LeftOutError(null);
    if (verdict.kind === 'unreadable') fail(vault.unreadable(sha256, verdict.reason));
    return verdict.elapsedMs;
  }

  /** Rules that only the other engine takes are not measured with it: they could not be compared. */
  async #opened(request: LocalScanRequest): ReturnType<typeof openLocalScanner> {
    try {
      return await openLocalScanner(this.#options, request);
    } catch (error) {
      const kind = error instanceof FailureError ? error.failure.kind : null;
      if (kind === 'native-engine-refused' || kind === 'scan-engine-failed') throw new LeftOutError(null);
      throw error;
    }
  }
}
