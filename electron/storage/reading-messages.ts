import type { CommentThread } from '../../shared/domain/comment.ts';
import type { ItemFilter, ItemSort, JobItem } from '../../shared/domain/job.ts';
import type { JournalFilter, JournalLine, JournalWorkspace } from '../../shared/domain/journal.ts';
import type { LibraryRow, LibrarySelection, LibrarySort, LibraryTotal } from '../../shared/domain/library.ts';
import type { QueryTerm } from '../../shared/domain/query-fields.ts';
import type { SampleFacts } from '../../shared/domain/sample.ts';
import type { ScanFilter, ScanGroup, ScannedFile, ScanSummary, VaultSample } from '../../shared/domain/scan.ts';
import type { Failure } from '../../shared/failure.ts';
import type { CoverageAnswer, CoverageRequest } from './coverage-reading.ts';
import type { CheckKeys, CheckPlace, CheckStep } from './journal-check.ts';
import type { StoredJournalRow } from './journal-rows.ts';

/** One window of a job's items. */
export interface ItemsRequest {
  id: number;
  filter: ItemFilter;
  sort: ItemSort;
  offset: number;
  limit: number;
}

export interface ItemsAnswer {
  items: JobItem[];
  /** How many match in all. */
  total: number;
}

/** The next items behind a position, by position. */
export interface PageRequest {
  id: number;
  filter: ItemFilter;
  after: number;
  limit: number;
}

/** One window of a job's results. */
export interface GroupsRequest {
  jobId: number;
  by: 'file' | 'rule' | 'family';
  filter: ScanFilter;
  offset: number;
  limit: number;
}

export interface GroupsAnswer {
  groups: ScanGroup[];
  /** How many match in all. */
  total: number;
}

/** The next files of a job behind a position that match, by position. */
export interface ScanPageRequest {
  jobId: number;
  filter: ScanFilter;
  after: number;
  limit: number;
}

/** `next`: the position behind which there may be more; null: there is none. */
export interface RowsAnswer {
  files: ScannedFile[];
  next: number | null;
}
export interface TargetsAnswer {
  sha256s: string[];
  next: number | null;
}

/** Samples that a rule hit, in the local engine or at the service, as last seen. */
export interface RuleHits {
  /** Its key. */
  key: string;
  samples: number;
  /** UTC, ISO 8601. */
  lastHit: string;
}

/** What is kept of the hits of one rule: see `ruleFacts` of the contract. */
export interface RuleHistory {
  samples: number;
  lastHit: string | null;
  weeks: number[];
  newest: { sha256: string; name: string | null; lastHit: string }[];
}

export interface VaultRequest {
  /** Words: every one of them is in a name, hash, tag, comment or threat. */
  find: string;
  offset: number;
  limit: number;
}

export interface VaultAnswer {
  samples: VaultSample[];
  /** How many match in all. */
  total: number;
}

/** One window of a list of the library. Windows of one `moment` are of one list. */
export interface LibraryRequest {
  /** Whoever looks at one list at a time. */
  asker?: string | undefined;
  terms: QueryTerm[];
  sort: LibrarySort;
  moment: string;
  offset: number;
  limit: number;
}

export interface LibraryAnswer {
  rows: LibraryRow[];
  /** How many match in all. */
  total: number;
}

/** The next samples of a selection behind a number of theirs; the first have `after` 0. */
export interface SelectionRequest {
  selection: LibrarySelection;
  after: number;
  limit: number;
}

/** `next`: the number behind which there are more; null: there are none. */
export interface FactsAnswer {
  samples: SampleFacts[];
  next: number | null;
}
export interface HashesAnswer {
  hashes: string[];
  next: number | null;
}

export interface SuggestRequest {
  kind: 'tag' | 'rule' | 'type' | 'threat';
  beginning: string;
}

export type LibraryQuestion =
  | { kind: 'library-list'; request: LibraryRequest }
  | { kind: 'library-total'; terms: QueryTerm[] }
  | { kind: 'library-facts'; request: SelectionRequest }
  | { kind: 'library-hashes'; request: SelectionRequest }
  | { kind: 'library-choices'; request: SuggestRequest };

