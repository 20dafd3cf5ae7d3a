import type { RuleWarning } from '../../../shared/domain/publication.ts';
import { YaraScanner } from '../../../shared/domain/yara-scanner.ts';
import type { ParsedRule } from '../parsed-package.ts';

/** docs/yara-differences.md has an example of each. */
const words = {
  may_miss_hash_range: 'a range that leaves the file has no hash in YARA-X; YARA hashes up to the end of the file',
  may_miss_xor_fullword:
    '"xor fullword" checks the decoded bytes next to the match in YARA-X, and the original bytes in YARA',
  may_miss_word_edge:
    '"\\b" beside a punctuation mark does not match at the start or end of a file in YARA-X; in YARA it does',
  may_miss_wide_word_edge:
    '"\\b" looks at the single byte beside a wide match in YARA-X, and at the wide character in YARA',
  may_miss_far_jump: 'a jump beside a single byte ends after 4096 bytes in YARA-X; in YARA it does not',
  may_miss_absent_place:
    '"not" of "at @b" has no value in YARA-X where the string is not in the file; in YARA it is true',
  may_miss_deep_condition: 'YARA-X skips a rule with very many nested brackets or "not", without an error',
  may_miss_serial_correlation: 'math.serial_correlation has other values in YARA-X than in YARA',
} as const;
type Miss = keyof typeof words;

/** Nothing else is read: most rules hold none of these. */
const mayMiss = /\bxor\b|\\b|\[|\bhash\b|serial_correlation|\bat\s+@/;

/** Forms of a rule for which YARA-X is known to miss files that YARA hits, as far as the rule alone shows it. */
export function knownMisses(source: string, rule: ParsedRule): RuleWarning[] {
  const text = source.slice(rule.start, rule.end);
  if (!mayMiss.test(text) && !mayBeDeep(text)) return [];
  const tokens = tokensOf(text);
  const condition = tokens.findLastIndex(({ text: word }, at) => word === 'condition' && tokens[at + 1]?.text === ':');
  const found = [...inStrings(tokens.slice(0, condition)), ...inCondition(tokens.slice(condition + 2))];
  return found.map(({ start, miss }) => ({
    rule: rule.name,
    file: rule.file,
    line: rule.line + text.slice(0, start).split('\n').length - 1,
    code: miss,
    text: words[miss],
  }));
}

/** YARA-X reads 1497 brackets, and fewer where each has something in front of it: 748 with `not`. */
const deepest = 300;
const mayBeDeep = (text: string): boolean =>
  text.length > deepest && ['(', 'not'].some((part) => text.split(part).length > deepest);

interface Token {
  kind: YaraScanner['kind'];
  text: string;
  start: number;
}

interface Found {
  start: number;
  miss: Miss;
}

function tokensOf(text: string): Token[] {
  const scanner = new YaraScanner(text);
  const tokens: Token[] = [];
  while (scanner.nextSignificant())
    tokens.push({ kind: scanner.kind, text: text.slice(scanner.start, scanner.end), start: scanner.start });
  return tokens;
}

function* inStrings(tokens: readonly Token[]): Generator<Found> {
  const strings = tokens.findLastIndex(({ text }, at) => text === 'strings' && tokens[at + 1]?.text === ':');
  if (strings < 0) return;
  for (let at = strings + 2; at < tokens.length; at += 1) {
    const [name, equals, value] = tokens.slice(at, at + 3);
    if (name?.kind !== 'pattern' || equals?.text !== '=' || value === undefined) continue;
    const next = tokens.findIndex(({ kind }, place) => place > at && kind === 'pattern');
    const modifiers = new Set(tokens.slice(at + 3, next < 0 ? tokens.length : next).map(({ text }) => text));
    const miss = missOf(value, modifiers);
    if (miss !== null) yield { start: name.start, miss };
  }
}

function missOf({ kind, text }: Token, modifiers: ReadonlySet<string>): Miss | null {
  if (kind === 'text') return modifiers.has('xor') && modifiers.has('fullword') ? 'may_miss_xor_fullword' : null;
  if (kind === 'hex') return hasFarJump(text) ? 'may_miss_far_jump' : null;
  return kind === 'regex' ? missOfRegex(text, modifiers.has('wide')) : null;
}

/** A jump that YARA-X follows by itself, in between of what it searches for. */
const divides = 200;
const farthest = 4096;

/** Strings with alternatives are left out: the bytes beside a jump depend on which of them is taken. */
function hasFarJump(hex: string): boolean {
  const bare = hex.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*|\s/g, '');
  if (bare.includes('(')) return false;
  const parts = bare.slice(1, -1).split(/(\[[^\]]*\])/);
  const segments: { digits: string; isFar: boolean }[] = [{ digits: '', isFar: false }];
  for (const part of parts) {
    const [low, high] = part.startsWith('[') ? boundsOf(part) : [0, 0];
    const last = segments.at(-1);
    if (last === undefined) return false;
    if (high > divides && low !== high) segments.push({ digits: '', isFar: high >= farthest });
    else last.digits += part;
  }
  return segments.some(
    ({ digits, isFar }, at) => /^~?[\dA-Fa-f?]{2}$/.test(digits) && (isFar || segments[at + 1]?.isFar === true),
  );
}

