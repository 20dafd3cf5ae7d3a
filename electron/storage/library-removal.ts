import { currentInstant } from '../../shared/domain/clock.ts';
import type { Database } from './database.ts';
import { LibraryLooks } from './library-looks.ts';
import { LibraryOwn } from './library-own.ts';
import { LibraryRecords } from './library-records.ts';
import type { SampleRow } from './library-rows.ts';
import type { LibrarySamples } from './library-samples.ts';
import { LibraryTags } from './library-tags.ts';
import { SampleNames } from './sample-names.ts';

/** Takes samples out of the library. The caller gives the transaction, and writes the journal. */
export class LibraryRemoval {
  readonly #samples: LibrarySamples;
  readonly #records: LibraryRecords;
  readonly #tags: LibraryTags;
  readonly #own: LibraryOwn;
  readonly #looks: LibraryLooks;
  readonly #names: SampleNames;
  readonly #leaveVault;
  readonly #dropHits;
  readonly #dropHitSamples;
  readonly #drop;

  constructor(db: Database, samples: LibrarySamples) {
    this.#samples = samples;
    this.#records = new LibraryRecords(db);
    this.#tags = new LibraryTags(db);
    this.#own = new LibraryOwn(db);
    this.#looks = new LibraryLooks(db);
    this.#names = new SampleNames(db);
    this.#leaveVault = db.command('UPDATE sample SET in_vault = 0, damage = NULL WHERE id = ?');
    this.#dropHits = ['sample_hit', 'older_hit'].map((table) =>
      db.command(`DELETE FROM ${table} WHERE sample_id IN (SELECT id FROM hit_sample WHERE sha256 = ?)`),
    );
    this.#dropHitSamples = db.command('DELETE FROM hit_sample WHERE sha256 = ?');
    this.#drop = db.command('DELETE FROM sample WHERE id = ?');
  }

  /** The vault is to hold the bytes no longer; what is known of the sample stays. */
  bytes({ id }: SampleRow): void {
    this.#leaveVault.run(id);
  }

  /**
   * All that is known of the sample, and of its MD5 where no other sample has it. Jobs, uploads, drafts and own
   * comments stay.
   */
  all({ id, md5, sha256 }: SampleRow): void {
    this.#drop.run(id);
    if (this.#samples.withMd5(md5).length === 0) this.#records.forget(md5, currentInstant());
    if (sha256 !== null) this.#bytesKnown(sha256);
  }

  #bytesKnown(sha256: string): void {
    this.#tags.forget(sha256);
    this.#own.forget(sha256);
    this.#looks.forget(sha256);
    this.#names.forget(sha256);
    for (const drop of this.#dropHits) drop.run(sha256);
    this.#dropHitSamples.run(sha256);
  }
}
