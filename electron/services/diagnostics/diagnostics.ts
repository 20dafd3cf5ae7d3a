import { randomBytes, randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type { OperationRequest } from '../../../shared/contract.ts';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { SavedDiagnostics } from '../../../shared/domain/diagnostics.ts';
import type { ExportResult } from '../../../shared/domain/export.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { writeFileSafely } from '../../archive/export/export-file.ts';
import type { Platform } from '../../platform/platform.ts';
import { collectDiagnostics, type ProgramFacts } from './collecting.ts';

export interface DiagnosticsOptions {
  platform: Pick<Platform, 'kind' | 'isPackaged' | 'capabilities' | 'dataDirectory' | 'chooseFolder' | 'openPath'>;
  program: Pick<ProgramFacts, 'version' | 'engines'>;
  failures: RecentFailures;
  /** Tokens and passwords that were used since the start. */
  secrets(): string[];
  /**
   * What the program is doing now, by the name of each fact. One that fails, or does not answer in time, is left out.
   */
  running: Readonly<Record<string, () => unknown>>;
  /** Throws `export-into-watched` for a folder from which the file would come back. */
  requireUnwatched(folder: string): Promise<void>;
  namedFolder(id: string): string;
  offer(prepared: { fileName: string; sizeBytes: number | null; open(): AsyncIterable<Uint8Array> }): ExportResult;
  logDefect(id: string, operation: string, error: unknown): void;
  logSaved(missing: number): void;
}

const answersWithinMs = 5_000;

/** One file for a bug report. It needs no part of the program to be well: what cannot be had is named in it. */
export class DiagnosticsService {
  readonly #options: DiagnosticsOptions;
  #lastFolder: string | null = null;

  constructor(options: DiagnosticsOptions) {
    this.#options = options;
  }

  /** Fails with `export-into-watched`, `folder-not-named`, and as a disk does. */
  async save({ to, folder: named }: OperationRequest<'diagnostics.save'>): Promise<SavedDiagnostics> {
    const { platform, offer } = this.#options;
    if (named !== undefined) await this.#requireUnwatched(this.#options.namedFolder(named));
    if (to === 'command-line' || !platform.capabilities.chooseFolder) {
      const { fileName, bytes, missing } = await this.#collect();
      return { saved: offer({ fileName, sizeBytes: null, open: bytes }), missing };
    }
    const folder = await platform.chooseFolder('diagnostics');
    if (folder === null) return { saved: null, missing: [] };
    await this.#requireUnwatched(folder);
    const { fileName, bytes, missing } = await this.#collect();
    // Other exports are noted in the database on their way, which may be what is broken.
    const placed = await writeFileSafely(folder, fileName, bytes(), `.vitrine-${randomBytes(16).toString('hex')}.part`);
    this.#lastFolder = dirname(placed.path);
    return { saved: { kind: 'folder', ...placed }, missing };
  }

  async showFolder(): Promise<void> {
    const { platform } = this.#options;
    if (this.#lastFolder !== null && platform.capabilities.openFolders) await platform.openPath(this.#lastFolder);
  }

  async #collect(): ReturnType<typeof collectDiagnostics> {
    const { platform, program, failures, secrets, logSaved } = this.#options;
    const collected = await collectDiagnostics({
      isOpen: true,
      secrets: secrets(),
      recent: failures.newestFirst(),
      program: { ...program, host: platform, dataDirectory: platform.dataDirectory, running: await this.#running() },
    });
    logSaved(collected.missing.length);
    return collected;
  }

  async #running(): Promise<Record<string, unknown>> {
    const facts = Object.entries(this.#options.running).map(async ([name, fact]) => {
      const late = Promise.withResolvers<string>();
      const timer = setTimeout(late.resolve, answersWithinMs, 'no response in time');
      const collected = await Promise.race([
        Promise.resolve()
          .then(fact)
          .catch((error: unknown) => this.#notHad(error)),
        late.promise,
      ]);
      clearTimeout(timer);
      return [name, collected] as const;
    });
    return Object.fromEntries(await Promise.all(facts));
  }

  /** With a database that cannot be read nothing is watched, either. */
  async #requireUnwatched(folder: string): Promise<void> {
    try {
      await this.#options.requireUnwatched(folder);
    } catch (error) {
      if (error instanceof FailureError && error.failure.kind === 'export-into-watched') throw error;
      this.#notHad(error);
    }
  }

  #notHad(error: unknown): string {
    this.#options.logDefect(randomUUID(), 'diagnostics', error);
    return error instanceof FailureError ? error.failure.kind : 'unexpected';
  }
}

const mostKept = 200;

interface RecentFailure {
  time: string;
  operation: string;
  failure: Failure;
}

/** What this program answered with when it could not do what it was asked, for a bug report. In memory alone. */
export class RecentFailures {
  readonly #kept: RecentFailure[] = [];

  /**
   * What a person cancelled did not fail, and that the library has no such sample is an answer: look-ups ask for it.
   */
  note(operation: string, failure: Failure): void {
    if (failure.kind === 'cancelled' || failure.kind === 'not-in-library') return;
    this.#kept.push({ time: currentInstant(), operation, failure });
    if (this.#kept.length > mostKept) this.#kept.shift();
  }

  newestFirst(): RecentFailure[] {
    return this.#kept.toReversed();
  }
}
