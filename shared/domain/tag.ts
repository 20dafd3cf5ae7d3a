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

/** The labels of FIRST's TLP 2.0. `white` of the older version is read as clear. */
export const tlpLevels = ['clear', 'green', 'amber', 'amber+strict', 'red'] as const;
export const tlpLevel = z.enum(tlpLevels);
export type TlpLevel = z.infer<typeof tlpLevel>;

/** The strictest TLP among a sample's tags; null when none sets one. */
export function tlpOf(tags: readonly string[]): TlpLevel | null {
  return strictestTlp(tags.map(levelOf));
}

export function strictestTlp(levels: readonly (TlpLevel | null)[]): TlpLevel | null {
  return (
    levels.filter((level) => level !== null).toSorted((a, b) => tlpLevels.indexOf(b) - tlpLevels.indexOf(a))[0] ?? null
  );
}

/** No TLP is set, and no record that could set one was read: that is not the same as none. */
export const isTlpUnknown = ({ tlp, isRecorded }: { tlp: TlpLevel | null; isRecorded: boolean }): boolean =>
  tlp === null && !isRecorded;

function levelOf(text: string): TlpLevel | null {
  const value = /^tlp:(.+)$/i.exec(text.trim())?.[1]?.toLowerCase();
  if (value === 'white') return 'clear';
  return tlpLevels.find((level) => level === value) ?? null;
}

/** Recipients of these may not hand a sample on to the world, which is what a submission does (FIRST, TLP 2.0). */
const closedTlpLevels = ['amber', 'amber+strict', 'red'] as const satisfies readonly TlpLevel[];

export const forbidsThirdParties = (level: TlpLevel | null): boolean =>
  closedTlpLevels.some((closed) => closed === level);
