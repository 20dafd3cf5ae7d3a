import { z } from 'zod';

/** The labels of FIRST's TLP 2.0. `white` of the older version is read as clear. */
export const tlpLevels = ['clear', 'green', 'amber', 'amber+strict', 'red'] as const;
export const tlpLevel = z.enum(tlpLevels);
export type TlpLevel = z.infer<typeof tlpLevel>;

/** The strictest TLP among a sample's tags; null when none says one. */
export function tlpOf(tags: readonly string[]): TlpLevel | null {
  return strictestTlp(tags.map(levelOf));
}

export function strictestTlp(levels: readonly (TlpLevel | null)[]): TlpLevel | null {
  return (
    levels.filter((level) => level !== null).toSorted((a, b) => tlpLevels.indexOf(b) - tlpLevels.indexOf(a))[0] ?? null
  );
}

/** Nobody says one, and no record that could say one was read: that is not the same as none. */
export const isTlpUnknown = ({ tlp, isRecorded }: { tlp: TlpLevel | null; isRecorded: boolean }): boolean =>
  tlp === null && !isRecorded;

function levelOf(tag: string): TlpLevel | null {
  const value = /^tlp:(.+)$/i.exec(tag.trim())?.[1]?.toLowerCase();
  if (value === 'white') return 'clear';
  return tlpLevels.find((level) => level === value) ?? null;
}

/** Recipients of these may not hand a sample on to the world, which is what a submission does (FIRST, TLP 2.0). */
const closedTlpLevels = ['amber', 'amber+strict', 'red'] as const satisfies readonly TlpLevel[];

export const forbidsThirdParties = (level: TlpLevel | null): boolean =>
  closedTlpLevels.some((closed) => closed === level);
