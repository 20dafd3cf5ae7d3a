import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { currentInstant } from '../../shared/domain/clock.ts';
import { writePlainZip } from '../archive/writing/plain-zip.ts';
import {
  type Action,
  type ActionCall,
  givenMd5,
  md5List,
  md5Parameter,
  readRange,
  sendChunks,
  sendJson,
  type Service,
} from './action.ts';
import { LabError } from './errors.ts';
import { FormFields, type FormLimits, readText, textTooLong } from './form-fields.ts';
import { formType, readParts } from './multipart.ts';
import type { BlobStore, ByteRange, Stores } from './stores/blob-store.ts';
import type { MetadataStore, StoredComment, StoredFile, StoredSample } from './stores/metadata-store.ts';
import type { Rights } from './tokens.ts';
import { uploadFiles } from './upload-files.ts';

export function repositoryService(stores: Stores, limits: FormLimits): Service {
  return new Map([
    ['getfile', getFile(stores)],
    ['downloadfile', downloadFile(stores)],
    ['bulkdownload', bulkDownload(stores)],
    ['uploadfiles', uploadFiles(stores, limits)],
    ['addcomment', addComment(stores, limits)],
  ]);
}

/** `hash` → `{"file": {…}}`; an unknown MD5 is 404. */
function getFile({ metadata }: Stores): Action {
  return {
    method: 'GET',
    right: 'read',
    answer: async ({ parameters, response }) => {
      const record = await metadata.recordByMd5(md5Parameter(parameters, 'hash'));
      if (record === null) throw unknownFile();
      sendJson(response, 200, { file: sampleReply(record.sample, record.comments) });
    },
  };
}

/** `file` → the bytes, whole or one range of them; an unknown MD5 is 404. */
function downloadFile({ metadata, blobs }: Stores): Action {
  return {
    method: 'GET',
    right: 'download',
    answer: async (call) => {
      const file = await knownFile(metadata, md5Parameter(call.parameters, 'file'));
      requireOpenTo(call.caller.rights, file);
      await call.record([file.sha256]);
      await sendBytes(blobs, file, call);
    },
  };
}

async function sendBytes(blobs: BlobStore, file: StoredFile, { request, response }: ActionCall): Promise<void> {
  const range = rangeAsked(request, file);
  const bytes = blobs.read(file, range ?? undefined);
  await sendChunks(response, range === null ? 200 : 206, downloadHeaders(file, range), bytes);
}

/** The bytes behind the tag never change, so If-Range holds exactly when it names it (RFC 9110, section 13.1.5). */
function rangeAsked(request: IncomingMessage, file: StoredFile): ByteRange | null {
  const ifRange = request.headers['if-range'];
  if (ifRange !== undefined && ifRange !== entityTag(file)) return null;
  return readRange(request.headers.range, file.sizeBytes);
}

function downloadHeaders(file: StoredFile, range: ByteRange | null): OutgoingHttpHeaders {
  const whole = {
    'Content-Type': 'application/octet-stream',
    'Content-Length': file.sizeBytes,
    'Content-Disposition': `attachment; filename="${file.md5}"`,
    'Accept-Ranges': 'bytes',
    ETag: entityTag(file),
  };
  if (range === null) return whole;
  const { first, last } = range;
  return {
    ...whole,
    'Content-Length': last - first + 1,
    'Content-Range': `bytes ${first}-${last}/${file.sizeBytes}`,
  };
}

const entityTag = ({ sha256 }: StoredFile): string => `"${sha256}"`;

/** `hash` and `comment` → 201 `{"id"}`; an unknown MD5 is 404. */
function addComment({ metadata }: { metadata: MetadataStore }, limits: FormLimits): Action {
  return {
    method: 'POST',
    right: 'comment',
    answer: async (call) => {
      const { hash, content, parent } = await readCommentForm(call, limits);
      await call.recheck();
      const { sha256 } = await knownFile(metadata, givenMd5(hash, 'hash'));
      const id = await metadata.addComment(sha256, {
        parent,
        content,
        author: call.caller.name,
        created: currentInstant(),
      });
      if (id === null) throw new LabError('bad-parameter', 'The parent is not a comment on this file.');
      await call.recordChange([sha256]);
      sendJson(call.response, 201, { id });
    },
  };
}

/** A comment on a sample. */
interface CommentForm {
  hash: string | null;
  content: string;
  /** The comment it answers; null for a new thread. */
  parent: number | null;
}

/** A character of a text may come as `%5Cu0001`. */
const bytesForOne = 8;
/** Clients send two or three; a hundred thousand would take minutes to read. */
const mostFields = 50;
const tooManyFields = (): LabError => new LabError('bad-parameter', `A comment has at most ${mostFields} fields.`);
/** Besides the comment: its hash, and what a form is made of. */
const besidesBytes = 64 * 1024;

/**
 * @throws LabError `missing-parameter` with the message that clients know an empty comment by, and for what cannot be
 * read
 */
async function readCommentForm(call: Pick<ActionCall, 'request' | 'body'>, limits: FormLimits): Promise<CommentForm> {
  const fields = await readFields(call, limits);
  const { content, parent } = readComment(fields);
  if (typeof content === 'string' && Buffer.byteLength(content) > limits.fieldBytes)
    throw textTooLong('comment', limits.fieldBytes);
  return { hash: fields.one('hash'), content: readContent(content), parent: readParent(parent) };
}

