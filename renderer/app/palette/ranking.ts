export interface Named {
  title: string;
  /** Other words it is found by. */
  keywords?: string;
}

/** Where the letters stand says how well they mean a title: the smaller, the better. */
const ranks = { same: 0, beginning: 1, words: 2, keywords: 3, initials: 4, letters: 5 } as const;
/** From here on a title is merely guessed at. */
export const guessed = ranks.letters;

/** Letters that stand anywhere mean little: fewer than these would find nearly everything. */
const leastLetters = 3;
/** As much as is compared letter by letter. */
const mostLetters = 60;

/** How well what was typed means something called so: the smaller, the better; null: not at all. */
export function rankOf(typed: string, { title, keywords = '' }: Named): number | null {
  const [wanted, name] = [wordsOf(typed), wordsOf(title)];
  if (wanted.length === 0) return null;
  const [joined, whole] = [wanted.join(' '), name.join(' ')];
  if (joined === whole) return ranks.same;
  if (whole.startsWith(joined)) return ranks.beginning;
  if (beginSomeOf(wanted, name)) return ranks.words;
  if (beginSomeOf(wanted, [...name, ...wordsOf(keywords)])) return ranks.keywords;
  const letters = wanted.join('').slice(0, mostLetters);
  if (areInitials(letters, name)) return ranks.initials;
  return letters.length >= leastLetters && areInOrder(letters, name.join('')) ? ranks.letters : null;
}

/** Those that are meant, the best first; of equal ones, as they came. `known`: the rank of all of them. */
export function ranked<T extends Named>(typed: string, things: readonly T[], known?: number): { thing: T; rank: number }[] {
  return things
    .flatMap((thing) => {
      const rank = known ?? rankOf(typed, thing);
      return rank === null ? [] : [{ thing, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank);
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const beginSomeOf = (wanted: readonly string[], words: readonly string[]): boolean => wanted.every((each) => words.some((word) => word.startsWith(each)));

/** Whether the letters are beginnings of words, in their order: `gopu` of "Go to publications". Time grows with letters times words, not with their choices. */
function areInitials(letters: string, words: readonly string[]): boolean {
  /** How many letters can be used up before each word. */
  let reached = new Set([0]);
  for (const word of words) {
    const next = new Set(reached);
    for (const used of reached) {
      for (let length = 1; length <= word.length && letters[used + length - 1] === word[length - 1]; length += 1) next.add(used + length);
    }
    if (next.has(letters.length)) return true;
    reached = next;
  }
  return false;
}

/** Whether the letters stand in the text in this order, the first one at its beginning. */
function areInOrder(letters: string, text: string): boolean {
  if (!text.startsWith(letters.charAt(0))) return false;
  let at = 0;
  for (const letter of text) if (letter === letters[at]) at += 1;
  return at === letters.length;
}
