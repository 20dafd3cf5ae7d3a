/** The labels of FIRST's TLP 2.0. `white` of the older version is read as clear. */
export const tlpLevels = ['clear', 'green', 'amber', 'amber+strict', 'red'] as const;
export type TlpLevel = (typeof tlpLevels)[number];

/** The strictest TLP among a sample's tags; null when none says one. */
export function tlpOf(tags: readonly string[]): TlpLevel | null {
  const levels = tags.flatMap((tag) => levelOf(tag) ?? []);
  return levels.toSorted((a, b) => tlpLevels.indexOf(b) - tlpLevels.indexOf(a))[0] ?? null;
}

function levelOf(tag: string): TlpLevel | null {
  const value = /^tlp:(.+)$/i.exec(tag.trim())?.[1]?.toLowerCase();
  if (value === 'white') return 'clear';
  return tlpLevels.find((level) => level === value) ?? null;
}
