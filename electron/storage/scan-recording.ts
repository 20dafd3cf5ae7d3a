import { z } from 'zod';
import { currentInstant } from '../../shared/domain/clock.ts';
import { fail } from '../../shared/failure.ts';
import type { Database } from './database.ts';
import type { LossStep, SampleHits, SeenSample } from './sample-hits.ts';
import { type HuntMarks, ScanHits } from './scan-hits.ts';
import { ScanResults } from './scan-results.ts';
import type { ScanNote, ScanPlace, StoredHit, StoredResult } from './scan-rows.ts';
import type { ScanRules } from './scan-rules.ts';

const jobRow = z.object({ workspaceId: z.string().nullable(), isHunt: z.number() });
const itemRow = z.object({ position: z.number() });
const sampleRow = z.object({ sha256: z.string() });

interface ScanJob {
  workspaceId: string | null;
  isHunt: boolean;
}

/** Each rule once, under a name that SQLite gives back as it was put in. */
type Hits = ReadonlyMap<string, StoredHit>;

const noMarks: HuntMarks = { added: new Set(), lost: new Set() };

/**
 * Takes what a side said to where it is looked for: the job's results, its hits, and the library. The caller gives the
 * transaction.
 */
export class ScanRecording {
  readonly #rules: ScanRules;
  readonly #results: ScanResults;
  readonly #hits: ScanHits;
  readonly #samples: SampleHits;
  readonly #job;
  readonly #item;
  readonly #knownSamples;
  readonly #knownPlaces;

