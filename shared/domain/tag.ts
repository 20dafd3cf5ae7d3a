import { z } from 'zod';

export const longestTag = 100;

/**
 * So many of the tags of a service's record are searched for and suggested: each is words of an index and a row, and a
 * service may send as many as it likes.
 */
export const mostSearchedTags = 200;

/** What a person typed, as the field writes tags: lower case, no white space around. */
export const normalTag = (typed: string): string => typed.trim().toLowerCase();

/**
 * A tag as it is sent: services join tags by commas, so none holds one. A TLP is no tag here: it has a field of its
 * own, and becomes one only when it is sent.
 */
export const tag = z
  .string()
  .min(1, 'a tag')
  .max(longestTag, `a tag of at most ${longestTag} characters`)
  .refine((text) => !text.includes(','), 'a tag without a comma')
  .refine((text) => text === normalTag(text), 'a tag in lower case, without white space around it')
  .refine((text) => !text.startsWith('tlp:'), 'the TLP by its own control')
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'a tag of readable characters');
