import type { Json } from '../../../shared/domain/sample.ts';
import { isObject } from './json-values.ts';

/** Some comments of a list, in the order of the service. */
export interface CommentWindow {
  entries: Json[];
  /** How many that are older are left out. */
  older: number;
  /** The place of the first of them in the service's list. */
  at: number;
  /** The order of the list. */
  isNewestFirst: boolean;
}

/**
 * How much of a list crosses to the host's thread at once, in comments and in characters of their JSON: it is copied,
 * written and answered there, and none of this may take long.
 */
export const windowBounds = { comments: 10_000, characters: 3 * 1024 * 1024 } as const;

/**
 * The newest ones before so many of the oldest; the newest of all where it is left out. At least one, if there are any.
 */
export function commentWindow(listed: readonly Json[], before = listed.length): CommentWindow {
  const isReversed = beginsWithNewest(listed);
  const end = Math.min(before, listed.length);
  const ageOf = (age: number): Json => listed[isReversed ? listed.length - 1 - age : age] ?? null;
  let from = end;
  for (let left: number = windowBounds.characters; from > 0 && end - from < windowBounds.comments; from -= 1) {
    left -= JSON.stringify(ageOf(from - 1)).length;
    if (left < 0 && from < end) break;
  }
  const at = isReversed ? listed.length - end : from;
  return { entries: listed.slice(at, at + end - from), older: from, at, isNewestFirst: isReversed };
}

/** Most services list the oldest first. The two ends show it: by their times, else by their numbers. */
function beginsWithNewest(listed: readonly Json[]): boolean {
  const [first, last] = [listed[0] ?? null, listed.at(-1) ?? null];
  if (!isObject(first) || !isObject(last)) return false;
  const [one, other] = [timeOf(first['created'] ?? null), timeOf(last['created'] ?? null)];
  return Number.isFinite(one - other) && one !== other
    ? one > other
    : Number(first['id'] ?? Number.NaN) > Number(last['id'] ?? Number.NaN);
}

const timeOf = (created: Json): number => (typeof created === 'string' ? Date.parse(created) : Number.NaN);
