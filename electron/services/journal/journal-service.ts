import type { OperationOutput, OperationRequest } from '../../../shared/contract.ts';
import type { ExportResult } from '../../../shared/domain/export.ts';
import type { JournalVerification, JournalWorkspace } from '../../../shared/domain/journal.ts';
import { fail } from '../../../shared/failure.ts';
import type { NotedFiles } from '../../archive/export/noted-files.ts';
import { toldAfter } from '../../archive/export/told-after.ts';
import type { JournalReader } from '../../storage/journal/journal-reader.ts';
import type { Journal } from '../../storage/journal/journal.ts';
import { journalBytes } from './journal-file.ts';

export interface JournalServiceOptions {
  journal: Pick<Journal, 'append' | 'keys'>;
  reader: JournalReader;
  /** Writes what goes into a folder. */
  files: Pick<NotedFiles, 'write'>;
  /** Offers a file to the browser, once. */
  offer(prepared: { fileName: string; sizeBytes: number | null; open(): AsyncIterable<Uint8Array> }): ExportResult;
}

type ExportRequest = Omit<OperationRequest<'journal.export'>, 'folder'>;

/** What this desk did: read, checked, and written into a file, which is a row of its own. */
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
    return toldAfter(
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
