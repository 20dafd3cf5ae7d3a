import { Buffer } from 'node:buffer';
import type { Json } from '../../../shared/domain/sample.ts';
import { databaseFailureIn } from '../../../shared/failure-retry.ts';
import { fail, type Failure, type FailureOf } from '../../../shared/failure.ts';
import type { CallFacts, WholeReply } from '../call.ts';
import { isObject } from './json-values.ts';

const longestSearched = 1024 * 1024;
const startsTried = 4;

/** JSON, and what PHP displayed before it: its first characters, made safe to show; null where it displayed nothing. */
interface WarnedJson {
  json: Json;
  warning: string | null;
}

/**
 * Reads a reply that is due to be JSON, whatever its content type (docs/services.md, "Replies"). Throws `empty-reply`,
 * `html-reply`, `text-around-json`, `unreadable-reply`, or `service-failed` for the text of a failing database.
 */
export function readJsonReply(reply: WholeReply, facts: CallFacts): Json {
  const { json, warning } = readWarnedJson(reply, facts);
  return warning === null ? json : fail(quotedReply('text-around-json', reply, facts));
}

/** The same for a reply that is of use behind a warning: whole JSON after nothing but warnings is read. */
export function readWarnedJson(reply: WholeReply, facts: CallFacts): WarnedJson {
  const text = textOf(reply.body);
  const value = parseJson(text);
  if (value !== undefined) return { json: value, warning: null };
  const behind = jsonBehindWarnings(text);
  const before = behind === null ? text : text.slice(0, behind.start);
  const { service, address } = facts;
  if (isBlank(text)) return fail({ kind: 'empty-reply', service, address, status: reply.status });
  if (isWebPage(text)) return fail(quotedReply('html-reply', reply, facts));
  const database = databaseFailureIn(before);
  if (database !== null)
    return fail(quotedReply('service-failed', { status: reply.status, body: Buffer.from(database) }, facts));
  if (behind !== null) return { json: behind.json, warning: warningIn(before, facts) };
  const refusal = refusalWithoutStatus(text, facts);
  if (refusal !== null) return fail(refusal);
  return fail(quotedReply(hasJsonWithin(text) ? 'text-around-json' : 'unreadable-reply', reply, facts));
}

