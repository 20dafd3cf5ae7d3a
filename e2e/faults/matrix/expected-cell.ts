import type { FaultName } from './faults.ts';

/** What must be seen of one action with one fault. */
export interface ExpectedCell {
  /** How it ends, in the words of the contract; of a job the states of its items, with its own where it is not done. */
  ends: string;
  /** The kind of the failure, with its reason or phase. */
  failure: string | null;
  /** Requests that reached the service while the fault lasted. */
  requests: string;
  /** What there is of it afterwards, here and at the service. */
  kept: string;
}

/** One for each fault: a fault without one does not compile. */
export type ExpectedCells = Record<FaultName, ExpectedCell>;

export const cell = (ends: string, failure: string | null, requests: string, kept = 'nothing'): ExpectedCell => ({
  ends,
  failure,
  requests,
  kept,
});