export type LibraryReply =
  | { kind: 'library-list'; answer: LibraryAnswer }
  | { kind: 'library-total'; total: LibraryTotal }
  | { kind: 'library-facts'; answer: FactsAnswer }
  | { kind: 'library-hashes'; answer: HashesAnswer }
  | { kind: 'library-choices'; choices: string[] };

/** One window of the journal's rows, newest first. */
export interface JournalListRequest {
  /** Whoever looks at one list at a time. */
  asker?: string | undefined;
  filter: JournalFilter;
  /** Rows with greater numbers are left out. */
  upTo?: number | undefined;
  offset: number;
  limit: number;
}

export interface JournalListAnswer {
  lines: JournalLine[];
  /** How many match in all. */
  total: number;
  /** Number of the first of them; null: there is none. */
  newest: number | null;
  /** How many match that were left out. */
  newer: number;
}

/** The next rows behind a number that match, as stored; null: the first ones. */
export interface JournalPageRequest {
  filter: JournalFilter;
  after: number | null;
  limit: number;
}

export type JournalQuestion =
  | { kind: 'journal-list'; request: JournalListRequest }
  | { kind: 'journal-workspaces' }
  | { kind: 'journal-position'; number: number }
  | { kind: 'journal-rows'; request: JournalPageRequest }
  | { kind: 'journal-check'; keys: CheckKeys; from: CheckPlace; atMost: number };

export type JournalReply =
  | { kind: 'journal-list'; answer: JournalListAnswer }
  | { kind: 'journal-workspaces'; workspaces: JournalWorkspace[] }
  | { kind: 'journal-position'; offset: number }
  | { kind: 'journal-rows'; rows: StoredJournalRow[] }
  | { kind: 'journal-check'; step: CheckStep };

/** `now`: UTC, ISO 8601, what mutes are held against. */
export type DeskQuestion =
  | { kind: 'items'; request: ItemsRequest }
  | { kind: 'page'; request: PageRequest }
  | { kind: 'summary'; jobId: number; now: string }
  | { kind: 'groups'; request: GroupsRequest; now: string }
  | { kind: 'file'; jobId: number; position: number; now: string }
  | { kind: 'files'; jobId: number; positions: readonly number[]; now: string }
  | { kind: 'rows'; request: ScanPageRequest; now: string }
  | { kind: 'targets'; request: ScanPageRequest; now: string }
  | { kind: 'vault'; request: VaultRequest }
  | { kind: 'rule-hits'; workspaceId: string }
  | { kind: 'rule-history'; workspaceId: string; key: string; now: string }
  | { kind: 'coverage'; request: CoverageRequest }
  | { kind: 'thread'; workspaceId: string; md5: string };
export type Question = DeskQuestion | LibraryQuestion | JournalQuestion;

export type DeskAnswer =
  | { kind: 'items'; answer: ItemsAnswer }
  | { kind: 'summary'; summary: ScanSummary }
  | { kind: 'groups'; answer: GroupsAnswer }
  | { kind: 'file'; file: ScannedFile }
  | { kind: 'files'; files: ScannedFile[] }
  | { kind: 'rows'; answer: RowsAnswer }
  | { kind: 'targets'; answer: TargetsAnswer }
  | { kind: 'vault'; answer: VaultAnswer }
  | { kind: 'rule-hits'; rules: RuleHits[] }
  | { kind: 'rule-history'; history: RuleHistory }
  | { kind: 'coverage'; answer: CoverageAnswer }
  | { kind: 'thread'; thread: CommentThread };
export type Answer = DeskAnswer | LibraryReply | JournalReply;

/** What the host's thread and the reading thread say to each other; `number` tells the questions apart. */
export interface ToReader {
  number: number;
  question: Question;
}
export interface FromReader {
  number: number;
  answer:
    | Answer
    | { kind: 'failed'; failure: Failure }
    /** An error that means nothing to a person. */
    | { kind: 'defect'; text: string };
}
