import { Buffer } from 'node:buffer';
import type { Json } from '../../../shared/domain/sample.ts';
import { fail } from '../../../shared/failure.ts';
import type { CallFacts } from '../call.ts';
import type { UploadReply, UploadReplyItem } from '../repository-api.ts';
import { jsonParts, membersIn } from './json-parts.ts';
import { isObject } from './named-members.ts';
import { readJsonReply } from './read-json-reply.ts';
import { readServiceError } from './read-service-error.ts';
import { readHash } from './values.ts';

/** What is read of a longer list; a service that unpacks archives names their members. */
export const mostUploadItems = 10_000;
/**
 * How much of all words together secrets are looked for in, so that it takes no time to speak of. An error beyond is
 * one without words.
 */
const mostCharacters = 256 * 1024;
const mostDifferentWords = 1000;

/**
 * The reply to `uploadfiles`: `{"files": […]}` or the bare list. Throws `request-refused` for an error under a good
 * status, a failure of `readJsonReply`, or `unreadable-reply` for any other JSON.
 */
export function readUploadReply(reply: { status: number; body: Uint8Array }, facts: CallFacts): UploadReply {
  const { service, address, redaction } = facts;
  const json = readJsonReply(reply, facts);
  const files = listOfFiles(json);
  if (files)
    return {
      items: files.slice(0, mostUploadItems).map(readItem(wordsReader(facts))),
      ...(lacksSome(json, reply.body) && { lacksSome: true }),
    };
  const said = readServiceError(json);
  const text = redaction.excerpt(said ? Buffer.from(said.message ?? said.code ?? '') : reply.body);
  return fail({ kind: said ? 'request-refused' : 'unreadable-reply', service, address, status: reply.status, text });
}

const lacksSome = (json: Json, body: Uint8Array): boolean => membersIn(json) < jsonParts(body).names;

/**
 * A bare list says by its objects alone that it is one of files. PHP writes a list with gaps as an object of numbered
 * members.
 */
function listOfFiles(json: Json): Json[] | null {
  if (Array.isArray(json)) return json.length === 0 || json.some((item) => membersOf(item).size > 0) ? json : null;
  const files = membersOf(json).get('files');
  if (files === undefined || files === null || Array.isArray(files)) return files ?? null;
  const numbered = typeof files === 'object' ? Object.entries(files) : [];
  return numbered.length > 0 && numbered.every(([name]) => /^\d+$/.test(name))
    ? numbered.map(([, item]) => item)
    : null;
}

/** An item's `message` is an error where something says so: beside an MD5 alone it may as well be praise. */
function readItem(words: (text: string) => string): (item: Json) => UploadReplyItem {
  return (item) => {
    const members = membersOf(item);
    const md5 = readHash(32)(members.get('md5') ?? null) ?? null;
    const error = errorOf(item);
    const isError = error !== null;
    if (!isError && md5 !== null) return { md5, error: null };
    const text = textOfError(error) ?? textIn(members.get('message'));
    return { md5, error: text === null ? (isError ? '' : null) : words(text) };
  };
}

/** null: it has none. Of members that differ in case alone one that says an error is enough. */
function errorOf(item: Json): Json {
  const said = isObject(item)
    ? Object.entries(item)
        .filter(([name]) => name.toLowerCase() === 'error')
        .map(([, error]) => error)
    : [];
  return said.find((error) => error !== null && error !== false && error !== '' && error !== 0) ?? null;
}

function textOfError(error: Json): string | null {
  const members = membersOf(error);
  return textIn(error) ?? textIn(members.get('message')) ?? textIn(members.get('code'));
}

const textIn = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** By lower-case name; the first of two that differ in case alone. None for anything but an object. */
function membersOf(value: Json): Map<string, Json> {
  return new Map(
    isObject(value)
      ? Object.entries(value)
          .toReversed()
          .map(([name, member]) => [name.toLowerCase(), member])
      : [],
  );
}

/** Services say the same of many files: hiding secrets in a text is the work of each different one only. */
function wordsReader({ redaction }: CallFacts): (text: string) => string {
  const known = new Map<string, string>();
  let charactersLeft = mostCharacters;
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    charactersLeft -= text.length;
    const words = charactersLeft < 0 || known.size >= mostDifferentWords ? '' : redaction.excerpt(Buffer.from(text));
    known.set(text, words);
    return words;
  };
}
