import type { IndexedPackage } from './indexed-package.ts';
import { textOf } from './rule-rows.ts';

/** Finds rules by words. The text of the package is kept in lower case meanwhile: one package is searched at a time. */
export class RuleSearch {
  readonly #pack: IndexedPackage;
  #texts: readonly string[] | null = null;
  #last: { find: string; numbers: readonly number[] } | null = null;

  constructor(pack: IndexedPackage) {
    this.#pack = pack;
  }

  isOver(pack: IndexedPackage): boolean {
    return this.#pack === pack;
  }

  /** Numbers of the rules that have every word in their name, a tag, their meta or elsewhere in their text, in order; for a key with a file, of that rule. */
  numbers(find: string): readonly number[] {
    if (this.#last?.find !== find) this.#last = { find, numbers: this.#ofKey(find.trim()) ?? this.#matching(wordsOf(find)) };
    return this.#last.numbers;
  }

  #ofKey(key: string): number[] | null {
    const rule = key.includes(':') ? this.#pack.usable.get(key) : undefined;
    return rule === undefined ? null : [rule.number];
  }

  #matching(words: readonly string[]): number[] {
    const { rules } = this.#pack.parsed;
    if (words.length === 0) return rules.map((_, number) => number);
    this.#texts ??= searchTexts(this.#pack);
    const found: number[] = [];
    for (const [number, text] of this.#texts.entries()) if (words.every((word) => text.includes(word))) found.push(number);
    return found;
  }
}

/** A long word sorts most rules out. */
const wordsOf = (find: string): string[] => [...new Set(find.toLowerCase().split(/\s+/).filter((word) => word !== ''))].toSorted((a, b) => b.length - a.length);

function searchTexts(pack: IndexedPackage): string[] {
  return pack.parsed.rules.map((rule) => {
    const text = textOf(pack, rule).slice(rule.start, rule.end);
    // Name and tags are in the text as they are; a value with escapes is not.
    const values = rule.meta.filter(({ value }) => !text.includes(value)).map(({ value }) => value);
    return [text, ...values].join('\n').toLowerCase();
  });
}
