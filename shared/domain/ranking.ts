export interface Named {
  title: string;
  /** Other words it is found by. */
  keywords?: string;
}

/** A text as it is compared: its words in lower case, and all of them with a space between them and with none. */
export interface WordsRead {
  words: readonly string[];
  spaced: string;
  joined: string;
}

/** The positions of the letters show how well they match a title: the smaller, the better. */
export const ranks = {
  same: 0,
  beginning: 1,
  words: 2,
  keywords: 3,
  initials: 4,
  shortened: 5,
  typo: 6,
  inside: 7,
  letters: 8,
  typos: 9,
} as const;
/** From here on a title is merely guessed at. */
export const guessed = ranks.shortened;
/** From here on most of what is found is found by chance. */
export const byChance = ranks.inside;

/** Letters found anywhere mean little: fewer than these would find nearly everything. */
const leastLetters = 3;
/** As much as is compared letter by letter. */
const mostLetters = 60;

/** How well what was typed means something called so: the smaller, the better; null: not at all. */
export function rankOf(typed: string, { title, keywords = '' }: Named): number | null {
  const [wanted, name] = [readWords(typed), readWords(title)];
  const rank = rankOfRead(wanted, name);
  if (rank !== null && rank < ranks.keywords) return rank;
  const all = [...name.words, ...wordsOf(keywords)];
  if (beginSomeOf(wanted.words, all)) return ranks.keywords;
  if (rank !== null && rank < ranks.typo) return rank;
  const typos = typosIn(wanted.words, all);
  if (typos === 1) return ranks.typo;
  return rank ?? (typos === null ? null : ranks.typos);
}

/** The same of what was read before, by the title alone. */
export function rankOfRead(wanted: WordsRead, name: WordsRead): number | null {
  if (wanted.words.length === 0) return null;
  if (wanted.spaced === name.spaced) return ranks.same;
  if (name.spaced.startsWith(wanted.spaced)) return ranks.beginning;
  if (beginSomeOf(wanted.words, name.words)) return ranks.words;
  const letters = wanted.joined.slice(0, mostLetters);
  // What has them not even in their order is most of a long list.
  const isInOrder = areInOrder(letters, name.joined);
  if (isInOrder && areInitials(letters, name.words)) return ranks.initials;
  if (letters.length < leastLetters) return null;
  if (areShortened(letters, name.words)) return ranks.shortened;
  if (wanted.words.every((word) => name.joined.includes(word))) return ranks.inside;
  return isInOrder && name.joined.startsWith(letters.charAt(0)) ? ranks.letters : null;
}

/** Those that are meant, the best first; of equal ones, as they came. `known`: the rank of all of them. */
export function ranked<T extends Named>(
  typed: string,
  things: readonly T[],
  known?: number,
): { thing: T; rank: number }[] {
  return things
    .flatMap((thing) => {
      const rank = known ?? rankOf(typed, thing);
      return rank === null ? [] : [{ thing, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank);
}

export function readWords(text: string): WordsRead {
  const words = wordsOf(text);
  return { words, spaced: words.join(' '), joined: words.join('') };
}

/** In lower case. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** False where nothing is wanted. */
export const beginSomeOf = (wanted: readonly string[], words: readonly string[]): boolean =>
  wanted.length > 0 && wanted.every((each) => words.some((word) => word.startsWith(each)));

/** A shorter word is another word with one letter changed. */
const leastMistyped = 4;
/** From here on two letters may be wrong. */
const longMistyped = 8;
/** A longer word is no mistyped one. */
const mostMistyped = 24;

/**
 * How many mistakes the worst of the words has, each compared with the beginnings of those: a letter too many, too few,
 * wrong, or in the place of its neighbour. null: one is none of them.
 */
function typosIn(wanted: readonly string[], words: readonly string[]): number | null {
  const typosOf = (each: string): number => {
    if (words.some((word) => word.startsWith(each))) return 0;
    if (each.length < leastMistyped || each.length > mostMistyped) return Number.POSITIVE_INFINITY;
    const least = Math.min(...words.map((word) => typosToBeginning(each, word)));
    return least <= (each.length < longMistyped ? 1 : 2) ? least : Number.POSITIVE_INFINITY;
  };
  const most = Math.max(...wanted.map(typosOf));
  return Number.isFinite(most) ? most : null;
}

/**
 * The least number of such mistakes that make a beginning of the word of what was typed (optimal string alignment, with
 * the rest of the word free).
 */
function typosToBeginning(typed: string, word: string): number {
  const letters = word.slice(0, typed.length + 2);
  let [before, last]: [number[], number[]] = [[], Array.from({ length: letters.length + 1 }, (_, at) => at)];
  for (const [row, letter] of [...typed].entries()) {
    const next = [row + 1];
    for (let at = 1; at <= letters.length; at += 1) {
      const same = letters[at - 1] === letter ? 0 : 1;
      let least = Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + same);
      if (letters[at - 2] === letter && letters[at - 1] === typed[row - 1])
        least = Math.min(least, (before[at - 2] ?? 0) + 1);
      next.push(least);
    }
    [before, last] = [last, next];
  }
  return Math.min(...last);
}

/**
 * Whether the letters are beginnings of words, in their order: `gopu` of "Go to publications". Time grows with letters
 * times words, not with their choices.
 */
function areInitials(letters: string, words: readonly string[]): boolean {
  /** How many letters can be used up before each word. */
  let reached = new Set([0]);
  for (const word of words) {
    const next = new Set(reached);
    for (const used of reached) {
      for (let length = 1; length <= word.length && letters[used + length - 1] === word[length - 1]; length += 1)
        next.add(used + length);
    }
    if (next.has(letters.length)) return true;
    reached = next;
  }
  return false;
}

/** Of the letters of the shortened words, the share that must be typed. */
const leastTyped = 0.5;

/**
 * Whether the letters are words with letters left out, in their order: `bulkdwn` of "Bulk download". Each word has its
 * first letter, and whole words may be left out.
 */
function areShortened(letters: string, words: readonly string[]): boolean {
  /** By how many letters are used up before each word: the fewest letters of the words that they shorten. */
  let reached = new Map([[0, 0]]);
  for (const word of words) {
    const next = new Map(reached);
    for (const [used, sum] of reached) {
      if (letters[used] !== word[0]) continue;
      let at = 0;
      for (let end = used; end < letters.length; end += 1) {
        at = word.indexOf(letters.charAt(end), at) + 1;
        if (at === 0) break;
        next.set(end + 1, Math.min(next.get(end + 1) ?? Number.POSITIVE_INFINITY, sum + word.length));
      }
    }
    reached = next;
  }
  return letters.length >= leastTyped * (reached.get(letters.length) ?? Number.POSITIVE_INFINITY);
}

function areInOrder(letters: string, text: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
}
