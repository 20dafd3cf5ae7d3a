import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Desk } from './fixtures.ts';

/** What lies in the staging folder. */
export const stagedFiles = (desk: Pick<Desk, 'dataDirectory'>): Promise<string[]> =>
  readdir(join(desk.dataDirectory, 'staging'));

/** The comment of the one upload draft that has one, as it would be found after a crash. */
export const savedComment = (desk: Pick<Desk, 'dataDirectory'>): string =>
  savedText(desk, `SELECT comment AS text FROM upload_draft WHERE comment <> ''`);

/** The text of the one comment that is being written. */
export const savedCommentDraft = (desk: Pick<Desk, 'dataDirectory'>): string =>
  savedText(desk, `SELECT text FROM comment_draft WHERE text <> ''`);

function savedText({ dataDirectory }: Pick<Desk, 'dataDirectory'>, query: string): string {
  const database = new DatabaseSync(join(dataDirectory, 'vitrine.db'), { readOnly: true });
  try {
    return String(database.prepare(query).get()?.['text'] ?? '');
  } finally {
    database.close();
  }
}
