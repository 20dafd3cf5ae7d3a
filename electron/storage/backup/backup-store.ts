import { createHash } from 'node:crypto';
import { type LastBackup, storageState } from '../../../shared/domain/storage.ts';
import type { Database } from '../database/database.ts';
import { JournalKeys } from '../journal/journal-chain.ts';
import type { Journal } from '../journal/journal.ts';

/** The journal's details of a backup, besides its location. */
interface BackupDetail {
  /** Files that were not there already. */
  copied: number;
  /** Files of samples that could not be read. */
  missed?: number;
}

/** What is known of backups: whose they are, and which was the last. */
export class BackupStore {
  /**
   * The same for every copy of this data, also for one that was restored: from the database's own key, which it does
   * not give away.
   */
  readonly installationId: string;
  readonly #db: Database;
  readonly #journal: Journal;
  readonly #last;
  readonly #put;

  constructor(db: Database, journal: Journal) {
    this.installationId = createHash('sha256')
      .update('backup desk id')
      .update(new JournalKeys(db).database)
      .digest('hex')
      .slice(0, 32);
    this.#db = db;
    this.#journal = journal;
    this.#last = db.query(storageState.shape.lastBackup.unwrap(), 'SELECT path, ended, files, bytes FROM last_backup');
    this.#put = db.command(
      'INSERT OR REPLACE INTO last_backup (only, path, ended, files, bytes) VALUES (1, ?, ?, ?, ?)',
    );
  }

  /** null: there was none. */
  last(): LastBackup | null {
    return this.#last.get();
  }

  /** One came to its end. */
  record({ path, ended, files, bytes }: LastBackup, detail: BackupDetail): void {
    this.#db.transaction(() => {
      this.#put.run(path, ended, files, bytes);
      this.#journal.append({
        workspaceId: null,
        operation: 'backup',
        hash: null,
        outcome: 'done',
        detail: { folder: path, files, bytes, ...detail },
      });
    });
  }

  /** One did not. `outcome`: `cancelled`, or the kind of a failure. */
  recordFailed(path: string, outcome: string): void {
    this.#journal.append({ workspaceId: null, operation: 'backup', hash: null, outcome, detail: { folder: path } });
  }
}
