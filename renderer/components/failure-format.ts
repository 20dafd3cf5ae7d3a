import { visibleText } from '../../shared/domain/visible-text.ts';
import { type Failure, readFailure } from '../../shared/failure-kinds.ts';
import type { FailureSentence } from '../../shared/failure-sentence.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import { originOf } from '../bridge/bridge-context.tsx';
import { cutMiddle } from './format.ts';

/** In characters: a SHA-256 and an ordinary path stay whole. */
const longestFact = 80;
/** A service's or a compiler's own words, which say the more the longer they are. */
const longestMessage = 400;
/**
 * Scripts that run from right to left: such a fact would take the quotation marks and figures beside it along, and put
 * a file's ending before its name.
 */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const isolated = (text: string): string => `\u2066${text}\u2069`;

/**
 * The sentences of a failure as they are shown: what its facts hide is visible, long ones are cut in their middle, and
 * none turns the sentence around.
 */
export function describeFailure(failure: Failure): FailureSentence {
  return sentenceFor(readFailure(shown(failure, longestFact)) ?? failure);
}

function shown(fact: unknown, longest: number): unknown {
  if (typeof fact === 'string') return shownText(cutMiddle(fact, longest));
  if (Array.isArray(fact)) return fact.map((each) => shown(each, longest));
  if (typeof fact !== 'object' || fact === null) return fact;
  return Object.fromEntries(
    Object.entries(fact).map(([name, each]) => [name, shown(each, name === 'text' ? longestMessage : longest)]),
  );
}

function shownText(cut: string): string {
  const visible = visibleText(cut);
  return rightToLeft.test(visible) ? isolated(visible) : visible;
}

/**
 * The facts that the maintainer of the service, or of this program, needs, as text: kind, facts, operation, time (UTC)
 * and version. The host puts no token and no whole address into a fact; the words of a service are searched here once
 * more, because this text leaves this computer.
 */
export function detailsOf(failure: Failure, version: string | null, copied = new Date()): string {
  const { operation, at } = originOf(failure) ?? { operation: null, at: null };
  const facts = Object.fromEntries(
    Object.entries(failure).map(([name, fact]: [string, unknown]) => [name, shareable(fact)]),
  );
  return JSON.stringify(
    {
      ...facts,
      operation: 'operation' in failure ? failure.operation : operation,
      at,
      copied: copied.toISOString(),
      version,
    },
    null,
    2,
  );
}

/** Facts lie within facts: the issues of an input do. */
function shareable(fact: unknown): unknown {
  if (typeof fact === 'string') return withoutSecrets(fact);
  if (Array.isArray(fact)) return fact.map(shareable);
  if (typeof fact !== 'object' || fact === null) return fact;
  return Object.fromEntries(Object.entries(fact).map(([name, inner]: [string, unknown]) => [name, shareable(inner)]));
}

const mark = '[secret]';

/**
 * Slashes may be escaped, as PHP writes JSON. What is behind `?` or `#` goes with all that follows it; an address
 * within a path is one of its own.
 */
const addresses = /(:(?:\\{0,8}\/){2})((?:(?!:(?:\\{0,8}\/){2})[^\s"<>?#])*)(?:[?#][^\s"<>]*)?/g;
/**
 * A name and the separator between it and its value: in a header, a form, JSON (also within JSON), XML, or the output
 * of PHP.
 */
const named = /(?<![\w-])([\w-]+)(\\{0,8}["'\]]?\s{0,9}(?:=>|[=:>]|%(?:25){0,4}3[ad])\s{0,9})/gi;
const secretName = /token|secret|pass|pwd|api[-_]?key|auth(?!ors?$)|cookie|sess(?:ion|id)|signature|credential/i;
/** Their values may have spaces in them. */
const formatMany = /pass|pwd|auth|cookie/i;
/** Without a name. "Basic authentication" is no more than words: base64 has capitals and digits. */
const schemes =
  /\b((?:[Bb]earer|BEARER|[Nn]egotiate|NTLM)\s{1,9}|(?:[Bb]asic|BASIC)\s{1,9}(?=[a-z]*[A-Z\d+/=]))[^\s"'&,;<>]+/g;
const slashes = String.raw`[\\/]{1,8}`;
const drive = String.raw`(?:[A-Za-z]:|\/mnt\/[a-z]|\/(?:var|export))?`;
const folderOfHomes = `(?:home|Users|(?<=:${slashes})users)`;
/** May have spaces in it if a slash follows: without one, the words after it may be those of the sentence. */
const userName = String.raw`(?:[^\\/\s"<>|:]+(?: [^\\/\s"<>|:]+)*(?=[\\/])|[^\\/\s"'<>|:,;]+)`;
const homes = new RegExp(
  String.raw`(?<![\w.~])${drive}(?:${slashes}${folderOfHomes}${slashes}${userName}|\/root(?![\w.-]))`,
  'g',
);

/**
 * Removes what a service or this computer may have revealed about its owners: values of secrets, the user and the query
 * of an address, and account names.
 */
function withoutSecrets(text: string): string {
  const plain = text.replace(addresses, (_found, start: string, rest: string) => `${start}${withoutUser(rest)}`);
  return withoutNamed(plain).replace(schemes, `$1${mark}`).replace(homes, '~');
}

/** What is no port behind a colon is a password that was cut where it has a `/`, `?` or `#`. */
function withoutUser(rest: string): string {
  const authority = /^[^\\/]*/.exec(rest)?.[0] ?? '';
  if (!authority.includes('@') && /^[^[:]*:(?!\d{0,5}$)/.test(authority)) return mark;
  return rest.slice(authority.lastIndexOf('@') + 1);
}

function withoutNamed(text: string): string {
  let clean = '';
  let done = 0;
  for (const { index, 0: found, 1: name = '', 2: separator = '' } of text.matchAll(named)) {
    const start = index + found.length;
    if (index < done || !secretName.test(name)) continue;
    const quote = quoteAt(text, start);
    const end = quote === '' ? bareEnd(text, start, name, separator) : closingQuote(text, start + quote.length, quote);
    if (end === start) continue;
    clean += `${text.slice(done, start)}${quote}${mark}`;
    done = end;
  }
  return clean + text.slice(done);
}

const quoteAt = (text: string, at: number): string => matchAt(/\\{0,8}["']/y, text, at);

/** Where a value ends that is not in quotes. In a header it extends to the end of the line. */
function bareEnd(text: string, at: number, name: string, separator: string): number {
  if (separator === '>') return at + matchAt(/[^<]*/y, text, at).length;
  if (/[:\s]/.test(separator)) return at + matchAt(/[^\r\n]*/y, text, at).length;
  return at + matchAt(formatMany.test(name) ? /[^\r\n&]*/y : /[^\s&;,"'<>]*/y, text, at).length;
}

/**
 * In JSON that lies within JSON, the quote that ends a text has as many backslashes in front as the one that began it,
 * besides pairs of the text's own.
 */
function closingQuote(text: string, from: number, opening: string): number {
  const escapes = opening.length - 1;
  let backslashes = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === opening.at(-1) && backslashes % (2 * (escapes + 1)) === escapes) return at - escapes;
    backslashes = text[at] === '\\' ? backslashes + 1 : 0;
  }
  return text.length;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
