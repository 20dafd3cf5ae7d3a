import { z } from 'zod';
import { normalTag, tag } from '../../shared/domain/tag.ts';
import type { Database } from './database.ts';
import { KnownTags } from './known-tags.ts';

const tagRow = z.object({ tag: z.string() });

/** Tags that were given to samples on this desk. The caller gives the transaction. */
export class LibraryTags {
  readonly #known: KnownTags;
  readonly #of;
  readonly #add;
  readonly #drop;

  constructor(db: Database) {
    this.#known = new KnownTags(db);
    this.#of = db.query(tagRow, 'SELECT tag FROM sample_tag WHERE sha256 = ? ORDER BY tag');
    this.#add = db.command('INSERT OR IGNORE INTO sample_tag (sha256, tag) VALUES (?, ?)');
    this.#drop = db.command('DELETE FROM sample_tag WHERE sha256 = ? AND tag = ?');
  }

  /** By name. */
  of(sha256: string | null): string[] {
    return sha256 === null ? [] : this.#of.all(sha256).flatMap((row) => tag.safeParse(row.tag).data ?? []);
  }

  /** A tag that is both added and removed is removed. @returns whether the sample is not as it was */
  change(sha256: string, add: readonly string[], remove: readonly string[]): boolean {
    const [gone, wanted] = [new Set(remove.map(normalTag)), new Set(add.map(normalTag))];
    const added = [...wanted].filter(
      (one) => !gone.has(one) && tag.safeParse(one).success && this.#add.run(sha256, one).changes > 0,
    );
    const removed = [...gone].filter((one) => this.#drop.run(sha256, one).changes > 0);
    for (const one of added) this.#known.counted(one, 1);
    for (const one of removed) this.#known.counted(one, -1);
    return added.length + removed.length > 0;
  }

  forget(sha256: string | null): void {
    if (sha256 !== null) this.change(sha256, [], this.of(sha256));
  }
}
