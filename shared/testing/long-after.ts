/** The first so many cases always run; the others are further cases, and run with the long tests. */
export function longAfter<const Case>(
  count: number,
  cases: readonly Case[],
): { tags: 'long'[]; cases: readonly Case[] }[] {
  return [
    { tags: [], cases: cases.slice(0, count) },
    { tags: ['long'], cases: cases.slice(count) },
  ];
}