/** null: the text is not whole JSON after nothing but PHP's warnings. */
export function jsonBehindWarnings(text: string): { json: Json; start: number } | null {
  const start = endOfWarnings(text);
  const json = start > 0 && /[{[]/.test(text.charAt(start)) ? parseJson(text.slice(start)) : undefined;
  return json === undefined ? null : { json, start };
}

/** Without its markup, which is for browsers. */
const warningIn = (before: string, { redaction }: CallFacts): string =>
  redaction.excerpt(
    Buffer.from(
      before
        .replace(/<[^<>]{0,200}>/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    ),
  );

/** What PHP displays before it continues. A fatal error is none of these: nothing whole comes after it. */
const warningKind = '(?:Notice|Warning|Deprecated|Strict Standards)';
const warningWords = String.raw`(?:(?!Fatal error)[^]){1,4000}?`;
const displayed = new RegExp(
  [
    String.raw`\s*(?:`,
    String.raw`(?:<br\s?/?>\s*)?<b>${warningKind}</b>:\s${warningWords}`,
    String.raw`\sin\s<b>[^<>\n]{1,1000}</b>\son\sline\s<b>\d+</b>(?:<br\s?/?>)?`,
    String.raw`|(?:PHP )?${warningKind}:\s${warningWords}\sin\s[^\n]{1,1000}?\son\sline\s\d+`,
    String.raw`)\s*`,
  ].join(''),
  'y',
);
const mostDisplayed = 64 * 1024;

/**
 * Where the text after PHP's warnings begins: `<br /> <b>Notice</b>: … in <b>file</b> on line <b>3</b><br />`, or the
 * same without markup, any number of them. 0 when the text does not begin with one.
 */
export function endOfWarnings(text: string): number {
  const start = text.slice(0, mostDisplayed);
  let end = 0;
  for (;;) {
    displayed.lastIndex = end;
    if (!displayed.test(start)) return end;
    end = displayed.lastIndex;
  }
}

/**
 * Where PHP displays a warning before the reply and buffers nothing, the status of a refusal can no longer be sent: it
 * comes under 200, as these words behind warnings. null: the text is no such refusal.
 */
export function refusalWithoutStatus(text: string, { service, address, hashes }: CallFacts): Failure | null {
  const start = endOfWarnings(text);
  const words = text.slice(start, start + 100).trim();
  if (!statusLost.test(text.slice(0, start)) || words.toLowerCase() !== 'not enough rights') return null;
  const [first] = hashes;
  return first === undefined
    ? { kind: 'forbidden', service, address, status: 200, text: words }
    : { kind: 'forbidden-or-unknown', service, address, status: 200, hash: hashes.length > 1 ? '' : first };
}

const statusLost = /cannot modify header information/i;

/** Whether a text begins as a warning of PHP does, even if its end is cut off. */
export const beginsWarning = (text: string): boolean => warningStart.test(text.slice(0, 200));

const warningStart = new RegExp(String.raw`^\s*(?:<br\s?/?>\s*)?(?:<b>|PHP )?${warningKind}(?:</b>)?:\s`);

/** The failures that show how a reply begins. */
type QuotingKind =
  | 'html-reply'
  | 'text-around-json'
  | 'unreadable-reply'
  | 'not-an-archive'
  | 'request-refused'
  | 'service-failed'
  | 'forbidden';

/** A failure with the first characters of `body`, made safe to show. */
export function quotedReply(
  kind: QuotingKind,
  { status, body }: WholeReply,
  { service, address, redaction }: CallFacts,
): FailureOf<QuotingKind> {
  return { kind, service, address, status, text: redaction.excerpt(kind === 'forbidden' ? reasonIn(body) : body) };
}

/** The reason of a refusal, without the warnings that PHP displays before it. */
function reasonIn(body: Uint8Array): Uint8Array {
  const start = endOfWarnings(Buffer.from(body.subarray(0, mostDisplayed)).toString('latin1'));
  return start < body.length ? body.subarray(start) : body;
}

/**
 * undefined when the text is not JSON, whole and alone. A whole number that JSON.parse would round is a text of its
 * digits.
 */
export function parseJson(text: string): Json | undefined {
  try {
    const value = parsed(text);
    const exact = withLongNumbersAsTexts(text);
    return exact === text ? value : parsed(exact);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

// What JSON.parse gives is JSON by definition; a schema would walk 16 MiB of it, and overflow on deep nesting.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const parsed = (text: string): Json => JSON.parse(text) as Json;

function hasJsonWithin(text: string): boolean {
  if (text.length > longestSearched) return false;
  let start = -1;
  for (let tried = 0; tried < startsTried; tried += 1) {
    start = indexOfOpening(text, start + 1);
    if (start < 0) return false;
    const end = endOfValue(text, start);
    // What begins as JSON and stays open was cut off: what is whole inside of it is a part of it.
    if (end < 0 && isBlank(text.slice(0, start))) return false;
    if (end > start && parseJson(text.slice(start, end)) !== undefined) return true;
  }
  return false;
}

function indexOfOpening(text: string, from: number): number {
  const offset = text.slice(from).search(/[{[]/);
  return offset < 0 ? -1 : from + offset;
}

/**
 * The end of the object or list that opens at `start`, by counting brackets outside of strings; -1 when it stays open.
 */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if ((character === '}' || character === ']') && --depth === 0) return index + 1;
  }
  return -1;
}

/** Reads bytes as UTF-8 for a look at what they are; a byte order mark is dropped and bad bytes are replaced. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}

export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

const phpNotice = /<br \/>\s*<b>(?:Notice|Warning|Deprecated)<\/b>:.{0,2000}? on line <b>\d{1,7}<\/b><br \/>\s*/g;

/** Nothing but what PHP prints in front of a reply when it is set up to show its notices. */
export const isBlankBesideNotices = (text: string): boolean => isBlank(text.replaceAll(phpNotice, ''));

const xmlDeclaration = String.raw`<\?xml[^>]{0,200}>\s*`;
const comment = String.raw`<!--[^]{0,2000}?-->\s*`;
const pageTag = String.raw`<(?:!doctype\s+html|html|head|body|title|meta|script)\b`;
const webPage = new RegExp(String.raw`^\s*(?:${xmlDeclaration})?(?:${comment})?${pageTag}`, 'i');

/** A web page, as opposed to the bits of markup (`<br />`, `<b>`) that PHP puts before a warning. */
export function isWebPage(text: string): boolean {
  return webPage.test(text.slice(0, 4096));
}

/**
 * JSON whose whole numbers beyond 2^53 are texts of their digits: JSON.parse rounds them, and what two ids are rounded
 * to may be the same.
 * @param text valid JSON
 */
function withLongNumbersAsTexts(text: string): string {
  const isOutside = outsideOfStrings(text);
  const pieces: string[] = [];
  let copied = 0;
  for (const { 0: found, 1: digits = '', index } of text.matchAll(/[[,:]\s*(-?\d{16,})(?![\d.eE])/g)) {
    if (Number.isSafeInteger(Number(digits)) || !isOutside(index)) continue;
    const end = index + found.length;
    pieces.push(text.slice(copied, end - digits.length), '"', digits, '"');
    copied = end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied);
}

/** To be called with ascending places: it reads the text once. */
function outsideOfStrings(text: string): (place: number) => boolean {
  let opening = text.indexOf('"');
  let end = 0;
  return (place) => {
    while (opening >= 0 && opening < place) {
      end = endOfString(text, opening);
      opening = text.indexOf('"', end);
    }
    return place >= end;
  };
}

function endOfString(text: string, opening: number): number {
  let at = opening + 1;
  for (; text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
  return at + 1;
}

/** An error as services put it in JSON: `{"error": {"code", "message"}}` or `{"error": "text"}`. */
interface ServiceError {
  code: string | null;
  message: string | null;
}

/** null when the JSON is no error. */
export function readServiceError(value: Json | undefined): ServiceError | null {
  if (value === undefined || !isObject(value) || !Object.hasOwn(value, 'error')) return null;
  const error = value['error'];
  if (typeof error === 'string' && error !== '') return { code: null, message: error };
  if (error === undefined || !isObject(error)) return null;
  return { code: textMember(error, 'code'), message: textMember(error, 'message') };
}

export function readServiceErrorBytes(bytes: Uint8Array): ServiceError | null {
  return readServiceError(parseJson(textOf(bytes)));
}

/** A service's error under a good status, in its own words as far as it gives any. */
export function refusalOf({ message, code }: ServiceError, status: number, facts: CallFacts): Failure {
  return quotedReply('request-refused', { status, body: Buffer.from(message ?? code ?? '') }, facts);
}

function textMember(value: { [key: string]: Json }, name: string): string | null {
  const member = Object.hasOwn(value, name) ? value[name] : null;
  return typeof member === 'string' || typeof member === 'number' ? String(member) : null;
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
/** `[`, `{`, `,` and `:`. */
const parting = Uint8Array.from({ length: 256 }, (_, byte) => ('[{,:'.includes(String.fromCharCode(byte)) ? 1 : 0));

interface JsonParts {
  /** The characters that part values. */
  parts: number;
  /** Those of them that follow the name of a member. */
  names: number;
}

/** Counts in the bytes of JSON, outside of its strings; in bytes that are none, up to where they are. */
export function jsonParts(body: Uint8Array): JsonParts {
  const counted = { parts: 0, names: 0 };
  let isInString = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte === quote) isInString = !isInString;
    else if (isInString) at += byte === backslash ? 1 : 0;
    else {
      counted.parts += parting[byte] ?? 0;
      if (byte === colon) counted.names += 1;
    }
  }
  return counted;
}

/** The members of all objects in it, however deep. Of those that had one name in the text, JSON.parse left one. */
export function membersIn(value: Json): number {
  let members = 0;
  const open: Json[] = [value];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    const inside = Array.isArray(part) ? part : Object.values(part);
    if (inside !== part) members += inside.length;
    for (const one of inside) if (typeof one === 'object' && one !== null) open.push(one);
  }
  return members;
}
