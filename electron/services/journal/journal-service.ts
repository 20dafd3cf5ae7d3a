import type { OperationOutput, OperationRequest } from '../../../shared/contract.ts';
import { csvFileHead, csvLine } from '../../../shared/domain/csv.ts';
import type { ExportResult } from '../../../shared/domain/export.ts';
import type { JournalVerification, JournalWorkspace } from '../../../shared/domain/journal.ts';
import { fail } from '../../../shared/failure.ts';
import { withOutcome } from '../../archive/byte-source.ts';
import type { NotedFiles } from '../../archive/export/export-file.ts';
import type { JournalReader } from '../../storage/journal/journal-reader.ts';
import type { StoredJournalRow } from '../../storage/journal/journal-rows.ts';
import type { Journal } from '../../storage/journal/journal.ts';

type JournalFormat = 'csv' | 'jsonl';

/**
 * JSON lines are exact: a link can be made again of what they say. CSV is for spreadsheets, and guards its cells
 * (docs/journal.md).
 */
async function* journalBytes(
  format: JournalFormat,
  pages: AsyncIterable<readonly StoredJournalRow[]>,
  leaving: (rows: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  if (format === 'csv') yield Buffer.from(csvHead);
  for await (const rows of pages) {
    // The consumer of these may request no more: then nothing after the yield runs.
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

interface JournalServiceOptions {
  journal: Pick<Journal, 'append' | 'keys'>;
  reader: JournalReader;
  /** Writes what goes into a folder. */
  files: Pick<NotedFiles, 'write'>;
  /** Offers a file to the browser, once. */
  offer(prepared: { fileName: string; sizeBytes: number | null; open(): AsyncIterable<Uint8Array> }): ExportResult;
}

type ExportRequest = Omit<OperationRequest<'journal.export'>, 'folder'>;

/** What was done on this computer: read, checked, and written into a file, which is a row of its own. */
export class JournalService {
  readonly #options: JournalServiceOptions;

  constructor(options: JournalServiceOptions) {
    this.#options = options;
  }

  /** @throws FailureError `cancelled` when the same asker asked with another filter meanwhile */
  list(request: OperationRequest<'journal.list'>): Promise<OperationOutput<'journal.list'>> {
    return this.#options.reader.list(request);
  }

  workspaces(): Promise<JournalWorkspace[]> {
    return this.#options.reader.workspaces();
  }

  position(number: number): Promise<number> {
    return this.#options.reader.position(number);
  }

  verify(): Promise<JournalVerification> {
    const { reader, journal } = this.#options;
    return reader.verify(() => journal.keys);
  }

  /** @throws FailureError `no-export-folder`, and what the disk throws */
  async export(request: ExportRequest, folder: string | null): Promise<ExportResult> {
    const fileName = `journal.${request.format}`;
    const bytes = this.#journalled(request);
    if (request.to !== 'folder') return this.#options.offer({ fileName, sizeBytes: null, open: () => bytes });
    return {
      kind: 'folder',
      ...(await this.#options.files.write(folder ?? fail({ kind: 'no-export-folder' }), fileName, bytes)),
    };
  }

  #journalled({ filter, format, to }: ExportRequest): AsyncIterable<Uint8Array> {
    const { reader, journal } = this.#options;
    let rows = 0;
    const bytes = journalBytes(format, reader.stored(filter), (count) => void (rows += count));
    return withOutcome(
      bytes,
      (outcome) =>
        void journal.append({
          workspaceId: null,
          operation: 'export',
          hash: null,
          outcome,
          detail: { of: 'journal', to, form: format, rows },
        }),
    );
  }
}
