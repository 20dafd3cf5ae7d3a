import { z } from 'zod';
import { hashes, type Hashes } from '../../../shared/domain/hash.ts';
import type { RuleHit, ScanResult } from '../../../shared/domain/scan.ts';
import type { TlpLevel } from '../../../shared/domain/tag.ts';
import type { Database } from '../database/database.ts';
import { readJson } from '../database/stored-json.ts';

const fileRow = z.object({
  position: z.number(),
  name: z.string().nullable(),
  md5: z.string().nullable(),
  sha1: z.string().nullable(),
  sha256: z.string(),
  sizeBytes: z.number().nullable(),
  stagedId: z.string().nullable(),
  place: z.string().nullable(),
  also: z.string().nullable(),
});
const nameRow = z.object({ name: z.string() });
const otherFiles = z.array(z.object({ name: z.string(), path: z.string().nullable() }));
const stagedRow = z.object({ stagedId: z.string(), place: z.string().nullable() });
const idRow = z.object({ stagedId: z.string() });

/** Files of scans, as they were given. The caller gives the transaction. */
export class ScanFiles {
  readonly #insert;
  readonly #one;
  readonly #staged;
  readonly #names;
  readonly #forget;
  readonly #used;

  constructor(db: Database) {
    this.#insert = db.command(
      // Not `OR REPLACE`: that fires no trigger for the deleted row.
      `INSERT INTO scan_file (job_id, position, name, md5, sha1, sha256, size_bytes, staged_id, place, tlp, also)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET name = excluded.name, md5 = excluded.md5, sha1 = excluded.sha1,
        sha256 = excluded.sha256, size_bytes = excluded.size_bytes,
        staged_id = excluded.staged_id, place = excluded.place, tlp = excluded.tlp, also = excluded.also`,
    );
    this.#one = db.query(
      fileRow,
      `SELECT item.position, ifnull(file.name, item.name) AS name, ifnull(file.md5, sample.md5) AS md5,
        ifnull(file.sha1, sample.sha1) AS sha1,
      item.hash AS sha256, coalesce(file.size_bytes, item.size_bytes, sample.size_bytes) AS sizeBytes,
        staged_id AS stagedId, place, also
      FROM job JOIN job_item AS item ON item.job_id = job.id AND item.position = ?2
      LEFT JOIN scan_file AS file ON file.job_id = item.job_id AND file.position = item.position
      LEFT JOIN sample ON sample.sha256 = item.hash
      WHERE job.id = ?1 AND job.hidden = 0
        AND iif(json_valid(job.task), job.task, '{}') ->> '$.kind' IN ('scan', 'hunt')`,
    );
    this.#names = db.query(
      nameRow,
      `SELECT record.name FROM sample JOIN record ON record.md5 = sample.md5
        AND (record.sha256 IS NULL OR record.sha256 = sample.sha256) WHERE sample.sha256 = ?1
        AND record.name IS NOT NULL
      UNION SELECT name FROM upload_file WHERE sha256 = ?1
      UNION SELECT name FROM scan_file WHERE sha256 = ?1 AND name IS NOT NULL
      UNION SELECT value ->> '$.name' FROM scan_file, json_each(scan_file.also) WHERE scan_file.sha256 = ?1
        AND json_valid(scan_file.also)
      UNION SELECT name FROM sample_name WHERE sha256 = ?1
      LIMIT 1000`,
    );
    this.#staged = db.query(
      stagedRow,
      `SELECT staged_id AS stagedId, place FROM scan_file INDEXED BY scan_file_staged JOIN job ON job.id = job_id
        AND job.hidden = 0 AND job.state <> 'draft'
      WHERE staged_id IS NOT NULL ORDER BY job_id, position`,
    );
    this.#forget = db.query(
      idRow,
      `DELETE FROM scan_file INDEXED BY scan_file_staged WHERE job_id = ? AND staged_id IS NOT NULL
        RETURNING staged_id AS stagedId`,
    );
    this.#used = db.query(
      idRow,
      `SELECT DISTINCT staged_id AS stagedId FROM scan_file INDEXED BY scan_file_by_staged WHERE staged_id IS NOT NULL
        AND staged_id IN (SELECT value FROM json_each(?))`,
    );
  }

  add(jobId: number, files: readonly ScanFileRow[]): void {
    for (const {
      position,
      name,
      hashes: { md5, sha1, sha256 },
      sizeBytes,
      stagedId,
      place,
      also = [],
      tlp,
    } of files) {
      this.#insert.run(
        jobId,
        position,
        name,
        md5,
        sha1,
        sha256,
        sizeBytes,
        stagedId,
        place === null ? null : JSON.stringify(place),
        tlp,
        also.length === 0 ? null : JSON.stringify(also),
      );
    }
  }

  get(jobId: number, position: number): StoredScanFile | null {
    const row = this.#one.get(jobId, position);
    if (row === null) return null;
    const { md5, sha1, sha256, place, also, ...same } = row;
    return {
      ...same,
      sha256,
      hashes: hashes.safeParse({ md5, sha1, sha256 }).data ?? null,
      place: placeOf(place),
      also: otherFilesOf(also),
    };
  }

  namesOf(sha256: string): string[] {
    return this.#names.all(sha256).map(({ name }) => name);
  }

  staged(): { stagedId: string; place: unknown }[] {
    return this.#staged.all().map(({ stagedId, place }) => ({ stagedId, place: placeOf(place) }));
  }

  /** @returns the staged ids that no other job has */
  forgetStaged(jobId: number): string[] {
    const forgotten = this.#forget.all(jobId).map(({ stagedId }) => stagedId);
    const used = new Set(this.#used.all(JSON.stringify(forgotten)).map(({ stagedId }) => stagedId));
    return forgotten.filter((stagedId) => !used.has(stagedId));
  }
}

