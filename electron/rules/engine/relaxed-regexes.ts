import { YaraScanner } from '../../../shared/domain/yara-scanner.ts';

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
