import { claimedSize, type Comment, type Json, type SampleRecord } from '../../../shared/domain/sample.ts';
import { fail } from '../../../shared/failure.ts';
import type { CallFacts, WholeReply } from '../call.ts';
import { parseJson, quotedReply, readJsonReply, readServiceError, refusalOf } from './json-reply.ts';
import {
  allOf,
  boundJson,
  commentBounds,
  isObject,
  readCode,
  readCount,
  readFlag,
  readHash,
  readTags,
  readText,
  type Rewrite,
  type ValueReader,
} from './json-values.ts';

/** Throws what `readJsonReply` and `readSampleReply` throw. */
export function readSampleBytes(reply: WholeReply, md5: string, facts: CallFacts): SampleRecord {
  return readSampleReply(readJsonReply(reply, facts), reply, md5, facts);
}

/**
 * The record in a reply to `getfile` (docs/services.md, "getfile"). Throws `unknown-hash`; `request-refused` for an
 * error under a good status; `wrong-record` when the record is another sample's; `unreadable-reply` for JSON that is no
 * record.
 */
export function readSampleReply(json: Json, reply: WholeReply, md5: string, facts: CallFacts): SampleRecord {
  const { service, address, redaction } = facts;
  const error = readServiceError(json);
  if (error) return fail(refusalOf(error, reply.status, facts));
  const sample = readSample(bounded(json, redaction.data));
  if (sample === 'unknown') return fail({ kind: 'unknown-hash', service, hash: md5 });
  if (sample === 'unreadable') return fail(quotedReply('unreadable-reply', reply, facts));
  if (sample.md5 !== null && sample.md5 !== md5)
    return fail({ kind: 'wrong-record', service, address, md5, recordMd5: sample.md5 });
  return sample;
}

/** What very many comments take of the bounds is not taken from the rest of the record, wherever it is. */
function bounded(json: Json, rewrite: Rewrite): Json {
  if (!isObject(json) || json.file === undefined || !isObject(json.file)) return boundedRecord(json, rewrite);
  return { ...membersOf(boundJson({ ...json, file: null }, rewrite)), file: boundedRecord(json.file, rewrite) };
}

function boundedRecord(json: Json, rewrite: Rewrite): Json {
  if (!isObject(json) || !Array.isArray(json.comments)) return boundJson(json, rewrite);
  return {
    ...membersOf(boundJson({ ...json, comments: null }, rewrite)),
    comments: boundJson(json.comments, rewrite, commentBounds),
  };
}

const membersOf = (json: Json): { [key: string]: Json } => (isObject(json) ? json : {});

const criticities = new Map([
  ['1', 'bad'],
  ['2', 'unwanted'],
  ['3', 'other'],
  ['bad', 'bad'],
  ['unwanted', 'unwanted'],
  ['other', 'other'],
] as const);
/** More bytes than a sample can have are not understood. */
const readSize: ValueReader<number> = (value) => {
  const size = readCount(value);
  return claimedSize.nullish().safeParse(size).success ? size : undefined;
};
const virusTotalStates = new Map([
  ['1', 'found'],
  ['0', 'unknown'],
  ['-2', 'running'],
  ['-6', 'not-checked'],
] as const);

/**
 * The record in the JSON of `getfile`: `{"file": {…}}` or the bare object. `unknown` is a service's answer that it has
 * no such file; `unreadable` is JSON that holds no record. Total: every JSON gives one of the three. Every member that
 * is not understood, known by name or not, stays in `unknown` as it came.
 */
export function readSample(json: Json): SampleRecord | 'unknown' | 'unreadable' {
  if (!isObject(json)) return 'unreadable';
  if (!Object.hasOwn(json, 'file')) return Object.keys(json).length > 0 ? readRecord(json) : 'unreadable';
  const { file = null, ...beside } = json;
  if (isNothing(file)) return 'unknown';
  // A bare record could have a member called `file`; what is beside the wrapped one is kept either way.
  return isObject(file) ? readRecord({ ...beside, ...file }) : 'unreadable';
}

