import { assertNever } from '../../shared/assert-never.ts';
import { readFacts, readHashes } from './library-facts.ts';
import { KeptLists } from './library-kept-lists.ts';
import { readList } from './library-listing.ts';
import { suggestions } from './library-suggest.ts';
import { readTotal } from './library-totals.ts';
import { reading } from './reading-connection.ts';
import type { LibraryQuestion, LibraryReply } from './reading-messages.ts';

/** Answers what is asked of the library, and keeps the lists that are being looked through. */
export class LibraryAnswers {
  readonly #path: string;
  readonly #lists = new KeptLists();

  /** `path`: the database file. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Fails as the database does. */
  answer(question: LibraryQuestion): LibraryReply {
    return reading(this.#path, (sql) => {
      switch (question.kind) {
        case 'library-list':
          return { kind: 'library-list', answer: readList(sql, this.#lists, question.request) };
        case 'library-total':
          return { kind: 'library-total', total: readTotal(sql, question.terms) };
        case 'library-facts':
          return { kind: 'library-facts', answer: readFacts(sql, this.#lists, question.request) };
        case 'library-hashes':
          return { kind: 'library-hashes', answer: readHashes(sql, this.#lists, question.request) };
        case 'library-choices':
          return { kind: 'library-choices', choices: suggestions(sql, question.request) };
        default:
          return assertNever(question);
      }
    });
  }
}
