import { isSpace, yaraKeywords, YaraScanner, type YaraTokenKind } from '../../shared/domain/yara-scanner.ts';
import { type Keyword, keywordAt } from './keyword-at.ts';
import { LineCounter } from './line-counter.ts';
import type { Statement } from './parsed-package.ts';
import { type Damage, longestRuleName, type Span, type SplitFile, type SplitRule, type Stray } from './split-file.ts';
import { textValue } from './text-value.ts';

/**
 * Divides a file into its rules. Total: any text gives a result, and text in no rule is reported. A rule that does not
 * end gives way to the next `rule`, `import` or `include`.
 *
 * @param budget is called for each rule, statement, tag and entry of meta; it may throw to stop.
 */
export function splitRules(source: string, budget: SplitBudget = unlimited): SplitFile {
  return new Splitter(source, budget).split();
}

export interface SplitBudget {
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
