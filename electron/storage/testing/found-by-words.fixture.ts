import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { searchExpression } from '../database/search-expression.ts';

const found = z.object({ md5: z.string(), sha256: z.string().nullable() });

/** Samples that have every word of a text among the words that are kept of them, known last first. */
export function foundByWords(db: Database, text: string): z.infer<typeof found>[] {
  const expression = searchExpression(text);
  const statement = `SELECT md5, sha256 FROM sample_text JOIN sample ON sample.id = sample_text.rowid
    WHERE sample_text MATCH ?
      ORDER BY sample_text.rowid DESC`;
  return expression === null ? [] : db.query(found, statement).all(expression);
}
