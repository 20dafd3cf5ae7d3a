import { Buffer } from 'node:buffer';
import { longestComment } from '../../shared/domain/comment.ts';
import type { Json } from '../../shared/domain/sample.ts';
import { fail } from '../../shared/failure.ts';
import type { CallFacts, WholeReply } from './call.ts';
import {
  jsonParts,
  membersIn,
  quotedReply,
  readServiceError,
  readWarnedJson,
  refusalOf,
} from './replies/json-reply.ts';
import { isObject, type Members, membersOf, namesMd5In, readHash } from './replies/json-values.ts';
import type { FormField, FormFile } from './request-body.ts';

/** A file of an upload. */
export interface UploadPart {
  md5: string;
  /** Untrusted text. */
  name: string;
  sizeBytes: number;
  /** Its bytes from the beginning, in pieces of any size; opened once a try. */
  open(): AsyncIterable<Uint8Array>;
  virusTotal: boolean;
  sandbox: boolean;
  /** None holds a comma. */
  tags: readonly string[];
}

export interface UploadRequest {
  parts: readonly UploadPart[];
  comment: string;
  /** Repeats the token as a field of the form. */
  tokenInForm: boolean;
  /** The server decodes a comment once more than it should: `%` and `+` are sent encoded. */
  decodesComments: boolean;
}

/** One thing a service names in its reply to an upload: a file, or a member of an archive it unpacked. */
interface UploadReplyItem {
  /** Lower case; null when it names none. */
  md5: string | null;
  /** The service's words, made safe to show; null when it reports no error, "" when it reports one without words. */
  error: string | null;
  /** Of a stored file: its comment, as far as it shows one. */
  comment?: string;
}
export interface UploadReply {
  /** In the service's order, which need not be that of the files: match by MD5. */
  items: UploadReplyItem[];
  /**
   * A member comes twice in an object of it, of which the last was read: what the other said may have been an error. Or
   * PHP displayed a warning before it.
   */
  lacksSome?: true;
}

/**
 * The fields of an upload in both forms there are (docs/services.md, "uploadfiles"): a server reads the one it knows.
 */
export function uploadFields(
  { parts, comment, tokenInForm, decodesComments }: UploadRequest,
  token: string | null,
): FormField[] {
  const [first] = parts;
  return [
    ...parts.flatMap(fieldsOfPart),
    ['comment', decodesComments ? encodedOnce(comment) : comment],
    [
      'files_data',
      JSON.stringify(
        parts.map(({ virusTotal, sandbox, tags }, index) => ({
          index,
          vtsubmit: virusTotal,
          cksubmit: sandbox,
          tags: tags.join(','),
        })),
      ),
    ],
    ...(first && parts.length === 1 ? [['hash', first.md5.toLowerCase()] as const] : []),
    ...(tokenInForm && token !== null ? [['token', token] as const] : []),
  ];
}

function fieldsOfPart({ virusTotal, sandbox, tags }: UploadPart): FormField[] {
  return [
    ['vtsubmit[]', String(virusTotal)],
    ['cksubmit[]', String(sandbox)],
    ['tags[]', tags.join(',')],
  ];
}

/** What urldecode would change, so that it does not. */
export const encodedOnce = (text: string): string => text.replace(/[%+]/g, encodeURIComponent);

/** A part without a name is taken for no file by many servers: it goes by its hash. */
export function formFiles(parts: readonly UploadPart[]): FormFile[] {
  return parts.map((part) => ({
    field: 'files[]',
    name: part.name === '' ? part.md5.toLowerCase() : part.name,
    sizeBytes: part.sizeBytes,
    open: () => part.open(),
  }));
}

/** What is read of a longer list; a service that unpacks archives names their members. */
export const mostUploadItems = 10_000;
/**
 * How many characters of all texts together are searched for secrets, to bound the time. An error beyond has no text.
 */
const mostCharacters = 256 * 1024;
const mostDifferentWords = 1000;

/**
 * The reply to `uploadfiles`: `{"files": […]}` or the bare list. Throws `request-refused` for an error under a good
 * status, a failure of `readWarnedJson`, or `unreadable-reply` for any other JSON.
 */
export function readUploadReply(reply: WholeReply, facts: CallFacts): UploadReply {
  const { json, warning } = readWarnedJson(reply, facts);
  const files = listOfFiles(json);
  if (files)
    return {
      items: files.slice(0, mostUploadItems).map(readItem(wordsReader(facts))),
      ...((warning !== null || lacksSome(json, reply.body)) && { lacksSome: true }),
    };
  const error = readServiceError(json);
  return fail(error ? refusalOf(error, reply.status, facts) : quotedReply('unreadable-reply', reply, facts));
}

const lacksSome = (json: Json, body: Uint8Array): boolean => membersIn(json) < jsonParts(body).names;

/**
 * Only the objects in a bare list show that it is one of files. PHP writes a list with gaps as an object of numbered
 * members.
 */
function listOfFiles(json: Json): Json[] | null {
  if (Array.isArray(json))
    return json.length === 0 || json.some((item) => caselessMembersOf(item).size > 0) ? json : null;
  const files = caselessMembersOf(json).get('files');
  if (files === undefined || files === null || Array.isArray(files)) return files ?? null;
  const numbered = typeof files === 'object' ? Object.entries(files) : [];
  return numbered.length > 0 && numbered.every(([name]) => /^\d+$/.test(name))
    ? numbered.map(([, item]) => item)
    : null;
}

/** An item's `message` is an error where something else shows this: beside an MD5 alone it may as well be praise. */
function readItem(words: (text: string) => string): (item: Json) => UploadReplyItem {
  return (item) => {
    const members = caselessMembersOf(item);
    const md5 = readHash(32)(members.get(namesMd5In(members)) ?? null) ?? null;
    const error = errorOf(item);
    const isError = error !== null;
    if (!isError && md5 !== null) {
      const comment = textIn(members.get('comment'));
      return { md5, error: null, ...(comment !== null && comment.length <= longestComment && { comment }) };
    }
    const text = textOfError(error) ?? textIn(members.get('message'));
    return { md5, error: text === null ? (isError ? '' : null) : words(text) };
  };
}

/** null: it has none. Of members that differ in case alone one that reports an error is enough. */
function errorOf(item: Json): Json {
  const said = isObject(item)
    ? Object.entries(item)
        .filter(([name]) => name.toLowerCase() === 'error')
        .map(([, error]) => error)
    : [];
  return said.find((error) => error !== null && error !== false && error !== '' && error !== 0) ?? null;
}

function textOfError(error: Json): string | null {
  const members = caselessMembersOf(error);
  return textIn(error) ?? textIn(members.get('message')) ?? textIn(members.get('code'));
}

const textIn = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** By lower-case name; the first of two that differ in case alone. */
const caselessMembersOf = (value: Json): Members => membersOf(value, (name) => name.toLowerCase());

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
