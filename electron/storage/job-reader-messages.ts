import type { ItemFilter, ItemSort, JobItem } from '../../shared/domain/job.ts';
import type { Failure } from '../../shared/failure.ts';

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

export type Question = { kind: 'items'; request: ItemsRequest } | { kind: 'page'; request: PageRequest };

/** What the host's thread and the reading thread say to each other; `number` tells the questions apart. */
export type ToReader = { number: number } & Question;
export type FromReader = { number: number } & (
  | { kind: 'items'; items: JobItem[]; total: number }
  | { kind: 'failed'; failure: Failure }
  /** An error that means nothing to a person. */
  | { kind: 'defect'; text: string }
);
