import type { OlderComments } from '../../shared/domain/comment.ts';
import type { SampleRecord } from '../../shared/domain/sample.ts';
import type { ServerAction } from '../../shared/domain/server-action.ts';
import type {
  FoundPage,
  FoundSample,
  QuerySearch,
  RecordChange,
  ServerSearch,
} from '../../shared/domain/server-record.ts';
import { fail } from '../../shared/failure.ts';
import type { Call, WholeReply } from './call.ts';
import {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  noting,
  type PostOptions,
} from './client/client.ts';
import type { RangeStart } from './client/range.ts';
import { commentFields, type CommentForm, type NewComment, readCommentReply } from './comments.ts';
import type { Connection } from './connections.ts';
import { archiveBytes, type ByteReply, sampleBytes, type SampleBytes } from './replies/file-replies.ts';
import { isBlank, readServiceError, readWarnedJson, refusalOf, textOf } from './replies/json-reply.ts';
import { readOlderBytes, readSampleBytes } from './replies/sample-reply.ts';
import { readFoundPage, readFoundSamples, readTagsInUse } from './replies/server-lists.ts';
import type { Questions, Readings, ReplyKind, ReplyReader } from './reply-readers.ts';
import { readReply } from './reply-thread.ts';
import { type FormField, multipartBody, urlEncodedBody } from './request-body.ts';
import { formFiles, readUploadReply, uploadFields, type UploadReply, type UploadRequest } from './uploads.ts';

export interface UploadOptions extends PostOptions {
  /** So many more bytes of a part were taken to be sent. They begin again when the upload is tried again. */
  moved?(index: number, bytes: number): void;
}

export interface DownloadOptions extends CallOptions {
  /** Resumes there, where the server has the same bytes still and takes ranges: `part` shows it. */
  from?: RangeStart;
}

/** The repository's calls (docs/services.md, "The repository"). Hashes are taken in any case. */
export interface RepositoryApi {
  /** Where its calls go, without query: what failures say. */
  readonly address: string;
  /**
   * The record of a sample. Throws `unknown-hash`, `forbidden`, `forbidden-or-unknown`, or why there was no such
   * answer.
   */
  getFile(md5: string, options?: CallOptions): Promise<SampleRecord>;
  /**
   * Comments that its record does not give, because there are too many: of so many of the oldest the newest. Throws as
   * `getFile` does.
   */
  olderComments(md5: string, before: number, options?: CallOptions): Promise<OlderComments>;
  /**
   * The bytes of a sample as they arrive, unverified: two stray bytes `{}` may follow the file. `forbidden-or-unknown`
   * is all that this action reports; `getFile` reports more.
   */
  downloadFile(md5: string, options?: DownloadOptions): Promise<SampleBytes>;
  /**
   * Several samples as one ZIP, as it arrives, unread (docs/services.md, "bulkdownload"). All or nothing: one unknown
   * or forbidden hash refuses the whole. Throws `forbidden-or-unknown`, `unknown-hash` or `forbidden` for a refused
   * list, with the hash only when it was the only one; `action-unknown`; `request-refused`, also for too long an
   * address; `not-an-archive`, or what else came under 200 instead of a ZIP; or why there was no answer.
   */
  bulkDownload(md5s: readonly string[], options?: CallOptions): Promise<ByteReply>;
  /** The length in bytes of the address of a `bulkDownload`, token included: what a server limits. */
  bulkAddressBytes(md5s: readonly string[]): number;
  /**
   * Sends files. The reply has what the service named, not the outcome of each file: some report success for what they
   * lose. A failure before `beforeEnd` is called means that nothing whole has arrived; later, without a whole reply, it
   * is `may-have-arrived`, for a cancelled call too. Throws `file-changed` when a part does not have its declared
   * length, and what `open` or `beforeEnd` throws, as it is: the request is then broken off before its end.
   */
  uploadFiles(request: UploadRequest, options?: UploadOptions): Promise<UploadReply>;
  /**
   * Adds a comment; its id, null when the service does not report it. Throws `may-have-arrived` when there is no whole
   * reply, `forbidden`, or why it was refused: `isBracketsOnly` (comments.ts) recognizes a server that reads the other
   * form.
   */
  addComment(comment: NewComment, form: CommentForm, options?: CallOptions): Promise<{ id: string | null }>;
  /**
   * One page of the samples that match, newest first, as far as the server's list reaches; about 40 of them. Servers
   * search names, threats, tags and comments for a part of the text; a server that does not know a field ignores it.
   * Optional (docs/services.md, "getfiles").
   */
  searchFiles(search: ServerSearch, options?: CallOptions): Promise<FoundSample[]>;
  /**
   * One page of at most `limit` samples that a query of the library's language finds; a query that the service cannot
   * search by is `request-refused` with its reason. Optional (docs/services.md, "searchfiles").
   */
  searchByQuery(search: QuerySearch & { limit: number }, options?: CallOptions): Promise<FoundPage>;
  /** The tags in use, most used first. Optional (docs/services.md, "gettagsdata"). */
  tagsInUse(options?: CallOptions): Promise<{ tag: string; samples: number }[]>;
  /**
   * Replaces parts of a record that is known to be there. The reply shows nothing of them: `getFile` does. Throws
   * `forbidden`, also for a locked record; `may-have-arrived` when there is no whole reply. Optional
   * (docs/services.md, "updatefile").
   */
  updateFile(md5: string, change: RecordChange, options?: CallOptions): Promise<void>;
}

