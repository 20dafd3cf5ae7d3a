import { JournalAnswers } from './journal-answers.ts';
import { LibraryAnswers } from './library-answers.ts';
import { answerOf } from './reading-answers.ts';
import type { Answer, Question } from './reading-messages.ts';

/** Answers whatever may be asked of the database beside the host's thread. */
export class ReaderAnswers {
  readonly #path: string;
  readonly #library: LibraryAnswers;
  readonly #journal: JournalAnswers;

  /** `path`: the database file. */
  constructor(path: string) {
    this.#path = path;
    this.#library = new LibraryAnswers(path);
    this.#journal = new JournalAnswers(path);
  }

  /** Fails as the reading does. */
  answer(question: Question): Answer {
    switch (question.kind) {
      case 'library-list':
      case 'library-total':
      case 'library-facts':
      case 'library-hashes':
      case 'library-choices':
        return this.#library.answer(question);
      case 'journal-list':
      case 'journal-workspaces':
      case 'journal-position':
      case 'journal-rows':
      case 'journal-check':
        return this.#journal.answer(question);
      default:
        return answerOf(this.#path, question);
    }
  }
}
