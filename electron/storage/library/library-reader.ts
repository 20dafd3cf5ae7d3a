import type { LibrarySelection, LibraryTotal } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import type {
  FactsAnswer,
  HashesAnswer,
  LibraryAnswer,
  LibraryRequest,
  Reading,
  SelectionRequest,
  SuggestRequest,
  VaultAnswer,
  VaultRequest,
} from '../reading/reading-thread.ts';

export type { VaultAnswer, VaultRequest } from '../reading/reading-thread.ts';

/** Reads what the library has. Every question fails with `worker-ended`, `cancelled`, or as the database does. */
export class LibraryReader {
  readonly #thread: Reading;

  constructor(thread: Reading) {
    this.#thread = thread;
  }

  /** Samples in the vault that have every word of `find`, seen last first. */
  inVault(request: VaultRequest): Promise<VaultAnswer> {
    return this.#thread.request({ kind: 'vault', request }, (answer) =>
      answer.kind === 'vault' ? answer.answer : null,
    );
  }

  /**
   * One window of what a query finds. Windows that name one `moment` are of one list. One that waits for its turn fails
   * with `cancelled` when the same asker asks for a window of another list.
   */
  list(request: LibraryRequest): Promise<LibraryAnswer> {
    const { asker, terms, sort, moment } = request;
    const list = asker === undefined ? null : { asker, key: JSON.stringify([terms, sort, moment]) };
    return this.#thread.request(
      { kind: 'library-list', request },
      (answer) => (answer.kind === 'library-list' ? answer.answer : null),
      list,
    );
  }

  /** One total a query, in their order. Whatever else is asked meanwhile is answered in between. */
  totals(queries: QueryTerm[][]): Promise<LibraryTotal[]> {
    return Promise.all(
      queries.map((terms) =>
        this.#thread.request({ kind: 'library-total', terms }, (answer) =>
          answer.kind === 'library-total' ? answer.total : null,
        ),
      ),
    );
  }

  /** What a selection's samples are, oldest first: the next behind `next` of the page before. */
  facts(request: SelectionRequest): Promise<FactsAnswer> {
    return this.#thread.request({ kind: 'library-facts', request }, (answer) =>
      answer.kind === 'library-facts' ? answer.answer : null,
    );
  }

  /** What its rows are known by, in the same pages. */
  hashes(request: SelectionRequest): Promise<HashesAnswer> {
    return this.#thread.request({ kind: 'library-hashes', request }, (answer) =>
      answer.kind === 'library-hashes' ? answer.answer : null,
    );
  }

  /** Known ones that may be meant, at most twenty. */
  suggest(kind: SuggestRequest['kind'], beginning: string): Promise<string[]> {
    const request = { kind, beginning };
    return this.#thread.request({ kind: 'library-choices', request }, (answer) =>
      answer.kind === 'library-choices' ? answer.choices : null,
    );
  }

  /** Closes the thread. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

const samplesAPage = 1000;

/**
 * What the rows of a selection are known by, a page at a time. Of a query each row once, though what is done to the
 * rows between two pages may change what it finds.
 */
export async function* hashPages(
  selection: LibrarySelection,
  reader: Pick<LibraryReader, 'hashes'>,
): AsyncGenerator<readonly string[], void, void> {
  if (selection.kind === 'named') {
    yield [...new Set(selection.hashes)];
    return;
  }
  let after: number | null = 0;
  while (after !== null) {
    const { hashes, next }: { hashes: string[]; next: number | null } = await reader.hashes({
      selection,
      after,
      limit: samplesAPage,
    });
    yield hashes;
    after = next;
  }
}