export function createRepositoryApi(connection: Connection, options: ClientOptions = {}): RepositoryApi {
  const client = createClient(connection, options);
  const read: ReadOf = (kind, question, reply, call, readHere) =>
    readReply({ kind, question, reply, facts: client.facts(call), secrets: connection }, readHere);
  const noted = <T>(action: ServerAction, run: () => Promise<T>): Promise<T> => noting(connection, action, run);
  return {
    address: client.facts(uploadCall).address,
    getFile: (md5, callOptions) =>
      noted('getfile', async () => {
        const call = callAbout(md5, 'getfile', 'hash');
        return read('sample', { md5: md5.toLowerCase() }, await client.read(call, callOptions), call, readRecord);
      }),
    olderComments: (md5, before, callOptions) =>
      noted('getfile', async () => {
        const call = callAbout(md5, 'getfile', 'hash');
        const reply = await client.read(call, callOptions);
        return read('olderComments', { md5: md5.toLowerCase(), before }, reply, call, readOlder);
      }),
    downloadFile: (md5, callOptions) =>
      noted('downloadfile', async () =>
        sampleBytes(await client.open(callAbout(md5, 'downloadfile', 'file'), callOptions), md5.toLowerCase()),
      ),
    bulkDownload: (md5s, callOptions) =>
      noted('bulkdownload', async () => archiveBytes(await client.open(callAboutAll(md5s), callOptions))),
    // Called for every hash that a list may still take: building the whole address each time would be slow.
    bulkAddressBytes: (md5s) => {
      const none = client.addressBytes(callAboutAll([]));
      return none + md5s.length * (client.addressBytes(callAboutAll([anyMd5])) - none);
    },
    uploadFiles: (request, { moved = () => {}, ...postOptions } = {}) =>
      noted('uploadfiles', async () => {
        const reply = await client.post(
          uploadCall,
          (token) => multipartBody(uploadFields(request, token), formFiles(request.parts), moved),
          postOptions,
        );
        return read('upload', null, reply, uploadCall, readUploadReply);
      }),
    addComment: (comment, form, callOptions) =>
      noted('addcomment', async () => {
        const call: Call = { action: 'addcomment', parameters: [], hashes: [comment.md5.toLowerCase()] };
        const fields = commentFields(comment, form);
        const reply = await client.post(call, () => urlEncodedBody(fields), callOptions);
        return read('comment', null, reply, call, readCommentReply);
      }),
    ...optionalCalls(client, noted, read),
  };
}