function readRecord(members: { [key: string]: Json }): SampleRecord {
  const left = new Map(Object.entries(members));
  const take = <T>(name: string, read: ValueReader<T>): T | null => {
    const value = left.get(name);
    const understood = value === undefined ? null : read(value);
    if (understood === undefined) return null;
    left.delete(name);
    return understood;
  };
  const record = {
    md5: take('md5', readHash(32)),
    sha1: take('sha1', readHash(40)),
    sha256: take('sha256', readHash(64)),
    name: take('filename', readText),
    sizeBytes: take('size', readSize),
    date: take('date', readText),
    uploader: take('user_name', readText) ?? take('uploader', readText),
    threat: take('threat', readText),
    criticity: take('criticity', readCode<'bad' | 'unwanted' | 'other'>(criticities)),
    mime: take('mime', readText),
    favorite: take('favorite', readFlag),
    locked: take('locked', readFlag),
    tags: take('tags', readTags) ?? [],
    urls: take('urls', readUrls) ?? [],
    // Before the comments are taken out of what is left.
    listsComments: readComments(left.get('comments') ?? null) !== undefined,
    comments: takeComments(left, take),
    virusTotal: {
      state: take('virustotal_status', readCode<'found' | 'unknown' | 'running' | 'not-checked'>(virusTotalStates)),
      score: take('virustotal_score', readText),
      link: take('virustotal_link', readText),
    },
    sandbox: { state: take('cuckoo_status', readText), link: take('cuckoo_link', readText) },
    ssdeep: take('ssdeep', readText),
    imphash: take('imphash', readText),
    pdbPath: take('pdbpath', readText),
    signer: take('signer', readText),
  };
  return { ...record, unknown: Object.fromEntries([...left].map(([name, value]) => [name, unfolded(name, value)])) };
}

/** Comments as a list, and the one text older releases have, unless the list holds it too. */
function takeComments(left: Map<string, Json>, take: <T>(name: string, read: ValueReader<T>) => T | null): Comment[] {
  const listed = readComments(left.get('comments') ?? []);
  if (listed) left.delete('comments');
  if (listed && listed.leftOver.length > 0) left.set('comments', boundJson(listed.leftOver));
  const comments = listed?.comments ?? [];
  const single = take('comment', readText);
  return single === null || comments.some(({ content }) => content === single)
    ? comments
    : [rootComment(single), ...comments];
}

