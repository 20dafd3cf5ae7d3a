import { yaraKeywords, YaraScanner } from '../../../shared/domain/yara-scanner.ts';

/**
 * YARA takes any of these behind a backslash as itself; YARA-X refuses them. Outside of a class (where digits refer
 * back, in both), and in one.
 */
const unknownOutside = /[CEFGHIJKLMNOPQRTVXYZceghijklmopqy]/;
const unknownInClass = /[0-9<>ABCEFGHIJKLMNOPQRTVXYZbceghijklmopqyz]/;
/**
 * What YARA-X reads as a character of Unicode; with anything else behind it the letter is itself to YARA, as in
 * `C:\\Users`.
 */
const unicode = /\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[uU]\{[0-9A-Fa-f]+\})/y;
/** What YARA-X reads as a repetition. A brace that begins no such thing is a sign to YARA. */
const repetition = /\{\s*(?:\d+\s*(?:,\s*\d*\s*)?|,\s*\d+\s*)\}/y;
/** Any number of times, to YARA. */
const openRepetition = /\{,\}/y;
/** Where nothing else is in a rule, it is as it was. */
const mayHaveOne = /\\[0-9A-Za-z<>]|\{/;

/**
 * The rule with its regular expressions as strict YARA-X takes them, and with the meaning that they have in YARA 4:
 * unknown escapes become the sign itself, and braces that repeat nothing are escaped. What YARA-X takes by itself stays
 * as it is, and so do the lines.
 */
export function withRelaxedRegexes(rule: string): string {
  if (!mayHaveOne.test(rule)) return rule;
  const scanner = new YaraScanner(rule);
  let text = '';
  let done = 0;
  while (scanner.next()) {
    if (scanner.kind !== 'regex' || scanner.isOpen) continue;
    const written = rule.slice(scanner.start, scanner.end);
    const relaxed = relaxedRegex(written);
    if (relaxed === written) continue;
    text += rule.slice(done, scanner.start) + relaxed;
    done = scanner.end;
  }
  return text + rule.slice(done);
}

/** `written` with its slashes and letters. */
function relaxedRegex(written: string): string {
  let text = '';
  let isInClass = false;
  for (let at = 0; at < written.length;) {
    const piece = pieceAt(written, at);
    text +=
      piece[0] === '\\' ? escaped(piece, { written, at, isInClass }) : isInClass ? piece : outside(piece, written, at);
    if (isInClass) isInClass = piece !== ']';
    else if (piece[0] === '[') isInClass = true;
    at += piece.length;
  }
  return text;
}

/** One sign, an escape, or the beginning of a class, in which a bracket that comes first is a sign. */
function pieceAt(written: string, at: number): string {
  const sign = written[at] ?? '';
  if (sign === '\\') return written.slice(at, at + 2);
  if (sign !== '[') return sign;
  const isNegated = written[at + 1] === '^';
  const first = at + (isNegated ? 2 : 1);
  return written.slice(at, written[first] === ']' ? first + 1 : first);
}

function escaped(
  piece: string,
  { written, at, isInClass }: { written: string; at: number; isInClass: boolean },
): string {
  const letter = piece[1] ?? '';
  const isUnknown =
    letter.toLowerCase() === 'u'
      ? !begins(unicode, written, at)
      : (isInClass ? unknownInClass : unknownOutside).test(letter);
  return isUnknown ? letter : piece;
}

function outside(piece: string, written: string, at: number): string {
  if (piece !== '{' || begins(repetition, written, at)) return piece;
  return begins(openRepetition, written, at) ? '{0' : '\\{';
}

function begins(expression: RegExp, text: string, at: number): boolean {
  expression.lastIndex = at;
  return expression.test(text);
}

// Each expression begins where the one before ended and repeats nothing without a bound: no text keeps it long.
const space = String.raw`[ \t\r\n]`;
const modifiers = `(?:(?:private|global)${space}{1,100}){0,2}`;
const name = String.raw`rule${space}{1,100}\w{1,128}`;
const tags = String.raw`(?:${space}{0,100}:[\w \t\r\n]{1,1000}|${space}{0,100})`;
/** The rule up to its first section. Only `meta` is accepted: the engine rejects a rule that begins with another. */
const head = new RegExp(String.raw`${modifiers}${name}${tags}\{${space}{0,100}meta${space}{0,100}:`, 'y');
const metaKey = String.raw`([A-Za-z_]\w{0,63})`;
const metaValue = String.raw`(?:"[^"\\\p{C}]{0,4000}"|true|false|-?\d{1,15})`;
const entry = new RegExp(String.raw`${space}{1,200}${metaKey}[ \t]{0,100}=[ \t]{0,100}${metaValue}(?=${space})`, 'uy');
const next = /[ \t\r\n]{0,200}(?=(?:strings|condition)[ \t\r\n]{0,100}:)/y;

/**
 * The rule with one entry of meta and as many lines, which the engine compiles sooner: the content of meta is kept.
 * Where that section does not have the most usual form, and so might be what is broken, the rule stays as it is.
 */
export function withShortMeta(rule: string): string {
  const start = endOf(head, rule, 0);
  if (start === null) return rule;
  let end = start;
  for (let after = endOfEntry(rule, end); after !== null; after = endOfEntry(rule, after)) end = after;
  const close = end === start ? null : endOf(next, rule, end);
  return close === null ? rule : `${rule.slice(0, start)} a = 1${lineEndsIn(rule, start, close)} ${rule.slice(close)}`;
}

function endOfEntry(rule: string, from: number): number | null {
  entry.lastIndex = from;
  const [, key] = entry.exec(rule) ?? [];
  return key === undefined || yaraKeywords.has(key) ? null : entry.lastIndex;
}

function endOf(expression: RegExp, text: string, from: number): number | null {
  expression.lastIndex = from;
  return expression.test(text) ? expression.lastIndex : null;
}

function lineEndsIn(text: string, start: number, end: number): string {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return '\n'.repeat(count);
}

// Each expression begins where a line does and repeats nothing without a bound. What it matches holds no quotation mark
// and neither opens nor closes a comment, so that in a comment or a text of several lines it is no other than it was to
// the engine.
const named = String.raw`(\n[ \t]{0,100}\$\w{0,64} {0,10}= {0,10})`;

const byte = '[0-9A-Fa-f]{2}';
/** Its first number is lower than its second, and it is longer than nothing. */
const jump = String.raw`\[(?:[1-9]\d?|[0-3]-[4-9]|\d-[1-9]\d)\]`;
const hexToken = String.raw`(?:${byte}|\?\?|${jump})`;
const plainHex = new RegExp(
  String.raw`${named}\{ {0,10}(${byte}(?: {0,10}${byte}){3})(?: {0,10}${hexToken}){0,1000} {0,10}${byte} {0,10}\}`,
  'g',
);

const letter = String.raw`(?:\w|\\[dswDSW.]|\[(?:a-z|A-Z|0-9|a-f|A-F|_){1,5}\])`;
/** All are greedy, and few, so that the expression stays small. */
const shortRepetition = String.raw`(?:[+?]|\{[1-9]\}|\{[0-3],[4-9]\})`;
const plainRegex = new RegExp(String.raw`${named}\/(\w{4})(?:${letter}${shortRepetition}?){1,100}\/`, 'g');

/** Of a longer rule it counts how long the engine takes for it. */
const longestRule = 16_384;

/**
 * The rule on as many lines with the first bytes of its plain hex strings and the first letters of its plain regular
 * expressions, which the engine compiles sooner. The engine accepts any string of those forms, and judges the text
 * after one by the form alone.
 */
export function withShortPatterns(rule: string): string {
  if (rule.length > longestRule) return rule;
  return rule.replaceAll(plainHex, '$1{ $2 }').replaceAll(plainRegex, '$1/$2/');
}

/**
 * Where a line begins: its indentation, and a text that is said there in plain letters. Both end with their line, so
 * that what is matched in a comment or a text of several lines is no other than it was to the engine. Nothing repeats
 * without a bound.
 */
const opening = /\n[ \t]{1,100}(?:(\$\w{0,64} {0,10}= {0,10}"[ !#-[\]-~]{8})[ !#-[\]-~]{1,4000}(?="))?/g;

/**
 * The rule on as many lines without indentation, and with the first letters of its plain texts, which the engine is
 * through with sooner. That they are texts is all that it judges: not how long they are, nor whether two are the same.
 */
export function withShortTexts(rule: string): string {
  return rule.replaceAll(opening, '\n$1');
}
