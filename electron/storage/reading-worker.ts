import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { FailureError } from '../../shared/failure.ts';
import { JournalAnswers } from './journal-answers.ts';
import { LibraryAnswers } from './library-answers.ts';
import { answerOf } from './reading-answers.ts';
import type { Answer, FromReader, Question, ToReader } from './reading-messages.ts';

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
const { path } = z.object({ path: z.string() }).parse(workerData);
const library = new LibraryAnswers(path);
const journal = new JournalAnswers(path);

function answer(question: Question): Answer {
  switch (question.kind) {
    case 'library-list':
    case 'library-total':
    case 'library-facts':
    case 'library-hashes':
    case 'library-choices':
      return library.answer(question);
    case 'journal-list':
    case 'journal-workspaces':
    case 'journal-position':
    case 'journal-rows':
    case 'journal-check':
      return journal.answer(question);
    default:
      return answerOf(path, question);
  }
}

function reply({ number, question }: ToReader): FromReader {
  try {
    return { number, answer: answer(question) };
  } catch (error) {
    if (error instanceof FailureError) return { number, answer: { kind: 'failed', failure: error.failure } };
    return { number, answer: { kind: 'defect', text: error instanceof Error ? (error.stack ?? error.message) : String(error) } };
  }
}

port.on('message', (message: ToReader) => port.postMessage(reply(message)));
