import { currentInstant } from '../../../shared/domain/clock.ts';
import type { ScanFilter, ScannedFile, ScanSummary } from '../../../shared/domain/scan.ts';
import type {
  GroupsAnswer,
  GroupsRequest,
  ReadingPort,
  RowsAnswer,
  RuleHistory,
  RuleHits,
  TargetsAnswer,
} from '../reading/reading-thread.ts';
import type { CoverageAnswer, CoverageRequest } from './coverage-reading.ts';

export type { CoverageAnswer, CoveragePass } from './coverage-reading.ts';
export type { GroupsAnswer, GroupsRequest, RuleHits } from '../reading/reading-thread.ts';

const filesAPage = 500;

/**
 * Reads the results of scans and hunts. Mutes hold as they are at the moment of reading; `now` is UTC, ISO 8601.
 * Everything fails with `job-missing`, `worker-ended`, `cancelled` when it was closed, or as the database does.
 */
export class ScanReader {
  readonly #thread: ReadingPort;

  constructor(thread: ReadingPort) {
    this.#thread = thread;
  }

  /** Results will be read soon. */
  prepare(): void {
    this.#thread.prepare();
  }

  summary(jobId: number, now: string = currentInstant()): Promise<ScanSummary> {
    return this.#thread.request('summary', { jobId, now });
  }

  /** One window, in the order that `scans.groups` of the contract defines. */
  groups(request: GroupsRequest, now: string = currentInstant()): Promise<GroupsAnswer> {
    return this.#thread.request('groups', { ...request, now });
  }

  /** Of a workspace, rules that hit a sample. */
  ruleHits(workspaceId: string): Promise<RuleHits[]> {
    return this.#thread.request('ruleHits', { workspaceId });
  }

  /** Of one rule, by its key. */
  ruleHistory(workspaceId: string, key: string, now: string = currentInstant()): Promise<RuleHistory> {
    return this.#thread.request('ruleHistory', { workspaceId, key, now });
  }

  /** Its `tlp` is null: others know it. Fails with `scan-file-missing` of a position that the job has not. */
  file(jobId: number, position: number, now: string = currentInstant()): Promise<ScannedFile> {
    return this.#thread.request('file', { jobId, position, now });
  }

  /** The first of these positions, without the service's own words: as many as fit into an answer, and at least one. */
  files(jobId: number, positions: readonly number[], now: string = currentInstant()): Promise<ScannedFile[]> {
    return this.#thread.request('files', { jobId, positions, now });
  }

  /**
   * Every file that matches, by position, some at a time, each with those of its hits that match. `raw`, `tlp` and
   * `known` are null. A file that changes meanwhile is given as it is by then.
   */
  async *rows(
    jobId: number,
    filter: ScanFilter,
    now: string = currentInstant(),
  ): AsyncGenerator<ScannedFile[], void, undefined> {
    for (let after: number | null = 0; after !== null;) {
      const request = { jobId, now, filter, after, limit: filesAPage };
      const page: RowsAnswer = await this.#thread.request('rows', request);
      if (page.files.length > 0) yield page.files;
      after = page.next;
    }
  }

  /** What the rules of a package have not looked at, and how a hunt would go through that. */
  coverage(request: CoverageRequest): Promise<CoverageAnswer> {
    return this.#thread.request('coverage', request);
  }

  /** The SHA-256 of every file that matches, by position, at most 500 at a time. */
  async *targets(
    jobId: number,
    filter: ScanFilter,
    now: string = currentInstant(),
  ): AsyncGenerator<string[], void, undefined> {
    for (let after: number | null = 0; after !== null;) {
      const request = { jobId, now, filter, after, limit: filesAPage };
      const page: TargetsAnswer = await this.#thread.request('targets', request);
      if (page.sha256s.length > 0) yield page.sha256s;
      after = page.next;
    }
  }
}
