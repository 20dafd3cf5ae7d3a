import { setTimeout as wait } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';
import { type ByteRange, StoreUnavailable } from '../../lab/stores/blob-store.ts';
import type { S3Address, S3Keys } from './s3-address.ts';
import { S3Refused, type S3Request, type S3Timeouts, S3Transport } from './s3-request.ts';
import { childrenNamed, childText, readXml, requiredText, type XmlElement, XmlError } from './s3-xml.ts';

export { S3Refused, type S3Timeouts } from './s3-request.ts';

/** Bytes of an object, on their way. */
export interface S3Object {
  /** Of the whole object, also where a range of it was asked for. */
  totalBytes: number;
  etag: string | null;
  /** Read it to its end or end the loop: the connection is given back then. */
  bytes: AsyncIterable<Uint8Array>;
  /** Closes the connection, for one who reads none of the bytes. */
  discard(): void;
}

export interface S3Page<Entry> {
  entries: Entry[];
  /** Where the next page begins; null at the end. */
  next: string | null;
  /** The clock of the store, in milliseconds since 1970: its times are compared with no other. */
  nowMs: number;
}

export interface S3Listed {
  key: string;
  sizeBytes: number;
  modifiedMs: number;
}

export interface S3Unfinished {
  key: string;
  uploadId: string;
  startedMs: number;
}

export interface S3Options {
  timeouts?: Partial<S3Timeouts>;
  /** How many entries a list has at most. S3 gives 1,000. */
  pageSize?: number;
}

export interface PutOptions {
  /** Of the body, 16 bytes. */
  md5: Buffer;
  signal?: AbortSignal | undefined;
}

const usualTimeouts: S3Timeouts = { connect: 5_000, idle: 30_000, call: 30_000, assemble: 300_000 };
const attemptsAtMost = 3;
/** A download that is cut again and again still comes to its end, as long as it advances this far. */
const advanceBytes = 8 * 1024 * 1024;
const firstBackoffMs = 200;
/** An `upload-id-marker` is any text without a space. */
const markerSeparator = ' ';

/**
 * One bucket of an S3 store: put, multipart upload, get, list and delete, which all stores have. Nothing else is used:
 * copies, conditional writes and parallel parts fail in some of them. Calls are repeated where that is safe, which asks
 * of callers that a key is written with one content only.
 *
 * All calls throw StoreUnavailable (out of reach, too slow, too busy), S3Refused, or FailureError `disk-full`.
 */
export class S3Client {
  readonly #transport: S3Transport;
  readonly #prefix: string;
  readonly #pageSize: number;

  constructor(address: S3Address, keys: S3Keys, { timeouts = {}, pageSize = 1_000 }: S3Options = {}) {
    this.#pageSize = pageSize;
    this.#transport = new S3Transport(address, keys, { ...usualTimeouts, ...timeouts });
    this.#prefix = address.prefix;
  }

  /** The address, for messages. */
  get shown(): string {
    return this.#transport.shown;
  }

  /** In front of each key in the bucket; callers do not see it in keys. */
  get prefix(): string {
    return this.#prefix;
  }

  async put(key: string, body: Uint8Array, { md5, signal }: PutOptions): Promise<void> {
    await this.#putChecked({ key, body, md5, signal });
  }

