import { csvFileHead, csvLine } from '../../../shared/domain/csv.ts';
import type { StoredJournalRow } from '../../storage/journal/journal-rows.ts';

export type JournalFormat = 'csv' | 'jsonl';

/**
 * JSON lines are exact: a link can be made again of what they say. CSV is for spreadsheets, and guards its cells
 * (docs/journal.md).
 */
export async function* journalBytes(
  format: JournalFormat,
  pages: AsyncIterable<readonly StoredJournalRow[]>,
  leaving: (rows: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  if (format === 'csv') yield Buffer.from(csvHead);
  for await (const rows of pages) {
    // Whoever takes these may ask for no more: then nothing behind the yield runs.
    leaving(rows.length);
    yield Buffer.from(rows.map(lines[format]).join(''));
  }
}

const csvHead = csvFileHead([
  'number',
  'time',
  'workspace_id',
  'operation',
  'hash',
  'outcome',
  'detail',
  'link',
  'sealed_by',
  'seal',
]);

const lines: Readonly<Record<JournalFormat, (row: StoredJournalRow) => string>> = {
  csv: ({ number, time, workspaceId, operation, hash, outcome, detail, link, sealedBy, seal }) =>
    csvLine([number, time, workspaceId, operation, hash, outcome, detail, hexOf(link), sealedBy, seal && hexOf(seal)]),
  jsonl: (row) => `${JSON.stringify({ ...row, link: hexOf(row.link), seal: row.seal && hexOf(row.seal) })}\n`,
};

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
