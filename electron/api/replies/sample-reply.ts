import type { OlderComments } from '../../../shared/domain/comment.ts';
import {
  claimedSize,
  type Comment,
  type Json,
  type SampleRecord,
  singleCommentId,
} from '../../../shared/domain/sample.ts';
import { tlpOf } from '../../../shared/domain/tag.ts';
import { cutText } from '../../../shared/domain/visible-text.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import type { CallFacts, WholeReply } from '../call.ts';
import { type CommentWindow, commentWindow } from './comment-window.ts';
import { parseJson, quotedReply, readServiceError, readWarnedJson, refusalOf } from './json-reply.ts';
import {
  allOf,
  boundJson,
  commentBounds,
  isObject,
  namesMd5In,
  readCode,
  readCount,
  readFlag,
  readHash,
  readTags,
  readText,
  type Rewrite,
  type ValueReader,
} from './json-values.ts';

/**
 * Throws what `readWarnedJson` and `readSampleReply` throw; `unknown-behind-warning` instead of `unknown-hash` where a
 * warning was displayed before the reply.
 */
export function readSampleBytes(reply: WholeReply, md5: string, facts: CallFacts): SampleRecord {
  const { json, warning } = readWarnedJson(reply, facts);
  if (warning === null) return readSampleReply(json, reply, md5, facts);
  return { ...notUnknown(() => readSampleReply(json, reply, md5, facts), warning, reply, facts), warning };
}

/** What PHP warned of may be why no record was found: that is no proof that there is none. */
function notUnknown(
  read: () => SampleRecord,
  warning: string,
  { status }: WholeReply,
  { service, address }: CallFacts,
): SampleRecord {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind !== 'unknown-hash') throw error;
    const { hash } = error.failure;
    return fail({ kind: 'unknown-behind-warning', service, address, status, hash, text: warning }, error);
  }
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
  const { json: kept, window } = bounded(json, redaction.data);
  const sample = readSample(kept, window);
  if (sample === 'unknown') return fail({ kind: 'unknown-hash', service, hash: md5 });
  if (sample === 'unreadable') return fail(quotedReply('unreadable-reply', reply, facts));
  if (sample.md5 !== null && sample.md5 !== md5)
    return fail({ kind: 'wrong-record', service, address, md5, recordMd5: sample.md5 });
  return sample;
}

/**
 * The comments in a reply to `getfile` that are older than those of the record it gives, as many as are given at once.
 * Throws as `readSampleBytes` does.
 *
 * @param before how many of the oldest are meant: of these the newest are given
 */
export function readOlderBytes(reply: WholeReply, md5: string, before: number, facts: CallFacts): OlderComments {
  const { json } = readWarnedJson(reply, facts);
  // All that makes the record another answer than this one.
  readSampleReply(json, reply, md5, facts);
  const record = isObject(json) && json.file !== undefined && isObject(json.file) ? json.file : json;
  const listed = isObject(record) && Array.isArray(record.comments) ? record.comments : [];
  const { entries, older, at, isNewestFirst } = commentWindow(listed, before);
  const read = readComments(boundJson(entries, facts.redaction.data, commentBounds), at);
  return { comments: read?.comments ?? [], before: older, isNewestFirst };
}

type WindowFacts = Pick<CommentWindow, 'older' | 'at'>;
const wholeList: WindowFacts = { older: 0, at: 0 };

/**
 * What very many comments take of the bounds is not taken from the rest of the record, wherever it is; and of these the
 * newest are kept.
 */
function bounded(json: Json, rewrite: Rewrite): { json: Json; window: WindowFacts } {
  if (!isObject(json) || json.file === undefined || !isObject(json.file)) return boundedRecord(json, rewrite);
  const { json: file, window } = boundedRecord(json.file, rewrite);
  return { json: { ...membersOf(boundJson({ ...json, file: null }, rewrite)), file }, window };
}

