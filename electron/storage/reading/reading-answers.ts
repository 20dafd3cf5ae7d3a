import type { DatabaseSync } from 'node:sqlite';
import { assertNever } from '../../../shared/assert-never.ts';
import type { ScannedFile } from '../../../shared/domain/scan.ts';
import { fail } from '../../../shared/failure.ts';
import { StoredThread } from '../comments/comment-thread.ts';
import { queriesOver } from '../database/statement.ts';
import { readItems, readPage } from '../jobs/job-reader.ts';
import { JournalAnswers } from '../journal/journal-answers.ts';
import { LibraryAnswers, readVault } from '../library/library-answers.ts';
import { readCoverage } from '../scans/coverage-reading.ts';
import { KnownHits, readRuleHistory, readRuleHits } from '../scans/known-hits.ts';
import { readGroups, readSummary } from '../scans/scan-groups.ts';
import { readRows, readTargets, ScannedFiles } from '../scans/scanned-files.ts';
import { reading, readingJob } from './reading-connection.ts';
import type { Answer, StoreAnswer, StoreQuestion, Question } from './reading-thread.ts';

/** Fails with `job-missing`, `scan-file-missing`, or as the database does. */
export function answerOf(path: string, question: StoreQuestion): StoreAnswer {
  switch (question.kind) {
    case 'items':
      return { kind: 'items', answer: readItems(path, question.request) };
    case 'page':
      return { kind: 'items', answer: { items: readPage(path, question.request), total: 0 } };
    case 'vault':
      return { kind: 'vault', answer: reading(path, (sql) => readVault(sql, question.request)) };
    case 'rule-hits':
      return {
        kind: 'rule-hits',
        rules: reading(path, (sql) => readRuleHits(queriesOver(sql, path), question.workspaceId)),
      };
    case 'rule-history':
      return {
        kind: 'rule-history',
        history: reading(path, (sql) => readRuleHistory(queriesOver(sql, path), question)),
      };
    case 'coverage':
      return { kind: 'coverage', answer: reading(path, (sql) => readCoverage(sql, question.request)) };
    case 'thread':
      return {
        kind: 'thread',
        thread: reading(path, (sql) => threadIn(sql, path).read(question.workspaceId, question.md5)),
      };
    default:
      return readingJob(path, 'jobId' in question ? question.jobId : question.request.jobId, (sql) =>
        scanAnswerOf(sql, path, question),
      );
  }
}

function scanAnswerOf(
  sql: DatabaseSync,
  path: string,
  question: Exclude<
    StoreQuestion,
    { kind: 'items' | 'page' | 'vault' | 'rule-hits' | 'coverage' | 'rule-history' | 'thread' }
  >,
): StoreAnswer {
  const { now } = question;
  switch (question.kind) {
    case 'summary':
      return { kind: 'summary', summary: readSummary(sql, question.jobId, now) };
    case 'groups':
      return {
        kind: 'groups',
        answer: readGroups(sql, { request: question.request, now, knownHits: new KnownHits(queriesOver(sql, path)) }),
      };
    case 'rows':
      return { kind: 'rows', answer: readRows(sql, path, question) };
    case 'targets':
      return { kind: 'targets', answer: readTargets(sql, question) };
    case 'file':
      return { kind: 'file', file: fileOf(sql, path, question) };
    case 'files':
      return { kind: 'files', files: filesOf(sql, path, question) };
    default:
      return assertNever(question);
  }
}

const threadIn = (sql: DatabaseSync, path: string): StoredThread => new StoredThread(queriesOver(sql, path));

function fileOf(
  sql: DatabaseSync,
  path: string,
  { jobId, position, now }: StoreQuestion & { kind: 'file' },
): ScannedFile {
  const file = new ScannedFiles(sql, {
    path,
    jobId,
    now,
    withReplies: true,
    knownHits: new KnownHits(queriesOver(sql, path)),
  }).read(position);
  return file ?? fail({ kind: 'scan-file-missing', job: jobId, position });
}

/** Matches of strings in one answer: some megabytes. */
const mostMatches = 20_000;

function filesOf(
  sql: DatabaseSync,
  path: string,
  { jobId, positions, now }: StoreQuestion & { kind: 'files' },
): ScannedFile[] {
  const reader = new ScannedFiles(sql, {
    path,
    jobId,
    now,
    withReplies: false,
    knownHits: new KnownHits(queriesOver(sql, path)),
  });
  const files: ScannedFile[] = [];
  let matches = 0;
  for (const position of positions) {
    const file = reader.read(position) ?? fail({ kind: 'scan-file-missing', job: jobId, position });
    matches += matchesIn(file);
    if (files.length > 0 && matches > mostMatches) break;
    files.push(file);
  }
  return files;
}

const matchesIn = ({ results }: ScannedFile): number =>
  results.reduce(
    (sum, { hits }) =>
      sum +
      hits.reduce((all, { strings }) => all + 1 + strings.reduce((own, { matches }) => own + matches.length, 0), 0),
    0,
  );

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