const placeOf = (text: string | null): unknown => (text === null ? null : (readJson(text) ?? null));
/** Files whose bytes are those of another one that was given. */
export const otherFilesOf = (text: string | null): readonly OtherFile[] =>
  text === null ? [] : (otherFiles.safeParse(readJson(text)).data ?? []);

/** A file of a job. */
export interface ScanPlace {
  jobId: number;
  position: number;
}

/** A file with the bytes of another one of the scan. `path`: where it lies; null: unknown. */
export interface OtherFile {
  name: string;
  path: string | null;
}

/** A file of a scan, under the position its item has in the job. */
export interface ScanFileRow {
  position: number;
  /** Untrusted text. */
  name: string | null;
  hashes: Hashes;
  sizeBytes: number;
  /** null: a sample of the vault. */
  stagedId: string | null;
  /** Where its bytes are found again: kept as JSON, and never looked into. */
  place: unknown;
  /** The other files with these bytes; not there: none. */
  also?: readonly OtherFile[];
  /** As the person said it. */
  tlp: TlpLevel | null;
}

/**
 * A file of a scan, or a sample of a hunt, which has no row of its own: what the library knows of it. The library knows
 * its TLP too.
 */
export interface StoredScanFile extends Omit<ScanFileRow, 'hashes' | 'sizeBytes' | 'tlp' | 'also'> {
  sha256: string;
  also: readonly OtherFile[];
  /** null: not all of them are known. */
  hashes: Hashes | null;
  sizeBytes: number | null;
}

/** The properties of a rule from the local package, kept once a job. */
export type ScanRuleFacts = Pick<RuleHit, 'rule' | 'tags' | 'meta' | 'family' | 'place'>;

/** A hit as a result keeps it. Missing fields have the values that `addRules` got for the rule. */
export type StoredHit = Pick<RuleHit, 'rule' | 'strings'> &
  Partial<Pick<RuleHit, 'namespace' | 'tags' | 'meta' | 'family'>>;

/** Of `raw` the first 100,000 characters are kept. */
export interface StoredResult extends Omit<ScanResult, 'hits'> {
  /** Each rule once. */
  hits: readonly StoredHit[];
}

/** What one side said of one file. */
export interface ScanNote {
  position: number;
  sha256: string;
  result: StoredResult;
  /** Only of these rules it is known that they hit no more. */
  rulesLookedWith: 'all' | ReadonlySet<string>;
}

/** The hunt of a workspace's vault that was over last. `ended` is UTC, ISO 8601. */
export interface LastHunt {
  jobId: number;
  ended: string;
  /** The package it was made with. */
  sha256: string | null;
  version: string | null;
}

/** How long the engine took for each scan. */
export interface ScanPace {
  scanMs: number;
}
