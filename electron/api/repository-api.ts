import type { SampleRecord } from '../../shared/domain/sample.ts';
import type { Call } from './call.ts';
import { type CallOptions, type ClientOptions, createClient, type PostOptions } from './client/client.ts';
import { commentFields, type CommentForm, type NewComment, readCommentReply } from './comments.ts';
import type { Connection } from './connections.ts';
import { archiveBytes, type ByteReply, sampleBytes } from './replies/file-replies.ts';
import { readSampleBytes } from './replies/sample-reply.ts';
import { readSampleInThread } from './reply-thread.ts';
import { multipartBody, urlEncodedBody } from './request-body.ts';
import { formFiles, readUploadReply, uploadFields, type UploadReply, type UploadRequest } from './uploads.ts';

export interface UploadOptions extends PostOptions {
  /** So many more bytes of a part were taken to be sent. They begin again when the upload is tried again. */
  moved?(index: number, bytes: number): void;
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
   * The bytes of a sample as they arrive, unverified: two stray bytes `{}` may follow the file. `forbidden-or-unknown`
   * is all that this action reports; `getFile` reports more.
   */
  downloadFile(md5: string, options?: CallOptions): Promise<ByteReply>;
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
}

export function createRepositoryApi(connection: Connection, options: ClientOptions = {}): RepositoryApi {
  const client = createClient(connection, options);
  return {
    address: client.facts(uploadCall).address,
    getFile: async (md5, callOptions) => {
      const call = callAbout(md5, 'getfile', 'hash');
      const reply = await client.read(call, callOptions);
      const facts = client.facts(call);
      return reply.body.length <= readHereBytes
        ? readSampleBytes(reply, md5.toLowerCase(), facts)
        : readSampleInThread(reply, md5.toLowerCase(), facts, connection.token);
    },
    downloadFile: async (md5, callOptions) =>
      sampleBytes(await client.open(callAbout(md5, 'downloadfile', 'file'), callOptions), md5.toLowerCase()),
    bulkDownload: async (md5s, callOptions) => archiveBytes(await client.open(callAboutAll(md5s), callOptions)),
    // Called for every hash that a list may still take: building the whole address each time would be slow.
    bulkAddressBytes: (md5s) => {
      const none = client.addressBytes(callAboutAll([]));
      return none + md5s.length * (client.addressBytes(callAboutAll([anyMd5])) - none);
    },
    uploadFiles: async (request, { moved = () => {}, ...postOptions } = {}) => {
      const reply = await client.post(
        uploadCall,
        (token) => multipartBody(uploadFields(request, token), formFiles(request.parts), moved),
        postOptions,
      );
      return readUploadReply(reply, client.facts(uploadCall));
    },
    addComment: async (comment, form, callOptions) => {
      const call: Call = { action: 'addcomment', parameters: [], hashes: [comment.md5.toLowerCase()] };
      return readCommentReply(
        await client.post(call, () => urlEncodedBody(commentFields(comment, form)), callOptions),
        client.facts(call),
      );
    },
  };
}

/** A larger record, one with hundreds of comments, is read elsewhere. */
const readHereBytes = 128 * 1024;

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
