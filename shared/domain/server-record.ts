import { z } from 'zod';
import { plainText } from './comment.ts';
import { md5, sha256 } from './hash.ts';
import { sampleRecord, type SampleRecord, singleCommentId } from './sample.ts';
import { longestQuery } from './query-fields.ts';
import { seenLine } from './schema-parts.ts';

/** What `updatefile` can replace in a record (docs/services.md, "updatefile"). */
export const recordPart = z.enum(['comment', 'tags', 'threat']);
export type RecordPart = z.infer<typeof recordPart>;

/** The replaceable parts of a record. The comment is its single text, not a thread; `""` is none. */
export const replaceableParts = z.object({ comment: z.string(), tags: z.array(z.string()), threat: z.string() });
export type ReplaceableParts = z.infer<typeof replaceableParts>;

/** What is left out of a change stays. */
export const recordChange = z
  .object({
    comment: z.string().max(100_000, 'a comment of at most 100,000 characters'),
    tags: z
      .array(
        // A comma would make two of one.
        seenLine('a tag', 200).refine((tag) => !tag.includes(','), 'a tag without a comma'),
      )
      .max(500, 'at most 500 tags'),
    threat: z.string().max(200, 'a threat of at most 200 characters'),
  })
  .partial()
  .refine((change) => Object.values(change).some((part) => part !== undefined), 'a change');
export type RecordChange = z.infer<typeof recordChange>;

export function partsOf({ comments, tags, threat }: SampleRecord): ReplaceableParts {
  const single = comments.find(({ id }) => id === singleCommentId);
  return { comment: single?.content ?? '', tags: [...new Set(tags)], threat: threat ?? '' };
}

/** Services fold cases and trim. */
export const plainTag = (tag: string): string => tag.trim().toLowerCase();

/** They keep no order. */
const plainTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map(plainTag))].filter((tag) => tag !== '').toSorted();

/** Whether a part reads the same, apart from what services change without changing its meaning. */
export function isSamePart(part: RecordPart, one: ReplaceableParts, other: ReplaceableParts): boolean {
  return part === 'tags'
    ? plainTags(one.tags).join(',') === plainTags(other.tags).join(',')
    : plainText(one[part]) === plainText(other[part]);
}

/**
 * What a search of the repository is about: one field, as servers combine them with "and" at most. `sha256` is whole;
 * servers search the others for a part.
 */
export const serverSearch = z.object({
  field: z.enum(['sha256', 'name', 'threat', 'tag', 'comment']),
  text: seenLine('a text', 500),
  /** From 1. */
  page: z.number().int().min(1).max(10_000),
});
export type ServerSearch = z.infer<typeof serverSearch>;

/** The orders that `searchfiles` knows (docs/services.md, "searchfiles"). */
export const searchOrder = z.enum(['newest', 'oldest', 'largest', 'smallest', 'name', 'name-descending']);
export type SearchOrder = z.infer<typeof searchOrder>;

/** A search of the repository in the query language of the library. */
export const querySearch = z.object({
  /** Empty: all samples. */
  query: z.string().max(longestQuery, `a query of at most ${longestQuery.toLocaleString('en')} characters`),
  order: searchOrder,
  /** `next` of the page before it, of the same search; null: the first page. */
  after: z
    .string()
    .max(5000)
    .regex(/^[\x21-\x7e]+$/, 'the mark of a page')
    .nullable(),
});
export type QuerySearch = z.infer<typeof querySearch>;

/** A sample as the list of a search has it. Texts are untrusted. */
export const foundSample = z.object({
  md5,
  sha256: sha256.nullable(),
  name: z.string().nullable(),
  sizeBytes: sampleRecord.shape.sizeBytes,
  date: z.string().nullable(),
  threat: z.string().nullable(),
  tags: z.array(z.string()),
  uploader: z.string().nullable(),
});
export type FoundSample = z.infer<typeof foundSample>;

/** One page of a search by query. */
export const foundPage = z.object({
  found: z.array(foundSample),
  /** The `after` of the next page; null: this is the last one. */
  next: querySearch.shape.after,
  /** How many samples match, as far as the server counts. */
  total: z.number().int().nonnegative(),
  /** There are more than `total`. */
  more: z.boolean(),
});
export type FoundPage = z.infer<typeof foundPage>;
