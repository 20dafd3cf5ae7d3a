import { currentInstant } from '../../shared/domain/clock.ts';
import type { KnownBesides, LocalEngine, SampleHit } from '../../shared/domain/scan.ts';
import type { Database } from './database.ts';
import { KnownHits } from './known-hits.ts';
import { type LossStep, SampleHits } from './sample-hits.ts';
import { ScanFiles } from './scan-files.ts';
import { ScanHistory } from './scan-history.ts';
import { ScanRecording } from './scan-recording.ts';
import type { LastHunt, ScanFileRow, ScanNote, ScanPace, ScanRuleFacts, StoredScanFile } from './scan-rows.ts';
import { ScanRules } from './scan-rules.ts';

export type {
  LastHunt,
  OtherFile,
  ScanFileRow,
  ScanNote,
  ScanPace,
  ScanRuleFacts,
  StoredHit,
  StoredResult,
  StoredScanFile,
} from './scan-rows.ts';

/** What one step takes on: some milliseconds. */
const mostAStep = { samples: 100, hits: 250 };
const namesAStep = 1000;

/**
 * What scans and hunts found. Every call is one transaction, or joins the caller's, and takes a few milliseconds: give
 * some thirty files a call. What is written is safe from a crash of the program at once, and from a power cut soon.
 * Rows of a job go with the job, a few at a time (`JobStore.removeHidden`).
 */
export class ScanStore {
  readonly #db: Database;
  readonly #files: ScanFiles;
  readonly #rules: ScanRules;
  readonly #samples: SampleHits;
  readonly #recording: ScanRecording;
  readonly #history: ScanHistory;
  readonly #knownHits: KnownHits;

  constructor(db: Database) {
    this.#db = db;
    this.#files = new ScanFiles(db);
    this.#rules = new ScanRules(db);
    this.#samples = new SampleHits(db);
    this.#recording = new ScanRecording(db, this.#rules, this.#samples);
    this.#history = new ScanHistory(db);
    this.#knownHits = new KnownHits(db);
  }

  /** The files of a scan, under the positions that their items have. */
  addFiles(jobId: number, files: readonly ScanFileRow[]): void {
    this.together(() => this.#files.add(jobId, files));
  }

  /** Of a scan, or of a hunt. null: the job has no such item, or is of another kind. */
  file(jobId: number, position: number): StoredScanFile | null {
    return this.#files.get(jobId, position);
  }

  /**
   * The names under which a sample is known: in records of services, among uploads, and in scans. At most a thousand,
   * by name; untrusted texts. Names of a sample that is known by its MD5 alone count too.
   */
  namesOf(sha256: string): string[] {
    return this.#files.namesOf(sha256);
  }

  /** Of all jobs that were begun and not taken out of the list. */
  stagedFiles(): { stagedId: string; place: unknown }[] {
    return this.#files.staged();
  }

  /** To be called when a job was taken out of the list. @returns staged ids to discard */
  forgetJob(jobId: number): { staged: string[] } {
    return { staged: this.together(() => this.#files.forgetStaged(jobId)) };
  }

  /** Those of the names that `addRules` was not given yet. */
  newRules(jobId: number, names: readonly string[]): string[] {
    return this.#rules.withoutFacts(jobId, names);
  }

  addRules(jobId: number, facts: readonly ScanRuleFacts[]): void {
    this.together(() => this.#rules.add(jobId, facts));
  }

  /**
   * Keeps what a side said, and tells the library which rules hit the sample now. In a hunt, hits are marked that were
   * not there before, and those that are no more, and a result without hits is not kept. A side that looks at the same
   * file again replaces what it said before. Fails with `job-missing`.
   */
  record(jobId: number, notes: readonly ScanNote[]): void {
    this.together(() => this.#recording.record(jobId, notes));
  }

  /**
   * The local hits of rules that are in the package no more are lost: in the hunt and in the library. Gives how many of
   * each step.
   */
  *loseRulesInSteps(jobId: number, workspaceId: string, rules: readonly string[]): Generator<number, void, undefined> {
    const gone: string[] = [];
    // Each step looks for all of them: a package that is another one altogether has lost thousands that never hit
    // anything.
    for (let at = 0; at < rules.length; at += namesAStep) {
      gone.push(
        ...this.#samples.rulesSeen(
          workspaceId,
          rules.slice(at, at + namesAStep).map((rule) => rule.toWellFormed()),
        ),
      );
      yield 0;
    }
    for (let after: string | null = gone.length > 0 ? '' : null; after !== null;) {
      const from: LossStep = { after, ...mostAStep };
      const step = this.together(() => this.#recording.loseRules(jobId, workspaceId, gone, from));
      yield step.lost;
      after = step.next;
    }
  }

  lastHunt(workspaceId: string): LastHunt | null {
    return this.#history.lastHunt(workspaceId);
  }

  setLastHunt(workspaceId: string, hunt: LastHunt): void {
    this.#history.setLastHunt(workspaceId, hunt);
  }

  /** null: nothing was scanned with this engine yet. */
  pace(engine: LocalEngine): ScanPace | null {
    return this.#history.pace(engine);
  }

  setPace(engine: LocalEngine, pace: ScanPace): void {
    this.#history.setPace(engine, pace);
  }

  /** What rules found in a sample, as last seen, by name, with the mutes that hold now. */
  hitsOf(workspaceId: string, sha256: string): SampleHit[] {
    return this.#samples.of(workspaceId, sha256, currentInstant());
  }

  /** What is known of a sample besides the hits that are shown; null: nothing. */
  knownBesides(sha256: string, shown: readonly Pick<SampleHit, 'rule'>[]): KnownBesides | null {
    return this.#knownHits.besides(
      shown.map(({ rule }) => rule),
      { sha256, md5: null },
      currentInstant(),
    );
  }

  /** What other stores write in `work` is stored with it or not at all. */
  together<T>(work: () => T): T {
    return this.#db.transaction(work, 'soon');
  }
}
