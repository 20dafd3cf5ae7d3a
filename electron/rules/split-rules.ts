import { isSpace, yaraKeywords, YaraScanner, type YaraTokenKind } from '../../shared/domain/yara-scanner.ts';

/** UTF-16 offsets into the file; `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/**
 * In UTF-16 units. YARA itself takes 128 (its manual, "Writing YARA rules"); what shows, mutes and looks for rules need
 * not expect more than this.
 */
export const longestRuleName = 200;

/** Why a rule cannot be one whole rule. */
export type Damage = 'long-name' | 'no-body' | 'no-end' | 'open-comment' | 'open-text' | 'open-regex' | 'open-hex';

export interface SplitRule extends Span {
  name: string;
  isGlobal: boolean;
  isPrivate: boolean;
  /** One-based, of its first modifier or of `rule`. */
  line: number;
  /** One-based, of its closing brace. */
  endLine: number;
  /** The text after the colon of each; null when it is not there. */
  tags: Span | null;
  meta: Span | null;
  strings: Span | null;
  condition: Span | null;
  /** null: it is a whole rule as far as can be seen without an engine. */
  damage: Damage | null;
  /** Where the damage begins; null: nowhere, or with the rule. */
  damageStart: number | null;
}

/** `import "pe"`, `include "a.yar"`: UTF-16 offsets into the file's text, `end` exclusive; the line is one-based. */
export interface Statement {
  start: number;
  end: number;
  line: number;
  /** Its text with the escapes resolved. */
  value: string;
}

/** A run of tokens that is in no rule and no statement. */
export interface Stray {
  line: number;
  /**
   * `no-name`: it begins with `rule`. `no-target`: with `import` or `include`. `modifiers`: with `private` or `global`.
   */
  cause: 'no-name' | 'no-target' | 'modifiers' | 'brace' | 'open-comment' | 'other';
}

interface SplitFile {
  rules: readonly SplitRule[];
  imports: readonly Statement[];
  includes: readonly Statement[];
  strays: readonly Stray[];
}

/**
 * Divides a file into its rules. Total: any text gives a result, and text in no rule is reported. A rule that does not
 * end gives way to the next `rule`, `import` or `include`.
 *
 * @param budget is called for each rule, statement, tag and entry of meta; it may throw to stop.
 */
export function splitRules(source: string, budget: SplitBudget = unlimited): SplitFile {
  return new Splitter(source, budget).split();
}

interface SplitBudget {
  countRule(): void;
  countParticular(): void;
}

const unlimited: SplitBudget = { countRule: () => undefined, countParticular: () => undefined };

interface Modifiers extends Span {
  isGlobal: boolean;
  isPrivate: boolean;
}

const colon = 0x3a;
const equals = 0x3d;
const braceOpen = 0x7b;
const braceClosed = 0x7d;

type Section = 'meta' | 'strings' | 'condition';
const damages: ReadonlyMap<YaraTokenKind, Damage> = new Map([
  ['comment', 'open-comment'],
  ['text', 'open-text'],
  ['regex', 'open-regex'],
  ['hex', 'open-hex'],
]);

class Splitter {
  readonly #source: string;
  readonly #budget: SplitBudget;
  readonly #scanner: YaraScanner;
  readonly #lines: LineCounter;
  readonly #rules: SplitRule[] = [];
  readonly #imports: Statement[] = [];
  readonly #includes: Statement[] = [];
  readonly #strays: Stray[] = [];
  #hasToken = false;
  /** What the token is, if it is one of them. */
  #keyword: Keyword | null = null;
  /** `private` and `global` directly before the token. */
  #modifiers: Modifiers | null = null;
  #isInStray = false;

  constructor(source: string, budget: SplitBudget) {
    this.#source = source;
    this.#budget = budget;
    this.#scanner = new YaraScanner(source);
    this.#lines = new LineCounter(source);
    this.#advance();
  }