function boundedRecord(json: Json, rewrite: Rewrite): { json: Json; window: WindowFacts } {
  if (!isObject(json) || !Array.isArray(json.comments)) return { json: boundJson(json, rewrite), window: wholeList };
  const window = commentWindow(json.comments);
  const comments = boundJson(window.entries, rewrite, commentBounds);
  return { json: { ...membersOf(boundJson({ ...json, comments: null }, rewrite)), comments }, window };
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
 *
 * @param window which of the service's comments are in it
 */
export function readSample(json: Json, window: WindowFacts = wholeList): SampleRecord | 'unknown' | 'unreadable' {
  if (!isObject(json)) return 'unreadable';
  if (!Object.hasOwn(json, 'file')) return Object.keys(json).length > 0 ? readRecord(json, window) : 'unreadable';
  const { file = null, ...beside } = json;
  if (isNothing(file)) return 'unknown';
  // A bare record could have a member called `file`; what is beside the wrapped one is kept either way.
  return isObject(file) ? readRecord({ ...beside, ...file }, window) : 'unreadable';
}

/** Of a text that is a fact, in UTF-16 code units. It is shown in many places, and a browser is slow with more. */
const factCharacters = 1000;
const mostTags = 2000;
const mostUrls = 1000;

function readRecord(members: { [key: string]: Json }, window: WindowFacts): SampleRecord {
  const left = new Map(Object.entries(members));
  const take = <T>(name: string, read: ValueReader<T>): T | null => {
    const value = left.get(name);
    const understood = value === undefined ? null : read(value);
    if (understood === undefined) return null;
    left.delete(name);
    return understood;
  };
  /** What is cut is kept beside it, as it came. */
  const takeCut = <T>(name: string, read: ValueReader<T>, cut: (whole: T) => T): T | null => {
    const came = left.get(name);
    const whole = take(name, read);
    const taken = whole === null ? null : cut(whole);
    if (came !== undefined && JSON.stringify(taken) !== JSON.stringify(whole)) left.set(name, came);
    return taken;
  };
  const takeText = (name: string): string | null => takeCut(name, readText, factOf);
  const md5 = take(namesMd5In(left), readHash(32));
  const isOldest = md5 !== null && !Object.hasOwn(members, 'md5');
  const record = {
    md5,
    sha1: take('sha1', readHash(40)),
    sha256: take('sha256', readHash(64)),
    name: takeText('filename'),
    sizeBytes: take('size', readSize),
    date: takeText(isOldest ? 'timestamp' : 'date'),
    uploader: takeText('user_name') ?? takeText('uploader'),
    threat: takeText(isOldest ? 'vendor' : 'threat'),
    criticity: take('criticity', readCode<'bad' | 'unwanted' | 'other'>(criticities)),
    mime: takeText('mime'),
    favorite: take('favorite', readFlag),
    locked: take('locked', readFlag),
    tags: takeCut('tags', readTags, fewTags) ?? [],
    urls: takeCut('urls', readUrls, fewUrls) ?? [],
    // Before the comments are taken out of what is left.
    listsComments: Array.isArray(left.get('comments')),
    comments: takeComments(left, take, window.at),
    commentsOmitted: window.older,
    virusTotal: {
      state: take('virustotal_status', readCode<'found' | 'unknown' | 'running' | 'not-checked'>(virusTotalStates)),
      score: takeText('virustotal_score'),
      link: takeText('virustotal_link'),
    },
    sandbox: { state: takeText('cuckoo_status'), link: takeText('cuckoo_link') },
    ssdeep: takeText('ssdeep'),
    imphash: takeText('imphash'),
    pdbPath: takeText('pdbpath'),
    signer: takeText('signer'),
    warning: null,
  };
  const unknown = Object.fromEntries([...left].map(([name, value]) => [name, unfolded(name, value)]));
  // Once more: JSON in texts has become values, and every list of what was left over is bounded by itself only.
  return { ...record, unknown: membersOf(boundJson(unknown)) };
}

const factOf = (text: string): string => cutText(text, factCharacters);

/** A TLP binds wherever it is. */
const fewTags = (tags: string[]): string[] =>
  tags.filter((tag, at) => at < mostTags || tlpOf([tag]) !== null).map(factOf);

const fewUrls = (urls: SampleRecord['urls']): SampleRecord['urls'] =>
  urls.slice(0, mostUrls).map(({ name, url }) => ({ name: factOf(name), url: factOf(url) }));

/** Comments as a list, and the one text older releases have, unless the list holds it too. */
function takeComments(
  left: Map<string, Json>,
  take: <T>(name: string, read: ValueReader<T>) => T | null,
  at: number,
): Comment[] {
  const listed = readComments(left.get('comments') ?? [], at);
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

/**
 * Comments as a list of `{id, parent, created, content, author, fullname, …}`; undefined when it is no list. `at`: the
 * place of the first in the service's list.
 */
function readComments(value: Json, at: number): ReadComments | undefined {
  if (!Array.isArray(value)) return undefined;
  const byId = new Map<string, Comment>();
  const leftOver: Json[] = [];
  for (const [index, entry] of value.entries()) {
    const read = readComment(entry, `unnumbered-${at + index + 1}`);
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
  return { id: singleCommentId, parentId: null, author: null, content, created: null };
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
    author: factOf(nameText ?? authorText ?? '') || null,
    content: contentText,
    created: factOf(createdText ?? '') || null,
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

/**
 * URLs as one comma-joined text of `name|url`, as a list of such texts, or as a list of objects. Each pair once, in the
 * order of its first appearance: servers of the field multiply them by the number of tags.
 */
const readUrls: ValueReader<SampleRecord['urls']> = (value) => {
  if (value === null) return null;
  if (typeof value === 'string') return eachOnce(splitUrls(value).map(readNamedUrl));
  if (!Array.isArray(value)) return undefined;
  const urls = allOf(value.map((item) => (typeof item === 'string' ? readNamedUrl(item) : urlObject(item))));
  return urls && eachOnce(urls);
};

const eachOnce = (urls: SampleRecord['urls']): SampleRecord['urls'] =>
  [...Map.groupBy(urls, ({ name, url }) => JSON.stringify([name, url])).values()].flatMap(([first]) => first ?? []);

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