type ReadOf = <K extends ReplyKind>(
  kind: K,
  question: Questions[K],
  reply: WholeReply,
  call: Call,
  readHere: ReplyReader<K>,
) => Promise<Readings[K]>;

const readRecord: ReplyReader<'sample'> = (reply, facts, { md5 }) => readSampleBytes(reply, md5, facts);
const readOlder: ReplyReader<'olderComments'> = (reply, facts, { md5, before }) =>
  readOlderBytes(reply, md5, before, facts);

/** Actions of no interface description, for servers that were seen to answer them. */
function optionalCalls(
  client: Client,
  noted: <T>(action: ServerAction, run: () => Promise<T>) => Promise<T>,
  read: ReadOf,
): Pick<RepositoryApi, 'searchFiles' | 'searchByQuery' | 'tagsInUse' | 'updateFile'> {
  return {
    searchFiles: ({ field, text, page }, callOptions) =>
      noted('getfiles', async () => {
        const call: Call = {
          action: 'getfiles',
          parameters: [
            [searchParameters[field], field === 'sha256' ? text.toLowerCase() : text],
            ['page', String(page)],
          ],
          hashes: [],
        };
        return read('foundSamples', null, await client.read(call, callOptions), call, readFoundSamples);
      }),
    searchByQuery: ({ query, order, after, limit }, callOptions) =>
      noted('searchfiles', async () => {
        const call: Call = {
          action: 'searchfiles',
          parameters: [
            ['query', query],
            ['order', order],
            ['limit', String(limit)],
            ...(after === null ? [] : [['after', after] as const]),
          ],
          hashes: [],
        };
        return read('foundPage', { limit, after }, await client.read(call, callOptions), call, readFoundPage);
      }),
    tagsInUse: (callOptions) =>
      noted('gettagsdata', async () => {
        const call: Call = { action: 'gettagsdata', parameters: [], hashes: [] };
        return read('tagsInUse', null, await client.read(call, callOptions), call, readTagsInUse);
      }),
    updateFile: (md5, change, callOptions) =>
      noted('updatefile', async () => {
        // Of no hash: who changes a record has just read it, so that a refusal is about the right.
        const call: Call = { action: 'updatefile', parameters: [], hashes: [] };
        const reply = await client.post(call, () => urlEncodedBody(changeFields(md5, change)), callOptions);
        const facts = client.facts(call);
        // The oldest releases answer with nothing at all. A warning before it counts little: the record is read next.
        const error = isBlank(textOf(reply.body)) ? null : readServiceError(readWarnedJson(reply, facts).json);
        if (error) fail(refusalOf(error, reply.status, facts));
      }),
  };
}

const searchParameters: Readonly<Record<ServerSearch['field'], string>> = {
  sha256: 'sha256',
  name: 'name',
  threat: 'vendor',
  tag: 'tags',
  comment: 'comment',
};

/** A field that is not named stays as it is; an empty one empties it. */
function changeFields(md5: string, { comment, tags, threat }: RecordChange): FormField[] {
  return [
    ['hash', md5.toLowerCase()],
    ...(comment === undefined ? [] : [['comment', comment.toWellFormed()] as const]),
    ...(tags === undefined ? [] : [['tags', tags.join(',')] as const]),
    ...(threat === undefined ? [] : [['vendor', threat] as const]),
  ];
}

const uploadCall: Call = { action: 'uploadfiles', parameters: [], hashes: [] };

/** Each is 32 characters, which no encoding makes more. */
const anyMd5 = '0'.repeat(32);

/** Servers in the field know a hash in lower case only. */
function callAbout(md5: string, action: string, parameter: string): Call {
  const hash = md5.toLowerCase();
  return { action, parameters: [[parameter, hash]], hashes: [hash] };
}

function callAboutAll(md5s: readonly string[]): Call {
  const hashes = md5s.map((md5) => md5.toLowerCase());
  return { action: 'bulkdownload', parameters: hashes.map((hash) => ['files[]', hash] as const), hashes };
}
