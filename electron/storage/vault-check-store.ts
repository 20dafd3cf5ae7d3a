import { type StorageState, storageState } from '../../shared/domain/storage.ts';
import type { Database } from './database.ts';

type VaultCheck = NonNullable<StorageState['lastCheck']>;

/** What the last check of the whole vault found. */
export class VaultCheckStore {
  readonly #last;
  readonly #put;

  constructor(db: Database) {
    this.#last = db.query(
      storageState.shape.lastCheck.unwrap(),
      'SELECT ended, samples, missing, altered FROM vault_check',
    );
    this.#put = db.command(
      'INSERT OR REPLACE INTO vault_check (only, ended, samples, missing, altered) VALUES (1, ?, ?, ?, ?)',
    );
  }

  /** null: there was none. */
  last(): StorageState['lastCheck'] {
    return this.#last.get();
  }

  record({ ended, samples, missing, altered }: VaultCheck): void {
    this.#put.run(ended, samples, missing, altered);
  }
}
