import { useRested } from './use-rested.ts';

/** A search begins when the typing rests. */
const findRestMs = 200;

/** What is asked for: the words of a find field without the spaces around them. */
export function useRestedFind(find: string): string {
  return useRested(find.trim(), findRestMs);
}
