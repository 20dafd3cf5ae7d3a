import type { DatabaseSync } from 'node:sqlite';
import type { ScannedFile } from '../../../shared/domain/scan.ts';
import { fail } from '../../../shared/failure.ts';
import { StoredThread } from '../comments/comment-thread.ts';
import { queriesOver } from '../database/statement.ts';
import { readItems, readPage } from '../jobs/job-reader.ts';
import { journalReadings } from '../journal/journal-answers.ts';
import { libraryReadings, readVault } from '../library/library-answers.ts';
import { triageReadings } from '../library/triage-list.ts';
import { readCoverage } from '../scans/coverage-reading.ts';
import { KnownHits, readRuleHistory, readRuleHits } from '../scans/known-hits.ts';
import { readGroups, readSummary } from '../scans/scan-groups.ts';
import { readRows, readTargets, ScannedFiles } from '../scans/scanned-files.ts';
import { reading, readingJob } from './reading-connection.ts';
import type { Answering } from './reading-thread.ts';

/** Answers every question from the database file at `path`. Fails with `job-missing`, or as the database does. */
export function readingsOf(path: string): Answering {
  const knownHits = (sql: DatabaseSync): KnownHits => new KnownHits(queriesOver(sql, path));
  const ofJob =
    <Request extends { jobId: number }, Answer>(read: (sql: DatabaseSync, request: Request) => Answer) =>
    (request: Request): Answer =>
      readingJob(path, request.jobId, (sql) => read(sql, request));
  return {
    ...libraryReadings(path),
    ...journalReadings(path),
    ...triageReadings(path),
    items: (request) => readItems(path, request),
    itemsPage: (request) => readPage(path, request),
    vault: (request) => reading(path, (sql) => readVault(sql, request)),
    ruleHits: ({ workspaceId }) => reading(path, (sql) => readRuleHits(queriesOver(sql, path), workspaceId)),
    ruleHistory: (request) => reading(path, (sql) => readRuleHistory(queriesOver(sql, path), request)),
    coverage: (request) => reading(path, (sql) => readCoverage(sql, request)),
    thread: ({ workspaceId, md5 }) =>
      reading(path, (sql) => new StoredThread(queriesOver(sql, path)).read(workspaceId, md5)),
    summary: ofJob((sql, { jobId, now }) => readSummary(sql, jobId, now)),
    groups: ofJob((sql, { now, ...request }) => readGroups(sql, { request, now, knownHits: knownHits(sql) })),
    rows: ofJob((sql, { now, ...request }) => readRows(sql, path, { request, now })),
    targets: ofJob((sql, { now, ...request }) => readTargets(sql, { request, now })),
    file: ofJob((sql, { jobId, position, now }) => {
      const reader = new ScannedFiles(sql, { path, jobId, now, withReplies: true, knownHits: knownHits(sql) });
      return reader.read(position) ?? fail({ kind: 'scan-file-missing', job: jobId, position });
    }),
    files: ofJob((sql, { jobId, positions, now }) => {
      const reader = new ScannedFiles(sql, { path, jobId, now, withReplies: false, knownHits: knownHits(sql) });
      return filesOf(reader, jobId, positions);
    }),
  };
}

/** Matches of strings in one answer: some megabytes. */
const mostMatches = 20_000;

/** As many of the first files as fit into an answer, at least one. Fails with `scan-file-missing`. */
function filesOf(reader: ScannedFiles, jobId: number, positions: readonly number[]): ScannedFile[] {
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
