import type { CaseSummary } from './case-summary.ts';
import { shownLine } from './case-words.ts';

/** Whole events are found by few tags. */
const mostFamilies = 50;

/** The families of a case as tags, the most frequent first. */
export const familyTagsOf = ({ taggedFamilies }: CaseSummary): string[] =>
  [...taggedFamilies]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, mostFamilies)
    .map(([family]) => `family:${shownLine(family)}`);