async function readFields(
  { request, body }: Pick<ActionCall, 'request' | 'body'>,
  limits: FormLimits,
): Promise<FormFields> {
  const mostBytes = limits.fieldBytes * bytesForOne + besidesBytes;
  const type = formType(request);
  const fields = new FormFields();
  if (type.kind === 'urlencoded') {
    const text = await readText('comment', body(mostBytes), mostBytes);
    if (text.split('&', mostFields + 1).length > mostFields) throw tooManyFields();
    for (const [name, value] of new URLSearchParams(text)) fields.add(name, value);
    return fields;
  }
  let parts = 0;
  for await (const { name, fileName, bytes } of readParts(body(mostBytes), type.boundary)) {
    parts += 1;
    if (parts > mostFields) throw tooManyFields();
    if (fileName !== null) throw new LabError('bad-parameter', 'A comment cannot have a file.');
    fields.add(name, await readText(name, bytes(), mostBytes));
  }
  return fields;
}

/** `comment` = `{"content", "parent"}`, or the two as `comment[content]` and `comment[parent]`. */
function readComment(fields: FormFields): { content: unknown; parent: unknown } {
  const json = fields.one('comment');
  if (json === null) return { content: fields.one('comment[content]'), parent: fields.one('comment[parent]') };
  const comment = z.object({ content: z.unknown().optional(), parent: z.unknown().optional() }).safeParse(parsed(json));
  if (!comment.success) throw new LabError('bad-parameter', 'The field "comment" is not a JSON object.');
  return { content: comment.data.content, parent: comment.data.parent };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function readContent(content: unknown): string {
  if (content === undefined || content === null || (typeof content === 'string' && content.trim() === ''))
    throw new LabError('missing-parameter', 'missing content parameter');
  if (typeof content !== 'string' || !content.isWellFormed())
    throw new LabError('bad-parameter', 'The content of a comment must be text.');
  return content;
}

function readParent(parent: unknown): number | null {
  if (parent === undefined || parent === null || parent === '') return null;
  const id =
    typeof parent === 'number'
      ? parent
      : typeof parent === 'string' && /^\d{1,15}$/.test(parent)
        ? Number(parent)
        : Number.NaN;
  if (!Number.isSafeInteger(id)) throw new LabError('bad-parameter', 'The parent of a comment must be a number.');
  return id;
}

const zipHeaders = { 'Content-Type': 'application/zip', 'Content-Disposition': 'attachment; filename="samples.zip"' };

/**
 * `files[]` → a ZIP with an entry for each, named by its MD5, in the order asked. One unknown or restricted MD5 refuses
 * all of them, before any byte. How many fit is limited by the length of the address.
 */
function bulkDownload({ metadata, blobs }: { metadata: MetadataStore; blobs: BlobStore }): Action {
  return {
    method: 'GET',
    right: 'download',
    answer: async ({ lists, caller, response, record }) => {
      const files = await knownFiles(metadata, md5List(lists, 'files'));
      requireOpenTo(caller.rights, ...files);
      await record(files.map(({ sha256 }) => sha256));
      const members = files.map((file) => ({
        name: file.md5,
        sizeBytes: file.sizeBytes,
        open: () => blobs.read(file),
      }));
      await sendChunks(response, 200, zipHeaders, writePlainZip(members));
    },
  };
}

async function knownFiles(metadata: MetadataStore, md5s: readonly string[]): Promise<StoredFile[]> {
  const found = await metadata.filesByMd5(md5s);
  const known = found.filter((file) => file !== null);
  if (known.length < found.length) throw new LabError('unknown-file', 'No file has any of these MD5s.');
  return known;
}

/** @throws LabError `unknown-file` */
async function knownFile(metadata: MetadataStore, md5: string): Promise<StoredFile> {
  const [file] = await metadata.filesByMd5([md5]);
  if (file === undefined || file === null) throw unknownFile();
  return file;
}

const unknownFile = (): LabError => new LabError('unknown-file', 'No file has this MD5.');

/** The right to download is there already; restricted bytes take one more. */
function requireOpenTo(rights: Rights, ...files: Pick<StoredFile, 'restricted'>[]): void {
  if (rights.has('restricted')) return;
  if (files.some(({ restricted }) => restricted))
    throw new LabError('file-restricted', 'This token has no right to restricted files.');
}

/** A sample as `getfile` sends it (docs/services.md, "The lab"). Times are UTC, ISO 8601. */
export interface SampleReply {
  md5: string;
  sha1: string;
  sha256: string;
  filename: string;
  size: number;
  date: string;
  user_name: string;
  threat: string | null;
  criticity: 1 | 2 | 3;
  mime: string | null;
  /** Its bytes need a right of their own. */
  locked: boolean;
  /** Whether it was submitted with the request to hand it on (docs/services.md, "The lab"). */
  vtsubmit: boolean;
  cksubmit: boolean;
  /** One comma-joined text; no tag holds a comma. */
  tags: string;
  comments: StoredComment[];
}

export function sampleReply(sample: StoredSample, comments: StoredComment[]): SampleReply {
  return {
    ...sample.hashes,
    filename: sample.name,
    size: sample.sizeBytes,
    date: sample.uploaded,
    user_name: sample.uploader,
    threat: sample.threat,
    criticity: sample.criticity,
    mime: sample.mime,
    locked: sample.restricted,
    vtsubmit: sample.virusTotal,
    cksubmit: sample.sandbox,
    tags: sample.tags.join(','),
    comments: comments.map(({ id, parent, content, author, created }) => ({ id, parent, content, author, created })),
  };
}
