import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { md5 } from './hash.ts';
import { comment } from './sample.ts';

/** In UTF-16 code units, as a text field counts. */
export const longestComment = 100_000;
// Said when it is needed: the first number that is written out in a language takes a start ten milliseconds.
export const commentText = z
  .string()
  .max(longestComment, { error: () => `at most ${longestComment.toLocaleString('en')} characters` });

export const ownCommentId = z.number().int().positive();

/**
 * A comment written locally. `pending` is on its way; `sent` was confirmed; `failed` did not arrive, and its text is
 * kept; `may-have-arrived`: the answer was lost. It is never sent again by itself.
 */
export const ownComment = z.object({
  id: ownCommentId,
  state: z.enum(['pending', 'sent', 'failed', 'may-have-arrived']),
  /** Whether the service listed it when the sample was last looked up. */
  isListed: z.boolean(),
  failure: failureSchema.nullable(),
});
export type OwnComment = z.infer<typeof ownComment>;

/** A comment of a joined thread: the service's, a local one, or both in one. `id` is "own-7" if it is only local. */
const threadComment = comment.extend({ own: ownComment.nullable() });
export type ThreadComment = z.infer<typeof threadComment>;

/** From a bundle: the configured service need not have it. */
const idsOfBundles = /^bundle-/;
export const isOfBundle = (id: string): boolean => idsOfBundles.test(id);

/**
 * Ids given here to what a service shows without one: its single text, entries without a number, and what it did not
 * answer for.
 */
const idsOfOurs = /^(?:comment|unnumbered-\d+|own-\d+)$/;

/** Only a comment that the service has a number for can be named as a parent. */
export const isNumbered = (id: string): boolean => !idsOfOurs.test(id) && !isOfBundle(id);

export const commentDraft = z.object({
  text: commentText,
  /** The comment of the service that is answered; null for a new thread. */
  parentId: z.string().max(256, 'an identifier of at most 256 characters').nullable(),
});
export type CommentDraft = z.infer<typeof commentDraft>;
export const noDraft: CommentDraft = { text: '', parentId: null };
export const isSameDraft = (one: CommentDraft, other: CommentDraft): boolean =>
  one.text === other.text && one.parentId === other.parentId;

export const commentThread = z.object({
  comments: z.array(threadComment),
  draft: commentDraft,
  /** Whether the service lists comments; false also while it was never asked. */
  listsComments: z.boolean(),
  /** Of a window that is not the last: where the next one begins. */
  next: z.number().int().positive().optional(),
  /** So many older ones the service listed too, which are not kept: `comments.older` reads them. */
  omitted: z.number().int().positive().optional(),
});
export type CommentThread = z.infer<typeof commentThread>;

/** Comments that are not kept, as the service lists them now, in its order. */
export const olderComments = z.object({
  comments: z.array(comment),
  /** So many are older still. */
  before: z.number().int().nonnegative(),
  isNewestFirst: z.boolean(),
});
export type OlderComments = z.infer<typeof olderComments>;

/**
 * A stretch of a thread. Windows that name the same `moment` are of one thread, as it was when the first of them was
 * read.
 */
export const threadWindow = z.object({
  moment: z.string().min(1).max(64),
  offset: z.number().int().nonnegative(),
  limit: z.number().int().min(1).max(1000),
});
export type ThreadWindow = z.infer<typeof threadWindow>;

/** A comment among those of all samples. */
export const listedComment = z.object({
  md5,
  /** The sample's name as the service gave it last; untrusted text. */
  sampleName: z.string().nullable(),
  comment: threadComment,
});
export type ListedComment = z.infer<typeof listedComment>;

const markup: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
const escaped = /&(?:(amp|lt|gt|quot|apos)|#0{0,5}(3[489]|6[02])|#x0{0,4}(2[267]|3[ce]));/gi;
/** Looks at each run of white space once: a long one must not be read again from each of its places. */
const endsOfLines = /(?<![^\S\n])[^\S\n]+(?=\n)/g;

/**
 * What two texts have in common when one of them came through a service: forms change the ends of lines (HTML Standard,
 * "multipart/form-data encoding algorithm"), and services trim, compose letters, and write markup as entities. Those
 * are decoded once.
 */
export function plainText(text: string): string {
  const decoded = text.replaceAll(
    escaped,
    (_, name?: string, decimal?: string, hexadecimal?: string) =>
      markup.get(name?.toLowerCase() ?? '') ??
      String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16)),
  );
  return decoded.replaceAll(/\r\n?/g, '\n').replaceAll(endsOfLines, '').trim().normalize('NFC');
}
