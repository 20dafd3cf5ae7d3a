import { readFailure } from '../../../shared/failure-kinds.ts';
import type { Failure } from '../../../shared/failure.ts';

/** What a column of JSON text holds; undefined, which no JSON is, when it cannot be read. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The failure that a column has as JSON text; null also for one that cannot be read: its row is shown all the same. */
export const failureOf = (text: string | null): Failure | null => (text === null ? null : readFailure(readJson(text)));
