import { z } from 'zod';

const count = z.number().int().nonnegative();

/** What a hunt found that is news, muted hits left out: new hits, in how many samples, and hits that are gone. */
export const huntFound = z.object({ added: count, samples: count, lost: count });
export type HuntFound = z.infer<typeof huntFound>;

const counted = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** "3 new hits in 2 samples, 1 hit lost": no names, so the system may show it too. */
export function foundWords({ added, samples, lost }: HuntFound): string {
  const news =
    added === 0
      ? 'no new hits'
      : `${counted(added, 'new hit', 'new hits')} in ${counted(samples, 'sample', 'samples')}`;
  return lost === 0 ? news : `${news}, ${counted(lost, 'hit', 'hits')} lost`;
}
