import { z } from 'zod';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { KnownBesides, LocalEngine, SampleHit } from '../../../shared/domain/scan.ts';
import type { Database } from '../database/database.ts';
import { readJson } from '../database/stored-json.ts';
import { KnownHits } from './known-hits.ts';
import { type LossStep, SampleHits } from './sample-hits.ts';
import {
  type LastHunt,
  type ScanFileRow,
  ScanFiles,
  type ScanNote,
  type ScanPace,
  type ScanRuleFacts,
  type StoredScanFile,
} from './scan-files.ts';
import { ScanRecording, ScanRules } from './scan-recording.ts';

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
} from './scan-files.ts';

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
   * Stores the result of one engine, and updates the sample's rule hits in the library. In a hunt, new hits and lost
   * hits are marked, and a result without hits is not kept. When an engine scans the same file again, its new result
   * replaces the old one. Fails with `job-missing`.
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

  /** A sample's rule hits from the last scan, by name, with the mutes that apply now. */
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

/**
 * Samples that are looked at with the same rules: the items of the job behind the pass before, to the one at `upTo`.
 */
const huntPass = z.object({
  upTo: z.number(),
  /**
   * Rules to look with; null: all of the package; none: nothing is scanned, hits of rules that are gone are taken from
   * the sample.
   */
  names: z.array(z.string()).nullable(),
});
export type HuntPass = z.infer<typeof huntPass>;

/** Rules that the package has no more. */
const removed = z.array(z.string());
const huntInput = z.union([
  z.object({ passes: z.array(huntPass), removed }),
  // As it was written before there were passes.
  z
    .object({ names: huntPass.shape.names, removed })
    .transform(({ names, ...same }) => ({ ...same, passes: [{ upTo: Number.MAX_SAFE_INTEGER, names }] })),
]);
export type HuntInput = z.infer<typeof huntInput>;

const inputRow = z.object({ body: z.string() });

/** The inputs of hunts, so that they can resume after a restart: too long to be sent with every step of a job. */
export class HuntInputs {
  readonly #set;
  readonly #get;

  constructor(db: Database) {
    this.#set = db.command('INSERT OR REPLACE INTO hunt_input (job_id, body) VALUES (?, ?)');
    this.#get = db.query(inputRow, 'SELECT body FROM hunt_input WHERE job_id = ?');
  }

  set(jobId: number, input: HuntInput): void {
    this.#set.run(jobId, JSON.stringify(input));
  }

  /** null: there is none, or it cannot be read. */
  get(jobId: number): HuntInput | null {
    const row = this.#get.get(jobId);
    return row === null ? null : (huntInput.safeParse(readJson(row.body)).data ?? null);
  }
}

const huntRow = z.object({
  jobId: z.number(),
  ended: z.string(),
  sha256: z.string().nullable(),
  version: z.string().nullable(),
});
const paceRow = z.object({ scanMs: z.number() });

/** Facts from earlier scans and hunts, for the next one. */
class ScanHistory {
  readonly #hunt;
  readonly #putHunt;
  readonly #pace;
  readonly #putPace;

  constructor(db: Database) {
    this.#hunt = db.query(
      huntRow,
      'SELECT job_id AS jobId, ended, sha256, version FROM last_hunt WHERE workspace_id = ?',
    );
    this.#putHunt = db.command(
      'INSERT OR REPLACE INTO last_hunt (workspace_id, job_id, ended, sha256, version) VALUES (?, ?, ?, ?, ?)',
    );
    this.#pace = db.query(paceRow, 'SELECT scan_ms AS scanMs FROM scan_pace WHERE engine = ?');
    this.#putPace = db.command('INSERT OR REPLACE INTO scan_pace (engine, scan_ms) VALUES (?, ?)');
  }

  lastHunt(workspaceId: string): LastHunt | null {
    return this.#hunt.get(workspaceId);
  }

  setLastHunt(workspaceId: string, { jobId, ended, sha256, version }: LastHunt): void {
    this.#putHunt.run(workspaceId, jobId, ended, sha256, version);
  }

  pace(engine: LocalEngine): ScanPace | null {
    return this.#pace.get(engine);
  }

  setPace(engine: LocalEngine, { scanMs }: ScanPace): void {
    this.#putPace.run(engine, scanMs);
  }
}