  /** @returns its upload ID */
  createUpload(key: string, signal?: AbortSignal): Promise<string> {
    return this.#repeated(async () => {
      const { text } = await this.#transport.call({
        method: 'POST',
        key,
        query: { uploads: '' },
        limit: 'call',
        signal,
      });
      return this.#read(text, 'InitiateMultipartUploadResult', (root) => requiredText(root, 'UploadId'));
    }, signal);
  }

  /** Parts are numbered from 1. All but the last have 5 MiB or more. @returns its ETag */
  putPart(key: string, uploadId: string, part: number, body: Uint8Array, { md5, signal }: PutOptions): Promise<string> {
    return this.#putChecked({ key, query: { partNumber: String(part), uploadId }, body, md5, signal });
  }

  /** `etags` in the order of the parts. An upload that was completed by a call whose answer was lost is completed. */
  async completeUpload(key: string, uploadId: string, etags: readonly string[], signal?: AbortSignal): Promise<void> {
    const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    let isRepeated = false;
    await this.#repeated(async () => {
      if (isRepeated && (await this.#isThere(key, signal))) return;
      isRepeated = true;
      await this.#complete(key, uploadId, body, signal);
    }, signal);
  }

  /** Also one that is not there. */
  async abortUpload(key: string, uploadId: string, signal?: AbortSignal): Promise<void> {
    await this.#remove({ method: 'DELETE', key, query: { uploadId }, limit: 'call', signal }, 'NoSuchUpload');
  }

  /** Throws S3Refused `NoSuchKey`. A download that is cut off is continued where it ended. */
  async get(key: string, range?: ByteRange, etag?: string | null): Promise<S3Object> {
    const response = await this.#repeated(() => this.#openRange(key, range, etag ?? null));
    const got = this.#describe(response, range);
    const whole = range ?? { first: 0, last: got.totalBytes - 1 };
    const bytes = this.#bytesOf(response, key, whole, got.etag);
    return { ...got, bytes, discard: () => void response.destroy() };
  }

  /** Of a small object. Throws S3Refused `NoSuchKey`. */
  async text(key: string, signal?: AbortSignal): Promise<string> {
    const call = { method: 'GET', key, limit: 'call', signal } as const;
    return (await this.#repeated(() => this.#transport.call(call), signal)).text;
  }

  /** Also one that is not there. */
  async delete(key: string, signal?: AbortSignal): Promise<void> {
    await this.#remove({ method: 'DELETE', key, limit: 'call', signal }, 'NoSuchKey');
  }

  /** Objects whose keys begin with `start`, in the order of their keys: one page. */
  async list(start: string, next: string | null): Promise<S3Page<S3Listed>> {
    const query = {
      'list-type': '2',
      prefix: `${this.#prefix}${start}`,
      'max-keys': String(this.#pageSize),
      ...(next === null ? {} : { 'continuation-token': next }),
    };
    return this.#page(query, 'ListBucketResult', (root) => ({
      entries: childrenNamed(root, 'Contents').map((entry) => ({
        key: this.#withoutPrefix(requiredText(entry, 'Key')),
        sizeBytes: Number(requiredText(entry, 'Size')),
        modifiedMs: instant(requiredText(entry, 'LastModified')),
      })),
      next: childText(root, 'IsTruncated') === 'true' ? requiredText(root, 'NextContinuationToken') : null,
    }));
  }

  /** The same of multipart uploads that were neither completed nor aborted. Not all stores can list them. */
  async listUnfinished(start: string, next: string | null): Promise<S3Page<S3Unfinished>> {
    const [keyMarker = '', idMarker = ''] = next?.split(markerSeparator) ?? [];
    const query = {
      uploads: '',
      prefix: `${this.#prefix}${start}`,
      'max-uploads': String(this.#pageSize),
      ...(next === null ? {} : { 'key-marker': keyMarker, 'upload-id-marker': idMarker }),
    };
    return this.#page(query, 'ListMultipartUploadsResult', (root) => ({
      entries: childrenNamed(root, 'Upload').map((entry) => ({
        key: this.#withoutPrefix(requiredText(entry, 'Key')),
        uploadId: requiredText(entry, 'UploadId'),
        startedMs: instant(requiredText(entry, 'Initiated')),
      })),
      next:
        childText(root, 'IsTruncated') === 'true'
          ? [requiredText(root, 'NextKeyMarker'), requiredText(root, 'NextUploadIdMarker')].join(markerSeparator)
          : null,
    }));
  }

  close(): void {
    this.#transport.close();
  }

  async #complete(key: string, uploadId: string, body: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
    try {
      const call = { method: 'POST', key, query: { uploadId }, body, limit: 'assemble', signal } as const;
      const { text } = await this.#transport.call(call);
      // Stores begin to answer with 200, which keeps the connection open, and may fail afterwards.
      if (!text.includes('<CompleteMultipartUploadResult')) throw this.#transport.errorOf(200, text);
    } catch (error) {
      // An earlier call may have done it only after it was given up.
      if (!(error instanceof S3Refused && error.code === 'NoSuchUpload' && (await this.#isThere(key, signal))))
        throw error;
    }
  }

  async #remove(call: S3Request, codeWhereMissing: string): Promise<void> {
    try {
      await this.#repeated(() => this.#transport.call(call), call.signal);
    } catch (error) {
      if (!(error instanceof S3Refused && error.code === codeWhereMissing)) throw error;
    }
  }

  async #isThere(key: string, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      await this.#transport.call({ method: 'HEAD', key, limit: 'call', signal });
      return true;
    } catch (error) {
      if (error instanceof S3Refused && error.code === 'NoSuchKey') return false;
      throw error;
    }
  }

  /** @returns the ETag, as the store wrote it */
  #putChecked({ md5, ...put }: PutOptions & Pick<PutCall, 'key' | 'query' | 'body'>): Promise<string> {
    const headers = { 'content-md5': md5.toString('base64') };
    return this.#repeated(async () => {
      const { response } = await this.#transport.call({ method: 'PUT', ...put, headers, limit: 'idle' });
      const { etag } = response.headers;
      if (etag === undefined || !plainEtag.test(etag))
        throw this.#transport.refused('NoETag', 'took bytes and answered without a usable ETag');
      const [, digest] = /^"?([\da-f]{32})"?$/i.exec(etag) ?? [];
      if (digest !== undefined && digest.toLowerCase() !== md5.toString('hex') && !isEncryptedThere(response))
        throw this.#transport.refused('WrongETag', 'has other bytes than it was sent: its ETag is not their MD5');
      return etag;
    }, put.signal);
  }

  #openRange(key: string, range: ByteRange | undefined, etag: string | null): Promise<IncomingMessage> {
    const headers = {
      ...(range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` }),
      ...(etag === null ? {} : { 'if-match': etag }),
    };
    return this.#transport.open({ method: 'GET', key, headers, limit: 'idle' });
  }

  /** A reply that is refused is closed: no one reads it. */
  #describe(response: IncomingMessage, range?: ByteRange): { totalBytes: number; etag: string | null } {
    const { statusCode, headers } = response;
    const etag = headers.etag ?? null;
    if (range === undefined) {
      const totalBytes = Number(headers['content-length'] ?? Number.NaN);
      if (Number.isSafeInteger(totalBytes)) return { totalBytes, etag };
      response.destroy();
      throw this.#transport.refused('NoLength', 'sent an object without its length');
    }
    const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
    // A range that reaches beyond the end is shorter. The reader of the bytes misses them then.
    if (statusCode === 206 && Number(first) === range.first && Number(last) <= range.last)
      return { totalBytes: Number(total), etag };
    response.destroy();
    throw this.#transport.refused('NoRanges', 'sent other bytes than the range that was asked for');
  }

  /** From the reply that was opened already, and from later ones where one is cut off. */
  async *#bytesOf(
    opened: IncomingMessage,
    key: string,
    { first, last }: ByteRange,
    etag: string | null,
  ): AsyncGenerator<Uint8Array, void, void> {
    let response = opened;
    let position = first;
    let attempt = 1;
    let advanceAt = first + advanceBytes;
    for (;;) {
      const cut = yield* this.#untilCut(response, (count) => (position += count));
      if (position > last) return;
      if (position >= advanceAt) attempt = 1;
      if (attempt === attemptsAtMost) throw cut;
      advanceAt = position + advanceBytes;
      await backoff(attempt);
      attempt += 1;
      const rest = { first: position, last };
      response = await this.#repeated(() => this.#openRange(key, rest, etag));
      this.#describe(response, rest);
    }
  }

  /** @returns why it ended, also where it ended without an error */
  async *#untilCut(
    response: IncomingMessage,
    received: (count: number) => void,
  ): AsyncGenerator<Uint8Array, StoreUnavailable, void> {
    const chunks = this.#transport.bodyOf(response);
    try {
      for (;;) {
        const { done, value } = await chunks.next();
        if (done === true) return this.#transport.unavailable('sent less than the whole of an object');
        received(value.length);
        yield value;
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) return error;
      throw error;
    } finally {
      await chunks.return();
    }
  }

  #page<Page extends object>(
    query: Readonly<Record<string, string>>,
    name: string,
    read: (root: XmlElement) => Page,
  ): Promise<Page & { nowMs: number }> {
    return this.#repeated(async () => {
      const { text, response } = await this.#transport.call({ method: 'GET', key: null, query, limit: 'call' });
      const nowMs = Date.parse(response.headers.date ?? '');
      if (Number.isNaN(nowMs)) throw this.#transport.refused('NoDate', 'answers without its time (Date)');
      return { ...this.#read(text, name, read), nowMs };
    });
  }

  #read<T>(text: string, name: string, read: (root: XmlElement) => T): T {
    try {
      const root = readXml(text);
      if (root.name === name) return read(root);
      throw new XmlError(`<${root.name}> for <${name}>`);
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      throw this.#transport.refused('NotUnderstood', `sent a reply that is not understood: ${error.message}`);
    }
  }

  #withoutPrefix(key: string): string {
    if (key.startsWith(this.#prefix)) return key.slice(this.#prefix.length);
    throw new XmlError('a key that was not asked for');
  }

  async #repeated<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        if (attempt === attemptsAtMost || signal?.aborted === true || !isWorthRepeating(error)) throw error;
      }
      await backoff(attempt, signal);
    }
  }
}

/** It is repeated in the XML that completes an upload. */
const plainEtag = /^[!-%'-;=?-~]+$/;

interface PutCall {
  key: string;
  query?: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** Bytes that were changed on their way may arrive unchanged the next time. */
const isWorthRepeating = (error: unknown): boolean =>
  error instanceof StoreUnavailable ||
  (error instanceof S3Refused && (error.code === 'BadDigest' || error.code === 'WrongETag'));

/** Between no time and the whole of it: clients that failed together must not come back together. */
const backoff = (attempt: number, signal?: AbortSignal): Promise<void> =>
  wait(Math.random() * firstBackoffMs * 4 ** (attempt - 1), undefined, signal === undefined ? {} : { signal });

/** Then its ETag need not be an MD5 (Amazon S3, "Checking object integrity"). */
const isEncryptedThere = ({ headers }: IncomingMessage): boolean =>
  Object.keys(headers).some((name) => name.startsWith('x-amz-server-side-encryption'));

function instant(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new XmlError('a time that is none');
  return time;
}