/** `pedata`, `officedata`, `pdfdata` and their like are JSON inside a text: shown as its content. */
function unfolded(name: string, value: Json): Json {
  if (typeof value !== 'string' || !name.endsWith('data') || !/^\s*[{[]/.test(value)) return value;
  const parsed = parseJson(value);
  return parsed === undefined ? value : boundJson(parsed);
}

/** PHP writes "nothing" as null, false, or an empty list. */
function isNothing(file: Json): boolean {
  return file === null || file === false || (typeof file === 'object' && Object.keys(file).length === 0);
}

interface ReadComments {
  /** Each with an id of its own; a parent is always in the list, and never the comment itself or one below it. */
  comments: Comment[];
  /** What was not understood of each: whole entries, or the id and the members that are left. */
  leftOver: Json[];
}

/** Comments as a list of `{id, parent, created, content, author, fullname, …}`; undefined when it is no list. */
function readComments(value: Json): ReadComments | undefined {
  if (!Array.isArray(value)) return undefined;
  const byId = new Map<string, Comment>();
  const leftOver: Json[] = [];
  for (const [index, entry] of value.entries()) {
    const read = readComment(entry, `unnumbered-${index + 1}`);
    if (read === undefined || byId.has(read.comment.id)) {
      leftOver.push(entry);
      continue;
    }
    byId.set(read.comment.id, read.comment);
    if (Object.keys(read.others).length > 0) leftOver.push({ id: read.comment.id, ...read.others });
  }
  return { comments: withSoundParents(byId), leftOver };
}

/** A record's single `comment` text, as the root of a thread. */
function rootComment(content: string): Comment {
  return { id: 'comment', parentId: null, author: null, content, created: null };
}

function readComment(entry: Json, spareId: string): { comment: Comment; others: { [key: string]: Json } } | undefined {
  if (!isObject(entry)) return undefined;
  const { id = null, parent = null, created = null, content = null, author = null, fullname = null, ...rest } = entry;
  const [idText, contentText, createdText, authorText, nameText] = [id, content, created, author, fullname].map(
    readText,
  );
  const parentText = readParent(parent);
  if (typeof contentText !== 'string' || idText === undefined) return undefined;
  const others = {
    ...rest,
    ...(parentText === undefined ? { parent } : {}),
    ...(createdText === undefined ? { created } : {}),
    ...(authorText === undefined || (nameText && authorText) ? { author } : {}),
    ...(nameText === undefined ? { fullname } : {}),
  };
  const comment = {
    id: idText ?? spareId,
    parentId: parentText ?? null,
    author: nameText ?? authorText ?? null,
    content: contentText,
    created: createdText ?? null,
  };
  return { comment, others };
}

/** PHP writes "none" also as 0, false or an empty list. */
const readParent: ValueReader<string> = (value) => {
  if (value === false || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)) return null;
  const text = readText(value);
  return text === '0' ? null : text;
};

/**
 * A thread drawn from parents must end: one whose parent is missing is a root, as are those of a ring. What is below
 * them stays there.
 */
function withSoundParents(byId: ReadonlyMap<string, Comment>): Comment[] {
  const rings = ringsIn(byId);
  const isSound = ({ id, parentId }: Comment): boolean => parentId === null || (byId.has(parentId) && !rings.has(id));
  return [...byId.values()].map((comment) => (isSound(comment) ? comment : { ...comment, parentId: null }));
}

/** Those that are above themselves. Each comment is walked over once. */
function ringsIn(byId: ReadonlyMap<string, Comment>): Set<string> {
  const rings = new Set<string>();
  const seen = new Set<string>();
  for (const start of byId.values()) {
    const path: string[] = [];
    let current: Comment | undefined = start;
    for (; current && !seen.has(current.id); current = byId.get(current.parentId ?? '')) {
      seen.add(current.id);
      path.push(current.id);
    }
    const closes = current ? path.indexOf(current.id) : -1;
    if (closes >= 0) for (const id of path.slice(closes)) rings.add(id);
  }
  return rings;
}

/** URLs as one comma-joined text of `name|url`, as a list of such texts, or as a list of objects. */
const readUrls: ValueReader<SampleRecord['urls']> = (value) => {
  if (value === null) return null;
  if (typeof value === 'string') return splitUrls(value).map(readNamedUrl);
  if (!Array.isArray(value)) return undefined;
  return allOf(value.map((item) => (typeof item === 'string' ? readNamedUrl(item) : urlObject(item))));
};

/**
 * A URL may hold commas itself: a part that starts neither with a name and a bar nor as a URL belongs to the one
 * before.
 */
function splitUrls(text: string): string[] {
  const urls: string[] = [];
  for (const part of text.split(',')) {
    if (urls.length === 0 || /^[^|?&=/]*\|/.test(part) || /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(part)) urls.push(part);
    else urls.push(`${urls.pop() ?? ''},${part}`);
  }
  return urls.map((url) => url.trim()).filter((url) => url !== '');
}

function readNamedUrl(text: string): { name: string; url: string } {
  const bar = text.indexOf('|');
  return bar < 0
    ? { name: '', url: text.trim() }
    : { name: text.slice(0, bar).trim(), url: text.slice(bar + 1).trim() };
}

function urlObject(value: Json): { name: string; url: string } | undefined {
  if (!isObject(value)) return undefined;
  const { name, url, ...others } = value;
  if (typeof url !== 'string' || Object.keys(others).length > 0) return undefined;
  return name === undefined || name === null || typeof name === 'string' ? { name: name ?? '', url } : undefined;
}
