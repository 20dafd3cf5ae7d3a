import { z } from 'zod';
import type { Failure } from '../../shared/failure.ts';
import type { Database } from './database.ts';
import { type FolderFile, folderFileRow } from './watch-rows.ts';

/** A file whose bytes are known. */
export interface HashedFolderFile {
  path: string;
  sha256: string;
}

const filesAPage = 500;

const contentRow = z.object({ sha256: z.string() });
const jobRow = z.object({ job: z.number() });
const endRow = z.object({ files: z.number(), hits: z.number() });

/** What becomes of files of the watched folder. A call is one transaction, or joins the caller's. */
export class WatchOutcomes {
  readonly #db: Database;
  readonly #known;
  readonly #remember;
  readonly #settle;
  readonly #note;
  readonly #scan;
  readonly #toScan;
  readonly #jobs;
  readonly #sum;
  readonly #end;
  readonly #unscanned;

  constructor(db: Database) {
    this.#db = db;
    this.#known = db.query(
      contentRow,
      'SELECT sha256 FROM watched_content WHERE workspace_id = ? AND sha256 IN (SELECT value FROM json_each(?))',
    );
    this.#remember = db.command('INSERT OR IGNORE INTO watched_content (workspace_id, sha256) VALUES (?, ?)');
    this.#settle = db.command("UPDATE watched_file SET state = ?, sha256 = ? WHERE path = ? AND state = 'hashing'");
    const notYet = "state = 'scanning' AND scan_job IS NULL";
    this.#note = db.command(
      `UPDATE watched_file SET state = 'drafted', failure = ? WHERE ${notYet}
        AND path IN (SELECT value FROM json_each(?))`,
    );
    this.#scan = db.command(
      `UPDATE watched_file SET scan_job = ? WHERE ${notYet} AND path IN (SELECT value FROM json_each(?))`,
    );
    this.#toScan = db.query(
      folderFileRow,
      `SELECT path, size_bytes AS sizeBytes, changed_ms AS changedMs FROM watched_file WHERE ${notYet} AND path > ?
        ORDER BY path LIMIT ${filesAPage}`,
    );
    this.#jobs = db.query(jobRow, 'SELECT DISTINCT scan_job AS job FROM watched_file WHERE scan_job IS NOT NULL');
    const told = `FROM job_item AS item JOIN scan_result AS result USING (job_id, position)
      WHERE item.job_id = watched_file.scan_job AND item.hash = watched_file.sha256 AND result.side = 'local'`;
    this.#sum = db.command(
      `UPDATE watched_file SET state = 'drafted', failure = (SELECT result.failure ${told}),
      hits = (SELECT ifnull((SELECT hits FROM scan_total AS total WHERE total.job_id = item.job_id
        AND total.position = item.position), 0) ${told} AND result.state = 'scanned')
      WHERE scan_job = ?`,
    );
    this.#end = db.query(
      endRow,
      'SELECT count(*) AS files, ifnull(sum(hits > 0), 0) AS hits FROM watched_file WHERE scan_job = ?',
    );
    this.#unscanned = db.command('UPDATE watched_file SET scan_job = NULL WHERE scan_job = ?');
  }

  /** Those of these contents that came into the workspace's draft before. */
  known(workspaceId: string, sha256s: readonly string[]): Set<string> {
    return new Set(this.#known.all(workspaceId, JSON.stringify(sha256s)).map(({ sha256 }) => sha256));
  }

  /** They are to be scanned from then on. */
  drafted(workspaceId: string, files: readonly HashedFolderFile[]): void {
    this.#soon(() => {
      for (const { path, sha256 } of files) {
        this.#settle.run('scanning', sha256, path);
        this.#remember.run(workspaceId, sha256);
      }
    });
  }

  cameBefore(files: readonly HashedFolderFile[]): void {
    this.#soon(() => {
      for (const { path, sha256 } of files) this.#settle.run('known', sha256, path);
    });
  }

  /** Why drafted files were not scanned. */
  notScanned(paths: readonly string[], failure: Failure): void {
    this.#soon(() => this.#note.run(JSON.stringify(failure), JSON.stringify(paths)));
  }

  scanning(paths: readonly string[], jobId: number): void {
    this.#soon(() => this.#scan.run(jobId, JSON.stringify(paths)));
  }

  /** Drafted files after this path that no scan looks at: a page of them, by path. */
  toScan(after: string): FolderFile[] {
    return this.#toScan.all(after);
  }

  /** That look at files now, or did so when the program ended. */
  scanJobs(): number[] {
    return this.#jobs.all().map(({ job }) => job);
  }

  /** Takes over what the scan found. @returns how many files it looked at for us, and how many of them have hits */
  scanned(jobId: number): { files: number; hits: number } {
    return this.#soon(() => {
      this.#sum.run(jobId);
      const end = this.#end.get(jobId) ?? { files: 0, hits: 0 };
      this.#unscanned.run(jobId);
      return end;
    });
  }

  #soon<T>(work: () => T): T {
    return this.#db.transaction(work, 'soon');
  }
}