  constructor(db: Database, rules: ScanRules, samples: SampleHits) {
    this.#rules = rules;
    this.#samples = samples;
    this.#results = new ScanResults(db);
    this.#hits = new ScanHits(db);
    this.#job = db.query(
      jobRow,
      `SELECT workspace_id AS workspaceId, iif(json_valid(task), task, '{}') ->> '$.kind' IS 'hunt' AS isHunt FROM job
        WHERE id = ? AND hidden = 0`,
    );
    this.#knownSamples = db.query(
      sampleRow,
      'SELECT sha256 FROM hit_sample WHERE workspace_id = ? AND sha256 IN (SELECT value FROM json_each(?))',
    );
    this.#knownPlaces = db.query(
      itemRow,
      'SELECT position FROM scan_total WHERE job_id = ? AND position IN (SELECT value FROM json_each(?))',
    );
    this.#item = db.query(itemRow, 'SELECT position FROM job_item WHERE job_id = ? AND hash = ?');
  }

  /** Fails with `job-missing`. */
  record(jobId: number, notes: readonly ScanNote[]): void {
    const row = this.#job.get(jobId) ?? fail({ kind: 'job-missing', id: jobId });
    const job = { workspaceId: row.workspaceId, isHunt: row.isHunt === 1 };
    const now = currentInstant();
    for (const note of this.#telling(jobId, job, notes)) this.#one({ jobId, position: note.position }, job, note, now);
  }

  /** A hunt finds nothing in most samples, of which nothing was known either: they are told apart many at a time. */
  #telling(jobId: number, { workspaceId, isHunt }: ScanJob, notes: readonly ScanNote[]): readonly ScanNote[] {
    if (!isHunt || workspaceId === null) return notes;
    const samples = new Set(
      this.#knownSamples
        .all(workspaceId, JSON.stringify(notes.map(({ sha256 }) => sha256)))
        .map(({ sha256 }) => sha256),
    );
    const places = new Set(
      this.#knownPlaces
        .all(jobId, JSON.stringify(notes.map(({ position }) => position)))
        .map(({ position }) => position),
    );
    return notes.filter(
      ({ position, sha256, result }) => saysMore(result) || samples.has(sha256) || places.has(position),
    );
  }

  /**
   * Takes hits of rules that are in the package no more from some samples.
   * @returns how many; `next` is where to go on, null when there are no more samples
   */
  loseRules(
    jobId: number,
    workspaceId: string,
    rules: readonly string[],
    step: LossStep,
  ): { lost: number; next: string | null } {
    const { lost, next } = this.#samples.lose(workspaceId, rules, step);
    for (const { sha256, rules: gone } of lost) {
      const item = this.#item.get(jobId, sha256);
      if (item) this.#lose({ jobId, position: item.position }, gone);
    }
    return { lost: lost.reduce((sum, { rules: gone }) => sum + gone.size, 0), next };
  }

  #one(place: ScanPlace, job: ScanJob, note: ScanNote, now: string): void {
    const { result } = note;
    const hits: Hits = new Map(result.hits.map((hit) => [hit.rule.toWellFormed(), hit]));
    const marks = this.#learn(place, job, { note, hits, now });
    const isKept = !job.isHunt || saysMore(result);
    if (!isKept && marks.lost.size === 0 && !this.#hits.has(place)) return;
    if (isKept) this.#results.put(place, result);
    else this.#results.drop(place, result.side);
    const ids = this.#rules.idsOf(place.jobId, hits);
    const found = [...hits].map(([rule, hit]) => ({
      ruleId: ids.get(rule) ?? 0,
      matches: matchesOf(hit),
      isNew: marks.added.has(rule),
    }));
    this.#hits.replace(place, result.side, found);
    this.#lose(place, marks.lost);
  }

  /** Tells the library what the sample has now. @returns what is new and what is lost by that, in a hunt */
  #learn(
    place: ScanPlace,
    { workspaceId, isHunt }: ScanJob,
    { note, hits, now }: { note: ScanNote; hits: Hits; now: string },
  ): HuntMarks {
    const { sha256, result, rulesLookedWith } = note;
    if (workspaceId === null || result.state !== 'scanned') return noMarks;
    const sample: SeenSample = { workspaceId, sha256, side: result.side };
    const known = this.#samples.rules(sample);
    const gone = knowsAllRules(result)
      ? [...known].filter((rule) => !hits.has(rule) && (rulesLookedWith === 'all' || rulesLookedWith.has(rule)))
      : [];
    const matches = new Map([...hits].map(([rule, hit]) => [rule, matchesOf(hit)]));
    this.#samples.see(sample, { matches, gone, version: result.package?.version ?? null, now }, place);
    return isHunt ? marksOf({ known, gone, hits }, this.#hits.marks(place)) : noMarks;
  }

  #lose(place: ScanPlace, rules: ReadonlySet<string>): void {
    const ids = this.#rules.idsOf(place.jobId, new Map([...rules].map((rule) => [rule, {}])));
    this.#hits.lose(place, [...ids.values()]);
    this.#hits.sum(place);
  }
}

/**
 * Where the hunt looked at the sample before, what it changed then does not count: it is compared with what was there
 * before the hunt.
 */
function marksOf(
  { known, gone, hits }: { known: Set<string>; gone: string[]; hits: Hits },
  earlier: HuntMarks,
): HuntMarks {
  const wasThere = (rule: string): boolean => (known.has(rule) && !earlier.added.has(rule)) || earlier.lost.has(rule);
  return {
    added: new Set([...hits.keys()].filter((rule) => !wasThere(rule))),
    lost: new Set([...gone, ...earlier.lost].filter((rule) => !hits.has(rule) && wasThere(rule))),
  };
}

/** Than that nothing was found. */
const saysMore = ({ state, hits, namesLeftOut = 0 }: StoredResult): boolean =>
  state !== 'scanned' || hits.length > 0 || namesLeftOut > 0;

const matchesOf = ({ strings }: StoredHit): number => strings.reduce((sum, { total }) => sum + total, 0);

/**
 * A service that found more rules than are kept: those that are missing may have hit. This desk keeps every rule, and
 * leaves out matches alone.
 */
const knowsAllRules = ({ side, isCut }: StoredResult): boolean => side === 'local' || !isCut;
