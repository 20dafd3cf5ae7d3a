import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Vitrine } from './fixtures.ts';

/** What lies in the staging folder. */
export const stagedFiles = (vitrine: Pick<Vitrine, 'dataDirectory'>): Promise<string[]> =>
  readdir(join(vitrine.dataDirectory, 'staging'));

/** The comment of the one upload draft that has one, as it would be found after a crash. */
export const savedComment = (vitrine: Pick<Vitrine, 'dataDirectory'>): string =>
  savedText(vitrine, `SELECT comment AS text FROM upload_draft WHERE comment <> ''`);

/** The text of the one comment that is being written. */
export const savedCommentDraft = (vitrine: Pick<Vitrine, 'dataDirectory'>): string =>
  savedText(vitrine, `SELECT text FROM comment_draft WHERE text <> ''`);

function savedText({ dataDirectory }: Pick<Vitrine, 'dataDirectory'>, query: string): string {
  const database = new DatabaseSync(join(dataDirectory, 'vitrine.db'), { readOnly: true });
  try {
    return String(database.prepare(query).get()?.['text'] ?? '');
  } finally {
    database.close();
  }
}
