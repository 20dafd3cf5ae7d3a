import { yaraKeywords, YaraScanner } from '../../shared/domain/yara-scanner.ts';
import type { Span } from './split-rules.ts';

/**
 * A word of a condition that may be the name of a rule, or, with a star behind it, the beginning of names. UTF-16
 * offsets into the file.
 */
export interface Mention extends Span {
  name: string;
  /** As in `any of (name*)`; the star belongs to the span. */
  isWildcard: boolean;
}

export interface ConditionNames {
  /** In order. Keywords, fields, modules and functions are not among them, nor variables of loops where they hold. */
  mentions: readonly Mention[];
  /** Variables that loops and `with` define, each as often as it is defined. */
  declared: readonly string[];
  /** Where the last token ends; null where there is none. */
  end: number | null;
}

export function readConditionNames(source: string, span: Span | null): ConditionNames {
  return span === null ? { mentions: [], declared: [], end: null } : new ConditionReader(source, span).read();
}

/** A `for … in` or `with` whose body has not begun. */
interface Opening {
  kind: 'for' | 'with';
  depth: number;
  /** Of a `for`: the words in a row before `in`, as far as they are read. */
  words: Mention[];
  names: string[];
  isPastIn: boolean;
  isBeforeBody: boolean;
}

/** Where names hold that are no rules. It ends with the bracket that brings the depth back. */
interface Scope {
  names: ReadonlySet<string>;
  depth: number;
  isBody: boolean;
}

/**
 * Goes through a condition once. What no engine would take gives names too, which ones does not matter then. The
 * grammar is that of YARA's manual ("Iterating over string occurrences", "Referencing other rules") and of `with` in
 * YARA-X.
 */
class ConditionReader {
  readonly #source: string;
  readonly #scanner: YaraScanner;
  readonly #mentions: Mention[] = [];
  readonly #declared: string[] = [];
  readonly #openings: Opening[] = [];
  readonly #scopes: Scope[] = [];
  #depth = 0;
  #end: number | null = null;
  /** The two tokens before. */
  #last = '';
  #beforeLast = '';
  /** The last token, where it is a word that may be a name; the one before, where a star followed. */
  #word: Mention | null = null;
  #starred: Mention | null = null;

  constructor(source: string, span: Span) {
    this.#source = source;
    this.#scanner = new YaraScanner(source, span);
  }

  read(): ConditionNames {
    while (this.#scanner.nextSignificant()) {
      const { kind, start, end } = this.#scanner;
      this.#end = end;
      const text = kind === 'word' || kind === 'sign' ? this.#source.slice(start, end) : ' ';
      if (kind === 'word') this.#readWord(text);
      else this.#readSign(text);
      this.#beforeLast = this.#last;
      this.#last = text;
    }
    this.#keepWord();
    return { mentions: this.#mentions, declared: this.#declared, end: this.#end };
  }

  get #opening(): Opening | undefined {
    const opening = this.#openings.at(-1);
    return opening?.depth === this.#depth ? opening : undefined;
  }

  #readWord(name: string): void {
    this.#starred = null;
    this.#keepWord();
    if (yaraKeywords.has(name)) return this.#readKeyword(name);
    // Behind one dot it is a field; behind two it ends a range.
    if (this.#last === '.' && this.#beforeLast !== '.') return;
    const { start, end } = this.#scanner;
    const word: Mention = { name, start, end, isWildcard: false };
    const opening = this.#opening;
    if (opening?.kind === 'with' && (this.#last === 'with' || this.#last === ',')) {
      this.#declared.push(name);
      opening.names.push(name);
      return;
    }
    if (opening?.kind === 'for' && !opening.isPastIn)
      opening.words = this.#last === ',' ? [...opening.words, word] : [word];
    this.#word = word;
  }

  #readKeyword(name: string): void {
    if (name === 'for' || name === 'with')
      return void this.#openings.push({
        kind: name,
        depth: this.#depth,
        words: [],
        names: [],
        isPastIn: false,
        isBeforeBody: false,
      });
    const opening = this.#opening;
    if (opening?.kind !== 'for' || opening.isPastIn) return;
    if (name === 'of') this.#openings.pop();
    if (name === 'in') this.#declareLoop(opening);
  }

  /** The words before `in` were taken for mentions until it came. */
  #declareLoop(opening: Opening): void {
    opening.isPastIn = true;
    for (const word of opening.words) {
      opening.names.push(word.name);
      this.#declared.push(word.name);
    }
    const first = opening.words[0]?.start ?? Infinity;
    while ((this.#mentions.at(-1)?.start ?? -1) >= first) this.#mentions.pop();
  }

  #readSign(sign: string): void {
    const starred = this.#starred;
    this.#starred = null;
    if (sign === '*' && this.#word !== null) {
      this.#starred = { ...this.#word, end: this.#scanner.end, isWildcard: true };
    } else if (starred !== null && (sign === ',' || sign === ')')) {
      // A product has something behind its star.
      if (this.#mentions.at(-1)?.start === starred.start) this.#mentions.pop();
      this.#mentions.push(starred);
    }
    // A module or a structure has a dot behind it, and a function a bracket.
    const isAccess = sign === '.' && this.#source[this.#scanner.end] !== '.';
    if (isAccess || sign === '(') this.#word = null;
    this.#keepWord();
    this.#follow(sign);
  }

  #follow(sign: string): void {
    const opening = this.#opening;
    if (sign === '(' || sign === '[') {
      if (opening?.isBeforeBody === true && sign === '(') this.#enter(opening);
      this.#depth += 1;
    } else if (sign === ')' || sign === ']') {
      this.#depth -= 1;
      this.#leave();
    } else if (sign === ':' && opening !== undefined) {
      opening.isBeforeBody = true;
    } else if (sign === ',' && opening?.kind === 'with') {
      // What is defined holds for what is defined behind it.
      this.#scopes.push({ names: new Set(opening.names), depth: this.#depth, isBody: false });
    }
  }

  #enter(opening: Opening): void {
    this.#openings.pop();
    while (this.#scopes.at(-1)?.isBody === false && this.#scopes.at(-1)?.depth === this.#depth) this.#scopes.pop();
    this.#scopes.push({ names: new Set(opening.names), depth: this.#depth, isBody: true });
  }

  #leave(): void {
    for (
      let scope = this.#scopes.at(-1);
      scope !== undefined && (scope.depth > this.#depth || (scope.isBody && scope.depth === this.#depth));
      scope = this.#scopes.at(-1)
    )
      this.#scopes.pop();
    while ((this.#openings.at(-1)?.depth ?? -Infinity) > this.#depth) this.#openings.pop();
  }

  #keepWord(): void {
    const word = this.#word;
    this.#word = null;
    if (word !== null && !this.#scopes.some(({ names }) => names.has(word.name))) this.#mentions.push(word);
  }
}
