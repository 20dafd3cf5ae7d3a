import { z } from 'zod';
import { strictestTlp, type TlpLevel, tlpLevel, tlpOf } from '../../shared/domain/tlp.ts';
import type { Database } from './database.ts';

const tagRow = z.object({ tag: z.string() });
const levelRow = z.object({ tlp: z.string() });

/** What is said of how far a sample may go. */
export class LibraryTlps {
  readonly #tags;
  readonly #levels;

  constructor(db: Database) {
    this.#tags = db.query(
      tagRow,
      `SELECT each.value AS tag FROM record, json_each(iif(json_valid(record.body), record.body, '{}'), '$.tags') AS each
      WHERE record.md5 = ?1 AND (record.sha256 IS NULL OR record.sha256 = ?2) AND each.type = 'text' AND each.value LIKE '%tlp:%'
      UNION SELECT tag FROM sample_tag WHERE sha256 = ?2 AND tag LIKE 'tlp:%'`,
    );
    this.#levels = db.query(
      levelRow,
      `SELECT tlp FROM upload_file WHERE sha256 = ?1 AND tlp IS NOT NULL AND sha256 IS NOT NULL
      UNION SELECT tlp FROM scan_file WHERE sha256 = ?1 AND tlp IS NOT NULL`,
    );
  }

  /** What cannot be read may be the strictest there is, and is taken for it. */
  strictest({ md5, sha256 }: { md5: string | null; sha256: string }): TlpLevel | null {
    const said = this.#levels.all(sha256).map(({ tlp }) => tlpLevel.safeParse(tlp).data ?? 'red');
    return strictestTlp([tlpOf(this.#tags.all(md5, sha256).map(({ tag }) => tag)), ...said]);
  }
}
