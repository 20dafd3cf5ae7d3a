import type { Json } from '../../../shared/domain/sample.ts';
import { fail } from '../../../shared/failure.ts';
import type { CallFacts } from '../call.ts';
import { withLongNumbersAsTexts } from './exact-json.ts';
import { isBlank, isWebPage, textOf } from './reply-text.ts';

const longestSearched = 1024 * 1024;
const startsTried = 4;

/**
 * Reads a reply that is due to be JSON, whatever its content type says (docs/services.md, "Replies").
 * Throws `empty-reply`, `html-reply`, `text-around-json` or `unreadable-reply`.
 */
export function readJsonReply(reply: { status: number; body: Uint8Array }, facts: CallFacts): Json {
  const text = textOf(reply.body);
  const value = parseJson(text);
  if (value !== undefined) return value;
  const { service, address, redaction } = facts;
  const at = { service, address, status: reply.status };
  if (isBlank(text)) return fail({ kind: 'empty-reply', ...at });
  const excerpt = redaction.excerpt(reply.body);
  if (isWebPage(text)) return fail({ kind: 'html-reply', ...at, text: excerpt });
  return fail({ kind: hasJsonWithin(text) ? 'text-around-json' : 'unreadable-reply', ...at, text: excerpt });
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
