import {
  beginSomeOf,
  guessed,
  rankOfRead,
  readWords,
  wordsOf,
  type WordsRead,
} from '../../../shared/domain/ranking.ts';
import type { ParsedRule } from '../parsed-package.ts';
import type { IndexedPackage } from './indexed-package.ts';
import { descriptionOf } from './rule-views.ts';

/** Fewer letters begin a word of nearly every description. */
const leastForDescriptions = 4;
/** A package from outside may hold any number of them. */
const mostTags = 100;

interface RuleWords {
  number: number;
  /** Of the name, in characters. */
  length: number;
  name: WordsRead;
  withTags: readonly string[];
}

/**
 * Finds rules by what they are called. Their words are read once for a package, so that a key costs no walk over its
 * text.
 */
export class RuleNames {
  readonly #pack: IndexedPackage;
  #words: readonly RuleWords[] | null = null;
  #descriptions: readonly (readonly string[])[] | null = null;

  constructor(pack: IndexedPackage) {
    this.#pack = pack;
  }

  isOver(pack: IndexedPackage): boolean {
    return this.#pack === pack;
  }

  /**
   * Numbers of the rules that are meant, the best first: those with the words in their names before those that have
   * them in their tags too, names that are guessed at behind these, descriptions last. Of equal ones the shortest name.
   * A key means its rule.
   */
  best(find: string, limit: number): number[] {
    const named = find.includes(':') ? this.#pack.usable.get(find.trim()) : undefined;
    if (named !== undefined) return [named.number];
    const wanted = readWords(find);
    this.#words ??= this.#pack.parsed.rules.map(wordsOfRule);
    const found = this.#words.flatMap((rule) => {
      const rank = this.#rankOf(wanted, rule);
      return rank === null ? [] : [{ ...rule, rank }];
    });
    return found
      .toSorted((a, b) => a.rank - b.rank || a.length - b.length || a.number - b.number)
      .slice(0, limit)
      .map(({ number }) => number);
  }

  #rankOf(wanted: WordsRead, rule: RuleWords): number | null {
    const byName = rankOfRead(wanted, rule.name);
    if (byName !== null && byName < guessed) return byName;
    if (beginSomeOf(wanted.words, rule.withTags)) return guessed - 0.5;
    return byName ?? (this.#isDescribed(wanted, rule) ? Number.MAX_VALUE : null);
  }

  #isDescribed({ words, joined }: WordsRead, { number, withTags }: RuleWords): boolean {
    if (joined.length < leastForDescriptions) return false;
    this.#descriptions ??= this.#pack.parsed.rules.map((rule) => wordsOf(descriptionOf(rule) ?? ''));
    return beginSomeOf(words, [...withTags, ...(this.#descriptions[number] ?? [])]);
  }
}

function wordsOfRule({ number, name, tags }: ParsedRule): RuleWords {
  const read = readWords(name);
  return {
    number,
    length: name.length,
    name: read,
    withTags: [...read.words, ...wordsOf(tags.slice(0, mostTags).join(' '))],
  };
}