  split(): SplitFile {
    while (this.#hasToken) this.#item();
    if (this.#modifiers !== null) this.#stray(this.#modifiers.start, 'modifiers');
    return { rules: this.#rules, imports: this.#imports, includes: this.#includes, strays: this.#strays };
  }

  #advance(): void {
    const scanner = this.#scanner;
    this.#hasToken = scanner.nextSignificant();
    this.#keyword =
      this.#hasToken && scanner.kind === 'word' ? keywordAt(this.#source, scanner.start, scanner.end) : null;
  }

  #isSign(code: number): boolean {
    return this.#scanner.kind === 'sign' && this.#scanner.code === code;
  }

  #item(): void {
    if (this.#noteModifier()) return this.#advance();
    const modifiers = this.#modifiers;
    this.#modifiers = null;
    if (this.#keyword === 'rule') return this.#rule(modifiers);
    if (modifiers !== null) this.#stray(modifiers.start, 'modifiers');
    if (this.#keyword === 'import') return this.#statement(this.#imports);
    if (this.#keyword === 'include') return this.#statement(this.#includes);
    this.#stray(this.#scanner.start, this.#causeOfToken());
    this.#advance();
  }

  #noteModifier(): boolean {
    const isPrivate = this.#keyword === 'private';
    const isGlobal = this.#keyword === 'global';
    if (!isPrivate && !isGlobal) return false;
    const { start, end } = this.#scanner;
    this.#modifiers ??= { start, end, isGlobal, isPrivate };
    this.#modifiers.isGlobal ||= isGlobal;
    this.#modifiers.isPrivate ||= isPrivate;
    return true;
  }

  #stray(start: number, cause: Stray['cause']): void {
    if (!this.#isInStray) this.#strays.push({ line: this.#lines.lineAt(start), cause });
    this.#isInStray = true;
  }

  #causeOfToken(): Stray['cause'] {
    if (this.#scanner.kind === 'comment') return 'open-comment';
    return this.#isSign(braceClosed) ? 'brace' : 'other';
  }

  #statement(statements: Statement[]): void {
    const { start } = this.#scanner;
    this.#advance();
    const isWhole = this.#hasToken && this.#scanner.kind === 'text' && !this.#scanner.isOpen;
    if (!isWhole) return this.#stray(start, 'no-target');
    this.#budget.countParticular();
    this.#isInStray = false;
    const value = textValue(this.#source.slice(this.#scanner.start, this.#scanner.end));
    statements.push({ start, end: this.#scanner.end, line: this.#lines.lineAt(start), value });
    this.#advance();
  }

  #rule(modifiers: Modifiers | null): void {
    const start = modifiers?.start ?? this.#scanner.start;
    this.#isInStray = false;
    this.#advance();
    const name =
      this.#hasToken && this.#scanner.kind === 'word' ? this.#source.slice(this.#scanner.start, this.#scanner.end) : '';
    if (name === '' || yaraKeywords.has(name)) return this.#stray(start, 'no-name');
    this.#budget.countRule();
    const rule: SplitRule = {
      name,
      start,
      end: this.#scanner.end,
      line: this.#lines.lineAt(start),
      endLine: 0,
      isGlobal: modifiers?.isGlobal ?? false,
      isPrivate: modifiers?.isPrivate ?? false,
      tags: null,
      meta: null,
      strings: null,
      condition: null,
      damage: name.length > longestRuleName ? 'long-name' : null,
      damageStart: null,
    };
    this.#advance();
    if (this.#head(rule)) this.#body(rule);
    rule.endLine = this.#lines.lineAt(rule.end);
    this.#rules.push(rule);
  }

  /** The tags, up to the opening brace. @returns whether there is one */
  #head(rule: SplitRule): boolean {
    while (this.#hasToken && !this.#isNextItem()) {
      if (this.#isSign(braceOpen)) {
        if (rule.tags !== null) rule.tags.end = this.#scanner.start;
        return true;
      }
      if (rule.tags !== null && this.#scanner.kind === 'word') this.#budget.countParticular();
      if (this.#isSign(colon)) rule.tags ??= { start: this.#scanner.end, end: this.#scanner.end };
      const isEnd = this.#isSign(braceClosed);
      this.#step(rule);
      if (isEnd) break;
    }
    if (rule.tags !== null) rule.tags.end = rule.end;
    rule.damage ??= 'no-body';
    return false;
  }

  /** From the opening brace to behind the closing one. Only what is damaged has braces inside. */
  #body(rule: SplitRule): void {
    let depth = 0;
    let header: { section: Section; start: number } | null = null;
    let open: Span | null = null;
    for (; this.#hasToken && !this.#isNextItem(); this.#step(rule)) {
      const isInMeta = open !== null && open === rule.meta;
      if (this.#isPlain(isInMeta)) {
        header = null;
        if (!this.#stepOverPlain(rule, isInMeta)) break;
      }
      const { start, end } = this.#scanner;
      if (header !== null && rule[header.section] === null && this.#isSign(colon)) {
        if (open !== null) open.end = header.start;
        rule[header.section] = open = { start: end, end };
      }
      const section = this.#section();
      header = section === null ? null : { section, start };
      if (isInMeta && this.#isSign(equals)) this.#budget.countParticular();
      depth += this.#deeper();
      if (depth > 0) continue;
      if (open !== null) open.end = start;
      return this.#step(rule);
    }
    if (open !== null) open.end = Math.max(open.start, rule.end);
    rule.damage ??= 'no-end';
  }

  /** It neither begins nor ends anything, as most tokens do. */
  #isPlain(isInMeta: boolean): boolean {
    const { kind, isOpen, code } = this.#scanner;
    if (kind !== 'sign') return this.#keyword === null && !isOpen;
    return code !== colon && code !== braceOpen && code !== braceClosed && (code !== equals || !isInMeta);
  }

  /** @returns whether another token of the rule may follow */
  #stepOverPlain(rule: SplitRule, isInMeta: boolean): boolean {
    this.#modifiers = null;
    while (this.#hasToken && this.#isPlain(isInMeta)) {
      rule.end = this.#scanner.end;
      this.#advance();
    }
    return this.#hasToken && !this.#isNextItem();
  }

  /**
   * An open hex string has a brace that nothing closes, or the closing one comes after text that does not belong into
   * it.
   */
  #deeper(): number {
    if (this.#isSign(braceClosed)) return -1;
    return this.#isSign(braceOpen) || (this.#scanner.kind === 'hex' && this.#scanner.isOpen) ? 1 : 0;
  }

  /** Neither is allowed inside a rule: the one before did not end. */
  #isNextItem(): boolean {
    return (
      this.#keyword === 'rule' || ((this.#keyword === 'import' || this.#keyword === 'include') && this.#isBeforeText())
    );
  }

  #isBeforeText(): boolean {
    let at = this.#scanner.end;
    while (isSpace(this.#source.charCodeAt(at))) at += 1;
    return this.#source[at] === '"';
  }

  #section(): Section | null {
    const keyword = this.#keyword;
    return keyword === 'meta' || keyword === 'strings' || keyword === 'condition' ? keyword : null;
  }

  /** Over a token of the rule. Modifiers may belong to the next one already. */
  #step(rule: SplitRule): void {
    if (this.#scanner.isOpen && rule.damage === null) {
      rule.damage = damages.get(this.#scanner.kind) ?? null;
      rule.damageStart = this.#scanner.start;
    }
    if (!this.#noteModifier()) {
      this.#modifiers = null;
      rule.end = this.#scanner.end;
    }
    this.#advance();
  }
}

/** The words that say where a rule, a statement or a section begins. */
type Keyword = 'rule' | 'private' | 'global' | 'import' | 'include' | 'meta' | 'strings' | 'condition';

const keywords: readonly Keyword[] = ['rule', 'private', 'global', 'import', 'include', 'meta', 'strings', 'condition'];
const shortest = 4;
/** By their first character: every word of a package is asked about. */
const byFirst = Array.from({ length: 128 }, (_, code) => keywords.filter((keyword) => keyword.charCodeAt(0) === code));

/** null: the word there is another one. */
function keywordAt(source: string, start: number, end: number): Keyword | null {
  if (end - start < shortest) return null;
  for (const keyword of byFirst[source.charCodeAt(start)] ?? []) {
    if (keyword.length === end - start && source.startsWith(keyword, start)) return keyword;
  }
  return null;
}

/** Finds the line of offsets that are requested in ascending order, and so reads the text once in all. */
class LineCounter {
  readonly #text: string;
  #line = 1;
  /** The first new line that is not counted yet. */
  #next: number;

  constructor(text: string) {
    this.#text = text;
    this.#next = this.#find(0);
  }

  /** One-based; `offset` is never less than the one before. */
  lineAt(offset: number): number {
    while (this.#next < offset) {
      this.#line += 1;
      this.#next = this.#find(this.#next + 1);
    }
    return this.#line;
  }

  #find(from: number): number {
    const at = this.#text.indexOf('\n', from);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  }
}

const backslash = 0x5c;
const hexEscape = 0x78;
/** By the byte behind the backslash. */
const escapes: ReadonlyMap<number, number> = new Map([
  [0x74, 0x09],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x66, 0x0c],
  [0x22, 0x22],
  [0x5c, 0x5c],
]);
const tripled = '"""';

/**
 * The value of a YARA text: without its quotes, its escapes resolved; one that YARA does not know stays as it is. A
 * text is bytes, here read as UTF-8.
 */
export function textValue(token: string): string {
  const quotes = token.length >= 2 * tripled.length && token.startsWith(tripled) ? tripled.length : 1;
  const inner = token.slice(quotes, -quotes);
  if (!inner.includes('\\')) return inner;
  const bytes = Buffer.from(inner);
  return bytes.toString('utf8', 0, resolveEscapes(bytes));
}

/**
 * In place: the value of an escape is shorter.
 *
 * @returns how many bytes are left
 */
function resolveEscapes(bytes: Buffer): number {
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let value = bytes[at] ?? 0;
    if (value === backslash) {
      const escaped = bytes[at + 1] === hexEscape ? byteOfDigits(bytes, at + 2) : escapes.get(bytes[at + 1] ?? 0);
      if (escaped !== undefined) {
        value = escaped;
        at += bytes[at + 1] === hexEscape ? 3 : 1;
      }
    }
    bytes[length] = value;
    length += 1;
  }
  return length;
}

function byteOfDigits(bytes: Buffer, at: number): number | undefined {
  const digits = bytes.toString('latin1', at, at + 2);
  return /^[0-9A-Fa-f]{2}$/.test(digits) ? Number.parseInt(digits, 16) : undefined;
}
