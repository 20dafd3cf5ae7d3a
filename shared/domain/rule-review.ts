import { z } from 'zod';
import { changedPart, differenceCounts, differenceRow } from './publication.ts';

const count = z.number().int().nonnegative();

/** The most severe first: a changed rule counts once, under the first of these that differs. */
export const partsByGravity = [
  'condition',
  'strings',
  'modifiers',
  'tags',
  'meta',
  'layout',
] as const satisfies readonly z.infer<typeof changedPart>[];

export const reviewKinds = ['all', 'changed', 'added', 'removed', 'moved', 'broken'] as const;
const longestKey = 5000;

/** Which rows of a difference are listed, and how. */
export const reviewQuery = z.object({
  of: z.enum(reviewKinds),
  /** Changed rules of these parts, by the most severe part that differs. */
  parts: z.array(changedPart).max(partsByGravity.length),
  /** Words that all have to be in the name, the file, a tag or the author. */
  find: z.string().max(200, 'at most 200 characters'),
  /** `file` groups the rules; the other two are one list. `size`: the most changed lines first. */
  sort: z.enum(['file', 'name', 'size']),
  /** Keys of groups that are not as they are at first: files are open at first, causes are closed. */
  toggled: z.array(z.string().max(longestKey)).max(1000),
});
export type ReviewQuery = z.infer<typeof reviewQuery>;
export const firstReview: ReviewQuery = {
  of: 'all',
  parts: partsByGravity.filter((part) => part !== 'layout'),
  find: '',
  sort: 'file',
  toggled: [],
};

/** Why rules are broken, so that one row can represent all of them. */
const brokenCause = z.object({
  /**
   * `module`: the engine has no such module. `rule`: it uses a rule that is broken itself; `uses`: it uses one that is
   * not there. `strict`: a regular expression that YARA takes, and relaxed mode too. `engine`: what else the engine
   * refuses. The others are those of a broken rule.
   */
  kind: z.enum(['module', 'rule', 'strict', 'engine', 'duplicate', 'include', 'text', 'limit', 'file', 'uses']),
  /** The module or the rule; else the words that are the same for all of them. */
  subject: z.string(),
  /** YARA 4 compiles it. */
  isTakenByYara: z.boolean(),
});
export type BrokenCause = z.infer<typeof brokenCause>;

/** One line of the list: a rule, or the head of a group. Rules of a closed group are not listed. */
const reviewItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('row'), row: differenceRow, part: changedPart.nullable() }),
  z.object({ kind: z.literal('broken'), count, causes: count }),
  z.object({
    kind: z.literal('cause'),
    key: z.string(),
    cause: brokenCause,
    count,
    isOpen: z.boolean(),
    /** Files they are in, and the first of them. */
    files: count,
    file: z.string(),
  }),
  z.object({ kind: z.literal('file'), key: z.string(), file: z.string(), count, isOpen: z.boolean() }),
]);
export type ReviewItem = z.infer<typeof reviewItem>;

/** How many rows of each kind the search finds, listed or not. `parts`: the changed ones. */
export const reviewFacets = z.object({
  all: count,
  changed: count,
  added: count,
  removed: count,
  moved: count,
  broken: count,
  parts: z.object({ condition: count, strings: count, modifiers: count, tags: count, meta: count, layout: count }),
});
export type ReviewFacets = z.infer<typeof reviewFacets>;

/** A window of the list. */
export const reviewWindow = z.object({
  /** Of the whole difference, whatever is asked. */
  counts: differenceCounts,
  facets: reviewFacets,
  rows: z.array(reviewItem),
  /** Items of the whole list. */
  total: count,
  /** Rules that are listed, also those of closed groups. */
  listed: count,
  /** Where the first item is that is a rule which is not broken; null: there is none. */
  firstRule: count.nullable(),
  muted: z.array(z.string()),
});
export type ReviewWindow = z.infer<typeof reviewWindow>;

/** How a difference leaves. */
export const differenceFormat = z.enum(['patch', 'json']);
export type DifferenceFormat = z.infer<typeof differenceFormat>;

/** The engine's message about one broken rule, requested again. It quotes the rule, and is never stored. */
export const ruleExplanation = z.object({
  /** In the engine's own words and lines, at most 4,000 characters; null: it compiles now. */
  text: z.string().nullable(),
  isCut: z.boolean(),
  /** Of the fault, as the file counts; null when the engine does not say. */
  line: count.nullable(),
  /** With relaxed regular expressions the rule compiles. */
  isRelaxable: z.boolean(),
});
export type RuleExplanation = z.infer<typeof ruleExplanation>;
