import type { LibrarySelection, LibraryTotal } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import type {
  FactsAnswer,
  HashesAnswer,
  LibraryAnswer,
  LibraryRequest,
  ReadingPort,
  SelectionRequest,
  SuggestRequest,
  VaultAnswer,
  VaultRequest,
} from '../reading/reading-thread.ts';

export type { VaultAnswer, VaultRequest } from '../reading/reading-thread.ts';

/** Reads what the library has. Every question fails with `worker-ended`, `cancelled`, or as the database does. */
export class LibraryReader {
  readonly #thread: ReadingPort;

  constructor(thread: ReadingPort) {
    this.#thread = thread;
  }

  /** Samples in the vault that have every word of `find`, seen last first. */
  inVault(request: VaultRequest): Promise<VaultAnswer> {
    return this.#thread.request('vault', request);
  }

  /**
   * One window of what a query finds. Windows that name one `moment` are of one list. One that waits for its turn fails
   * with `cancelled` when the same asker asks for a window of another list.
   */
  list(request: LibraryRequest): Promise<LibraryAnswer> {
    const { asker, terms, sort, moment } = request;
    const list = asker === undefined ? null : { asker, key: JSON.stringify([terms, sort, moment]) };
    return this.#thread.request('libraryList', request, list);
  }

  /** One total a query, in their order. Whatever else is asked meanwhile is answered in between. */
  totals(queries: QueryTerm[][]): Promise<LibraryTotal[]> {
    return Promise.all(queries.map((terms) => this.#thread.request('libraryTotal', { terms })));
  }

  /** What a selection's samples are, oldest first: the next behind `next` of the page before. */
  facts(request: SelectionRequest): Promise<FactsAnswer> {
    return this.#thread.request('libraryFacts', request);
  }

  /** What its rows are known by, in the same pages. */
  hashes(request: SelectionRequest): Promise<HashesAnswer> {
    return this.#thread.request('libraryHashes', request);
  }

  /** Known ones that may be meant, at most twenty. */
  suggest(kind: SuggestRequest['kind'], beginning: string): Promise<string[]> {
    const request = { kind, beginning };
    return this.#thread.request('libraryChoices', request);
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
