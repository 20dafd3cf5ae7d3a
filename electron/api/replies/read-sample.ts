import { claimedSize, type Comment, type Json, type SampleRecord } from '../../../shared/domain/sample.ts';
import { readComments, rootComment } from './read-comments.ts';
import { parseJson } from './read-json-reply.ts';
import { isObject } from './named-members.ts';
import { readTags, readUrls } from './read-lists.ts';
import { boundJson } from './bound-json.ts';
import { readCode, readCount, readFlag, readHash, readText, type ValueReader } from './values.ts';

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
 * The record in the JSON of `getfile`: `{"file": {…}}` or the bare object. `unknown` is how a service says that it has
 * no such file; `unreadable` is JSON that holds no record. Total: every JSON gives one of the three. Every member that
 * is not understood, known by name or not, stays in `unknown` as it came.
 */
export function readSample(json: Json): SampleRecord | 'unknown' | 'unreadable' {
  if (!isObject(json)) return 'unreadable';
  if (!Object.hasOwn(json, 'file')) return Object.keys(json).length > 0 ? readRecord(json) : 'unreadable';
  const { file = null, ...beside } = json;
  if (isNothing(file)) return 'unknown';
  // A bare record could have a member called `file`; what stands beside the wrapped one is kept either way.
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
    // Asked before the comments are taken out of what is left.
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

/** `pedata`, `officedata`, `pdfdata` and their like are JSON inside a text: shown as what it says. */
function unfolded(name: string, value: Json): Json {
  if (typeof value !== 'string' || !name.endsWith('data') || !/^\s*[{[]/.test(value)) return value;
  const parsed = parseJson(value);
  return parsed === undefined ? value : boundJson(parsed);
}

/** PHP writes "nothing" as null, false, or an empty list. */
function isNothing(file: Json): boolean {
  return file === null || file === false || (typeof file === 'object' && Object.keys(file).length === 0);
}
