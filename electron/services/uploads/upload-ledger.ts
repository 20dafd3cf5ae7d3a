import type { ItemOutcome, JobWork } from '../../jobs/job-runner.ts';
import type { LibraryStore, UploadNote } from '../../storage/library/library-store.ts';
import type { StoredUploadFile, UploadStore } from '../../storage/uploads/upload-store.ts';
import type { Staging } from '../../vault/staging.ts';
import { keepLabels } from './kept-labels.ts';
import { flagsOf } from './sent-tags.ts';
import type { Sending, Verdict } from './verdicts.ts';

export interface UploadLedgerOptions {
  library: LibraryStore;
  store: UploadStore;
  staging: Staging;
  work: JobWork;
  workspaceId: string;
  /** The draft of the workspace is another now. */
  draftChanged(): void;
}

export interface Settled {
  sending: Sending;
  verdict: Verdict;
}

/** Where the outcomes of a run become durable: item, library and journal in one transaction. */
export class UploadLedger {
  readonly #options: UploadLedgerOptions;
  readonly #withComment: boolean;
  /** Positions of files of which something may have left in this run. */
  readonly #begun = new Set<number>();
  #discarding: Promise<void> = Promise.resolve();
  #undiscarded: { error: unknown } | null = null;

  constructor(options: UploadLedgerOptions) {
    this.#options = options;
    this.#withComment = options.store.commentOf(options.work.id) !== '';
  }

  /**
   * Before a byte of them leaves: whatever ends the program, the journal says that they may have left, with what was
   * asked and to whom.
   */
  tellSending(request: readonly Sending[], receiver: string): void {
    for (const { position } of request) this.#begun.add(position);
    const { store, library } = this.#options;
    store.together(() => {
      store.keepNames(request.map(({ file }) => file.id));
      library.recordUploads(request.map((sending) => this.#noteOf(sending, 'sending', { receiver })));
    });
  }

  /**
   * What was copied of files that are at the repository is not needed any more; the others are kept to be tried again.
   */
  settle(settled: readonly Settled[]): void {
    const { store, library, work, draftChanged } = this.#options;
    if (settled.length === 0) return;
    const { staged, copies } = store.together(() => {
      store.keepNames(settled.filter(({ verdict }) => isThere(verdict)).map(({ sending }) => sending.file.id));
      library.recordUploads(
        settled.map(({ sending, verdict: { state, failure } }) => this.#noteOf(sending, failure?.kind ?? state)),
      );
      for (const { sending, verdict } of settled)
        if (verdict.state === 'already-here') keepLabels(library, sending.file);
      work.settle(settled.map(outcomeOf));
      store.clearMaySent(settled.map(({ sending }) => sending.file.id));
      return store.settled(settled.filter(({ verdict }) => isThere(verdict)).map(({ sending }) => sending.file.id));
    });
    if (copies > 0) draftChanged();
    this.#discarding = this.#discarding.then(() => this.#discard(staged));
  }

  /**
   * Resolves when what is not needed any more is gone; rejects with the first reason why something could not be
   * removed.
   */
  async close(): Promise<void> {
    await this.#discarding;
    if (this.#undiscarded) throw this.#undiscarded.error;
  }

  async #discard(staged: readonly string[]): Promise<void> {
    for (const id of staged) {
      await this.#options.staging.discard(id).catch((error: unknown) => {
        this.#undiscarded ??= { error };
      });
    }
  }

  #noteOf({ file, md5, sizeBytes, position }: Sending, outcome: string, more: { receiver?: string } = {}): UploadNote {
    const { workspaceId, work } = this.#options;
    const { sha1, sha256, tlp } = file;
    const asked =
      file.maySent || this.#begun.has(position) ? { ...flagsOf(file), ...this.#alongWith(file) } : nothingAsked;
    return {
      workspaceId,
      md5,
      sizeBytes,
      outcome,
      hashes: sha1 !== null && sha256 !== null ? { md5, sha1, sha256 } : null,
      detail: { job: work.id, sizeBytes, ...asked, tlp, ...(sha256 !== null && { sha256 }), ...more },
    };
  }

  /** That words went along, and how many of them were tags. Which ones is nothing for the journal: its rows stay. */
  #alongWith({ tags }: StoredUploadFile): { withComment: boolean; tags: number | null } {
    return { withComment: this.#withComment, tags: tags.length === 0 ? null : tags.length };
  }
}

/** Of a file that was not sent. */
const nothingAsked = { virusTotal: false, sandbox: false, withComment: false, tags: null } as const;

const isThere = ({ state }: Verdict): boolean => state === 'done' || state === 'already-here';

const outcomeOf = ({ sending: { position, sizeBytes }, verdict: { state, failure } }: Settled): ItemOutcome => ({
  position,
  state,
  sizeBytes,
  failure,
});