/** `[4]`, `[4-]`, `[-]`, `[4-6]`. */
function boundsOf(jump: string): [number, number] {
  const [low = '', high] = jump.slice(1, -1).split('-');
  return [Number(low), high === undefined ? Number(low) : high === '' ? Infinity : Number(high)];
}

/** Text in brackets at an end is read; alternatives inside of the expression are not. */
function missOfRegex(regex: string, isWide: boolean): Miss | null {
  const atoms = atomsOf(regex.slice(1, regex.lastIndexOf('/')));
  const first = atoms.findIndex((atom) => atom !== '(' && atom !== '(?:');
  const last = atoms.findLastIndex((atom) => atom !== ')');
  const isFirst = atoms[first] === '\\b';
  const isLast = atoms[last] === '\\b';
  if (!isFirst && !isLast) return null;
  if (isWide) return 'may_miss_wide_word_edge';
  const isBesideSign =
    (isFirst && isSign(atoms[first + 1]) && !isRepetition(atoms[first + 2])) || (isLast && isSign(atoms[last - 1]));
  return isBesideSign ? 'may_miss_word_edge' : null;
}

const atomsOf = (regex: string): string[] => regex.match(/\\[^]|\[\^?\]?(?:\\[^]|[^\]\\])*\]|\(\?:|[^]/g) ?? [];
const isRepetition = (atom = ''): boolean => atom === '*' || atom === '?' || atom === '{';
/** It matches no letter, digit or `_`. */
const isSign = (atom = ''): boolean => /^(?:\\[^A-Za-z0-9_]|\\[Ws]|[^\w\\^$.|?*+()[\]{}])$/.test(atom);

const hashes = new Set(['md5', 'sha1', 'sha256', 'crc32', 'checksum32']);

function* inCondition(tokens: readonly Token[]): Generator<Found> {
  const isGuarded = tokens.some(
    ({ text }, at) => text === 'filesize' && (tokens[at + 1]?.text === '>' || tokens[at + 1]?.text === '='),
  );
  const deep = deepestOf(tokens);
  if (deep !== null) yield { start: deep.start, miss: 'may_miss_deep_condition' };
  for (const [at, { text, start }] of tokens.entries()) {
    const [, dot, name, open] = tokens.slice(at, at + 4);
    if (text === 'math' && dot?.text === '.' && name?.text === 'serial_correlation')
      yield { start, miss: 'may_miss_serial_correlation' };
    if (
      text === 'hash' &&
      dot?.text === '.' &&
      hashes.has(name?.text ?? '') &&
      open?.text === '(' &&
      !isGuarded &&
      hasNumberForLength(tokens, at + 4)
    )
      yield { start, miss: 'may_miss_hash_range' };
    if (text === 'not' && isAtAbsent(tokens, at + 1)) yield { start, miss: 'may_miss_absent_place' };
  }
}

/** The first token that has too much around it. */
function deepestOf(tokens: readonly Token[]): Token | null {
  let brackets = 0;
  let denials = 0;
  for (const token of tokens) {
    const { text } = token;
    if (text === '(') brackets += 1;
    if (text === ')') brackets -= 1;
    if (text === 'not') denials += 1;
    else if (text !== '(') denials = 0;
    if (brackets + denials > deepest) return token;
  }
  return null;
}

/** A length that is reckoned, as `filesize - 9`, is most likely made to fit. `from`: behind the bracket. */
function hasNumberForLength(tokens: readonly Token[], from: number): boolean {
  let depth = 1;
  for (let at = from; at < tokens.length && depth > 0; at += 1) {
    const { text } = tokens[at] ?? { text: '' };
    if (text === '(') depth += 1;
    else if (text === ')') depth -= 1;
    else if (text === ',' && depth === 1)
      return tokens[at + 1]?.kind === 'number' && tokens[at + 1]?.text !== '0' && tokens[at + 2]?.text === ')';
  }
  return false;
}

/**
 * `$a at @b`, in brackets or not. Where the condition asks elsewhere whether `$b` is there, that may be what it relies
 * on.
 */
function isAtAbsent(tokens: readonly Token[], from: number): boolean {
  const open = tokens.slice(from).findIndex(({ text }) => text !== '(');
  const [pattern, at, place] = tokens.slice(from + open, from + open + 3);
  if (
    open < 0 ||
    pattern?.kind !== 'pattern' ||
    at?.text !== 'at' ||
    place?.kind !== 'pattern' ||
    !/^@\w/.test(place.text)
  )
    return false;
  return !tokens.some(
    ({ kind, text }) =>
      kind === 'pattern' && (text === `$${place.text.slice(1)}` || text === `#${place.text.slice(1)}`),
  );
}
