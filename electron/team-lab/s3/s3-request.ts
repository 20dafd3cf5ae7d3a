import { Agent as PlainAgent, type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { FailureError } from '../../../shared/failure.ts';
import { StoreUnavailable } from '../../lab/stores/blob-store.ts';
import { distrustOf } from '../server-trust.ts';
import { type S3Address, type S3Keys, shownAddress } from './s3-address.ts';
import { S3Signer, type SignedRequest } from './s3-signature.ts';
import { childText, readXml, XmlError } from './s3-xml.ts';
import { OperatorError } from '../../lab/errors.ts';

/** In milliseconds. */
export interface S3Timeouts {
  connect: number;
  /** How long nothing may move in either direction. */
  idle: number;
  /** The whole of a call that moves few bytes. */
  call: number;
  /** `idle` for a call in which a store puts a large object together before it answers. */
  assemble: number;
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Without the prefix; null for the bucket itself. */
  key: string | null;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** Must not change before the call has settled. */
  body?: Uint8Array;
  /** Which of the timeouts besides `connect`. */
  limit: Exclude<keyof S3Timeouts, 'connect'>;
  signal?: AbortSignal | undefined;
}

/**
 * The store answered and does not do what was asked: wrong keys, a wrong clock, no such bucket. Repeating is useless.
 * The message is a sentence for operators and holds no secret; `code` is S3's own word, or one of ours.
 */
export class S3Refused extends OperatorError {
  override readonly name = 'S3Refused';
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const bodyPieceBytes = 256 * 1024;
/** A list of 1,000 objects has some 400 KB. */
const replyBytesAtMost = 4 * 1024 * 1024;

/** Sends signed requests to one bucket over connections that are kept open. Repeats nothing. */
export class S3Transport {
  /** For messages. */
  readonly shown: string;
  readonly #address: S3Address;
  readonly #keys: S3Keys;
  readonly #timeouts: S3Timeouts;
  readonly #agent: PlainAgent;
  readonly #signer: S3Signer;
  readonly #host: { hostname: string; port: string };

  constructor(address: S3Address, keys: S3Keys, timeouts: S3Timeouts) {
    this.#address = address;
    this.#keys = keys;
    this.#timeouts = timeouts;
    const { hostname, port } = new URL(`${address.isSecure ? 'https' : 'http'}://${address.host}`);
    // An address of IPv6 has brackets there, which names of hosts have not.
    this.#host = { hostname: hostname.replaceAll(/[[\]]/g, ''), port };
    this.#signer = new S3Signer(keys, address.region);
    this.shown = shownAddress(address);
    this.#agent = address.isSecure ? new SecureAgent({ keepAlive: true }) : new PlainAgent({ keepAlive: true });
  }

  /**
   * The text of a small reply.
   * @throws StoreUnavailable, S3Refused, FailureError `disk-full`
   */
  async call(asked: S3Request): Promise<{ text: string; response: IncomingMessage }> {
    const response = await this.open(asked);
    return { text: await this.#small(response), response };
  }

  /** The reply whose body is yet to be read with `bodyOf`. Throws what `call` does. */
  async open(asked: S3Request): Promise<IncomingMessage> {
    const response = await this.#send(asked);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return response;
    // This reply alone has no words.
    if (asked.method === 'HEAD' && status === 404) throw this.refused('NoSuchKey', 'has no such object');
    throw this.errorOf(status, await this.#small(response));
  }

  /** Its bytes as they come. A slow reader is waited for; a slow store is not. @throws StoreUnavailable */
  async *bodyOf(response: IncomingMessage): AsyncGenerator<Uint8Array, void, void> {
    const chunks: AsyncIterator<Uint8Array> = response[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.#nextOf(response, chunks);
        if (done === true) return;
        yield value;
      }
    } finally {
      // After a body that was read to its end this does nothing, and the connection serves the next request.
      if (!response.readableEnded) response.destroy();
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  unavailable(what: string, cause?: unknown): StoreUnavailable {
    return new StoreUnavailable(`The bucket ${this.shown} ${what}.`, cause === undefined ? {} : { cause });
  }

  refused(code: string, what: string): S3Refused {
    return new S3Refused(code, `The bucket ${this.shown} ${what}.`);
  }

  async #nextOf(
    response: IncomingMessage,
    chunks: AsyncIterator<Uint8Array>,
  ): Promise<IteratorResult<Uint8Array, unknown>> {
    const idle = this.#timeouts.idle;
    const timer = setTimeout(() => response.destroy(this.unavailable(`sent nothing for ${idle / 1000} s`)), idle);
    try {
      return await chunks.next();
    } catch (error) {
      throw error instanceof StoreUnavailable ? error : this.unavailable('ended the connection within a reply', error);
    } finally {
      clearTimeout(timer);
    }
  }

  async #send(asked: S3Request): Promise<IncomingMessage> {
    const { method, signal, body } = asked;
    signal?.throwIfAborted();
    const { target, headers } = this.#signed(asked);
    const send = this.#address.isSecure ? secureRequest : plainRequest;
    const length = method === 'PUT' || method === 'POST' ? { 'content-length': body?.length ?? 0 } : {};
    const { host } = this.#address;
    const place = { ...this.#host, path: target };
    const request = send({ ...place, method, agent: this.#agent, headers: { ...headers, ...length, host } });
    this.#watch(request, asked);
    try {
      return await answerOf(request, body);
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof StoreUnavailable ? error : this.#connectionError(error);
    }
  }

  #signed({ method, key, query = {}, headers = {} }: S3Request): SignedRequest {
    const { host, bucket, prefix } = this.#address;
    const path = key === null ? `/${bucket}` : `/${bucket}/${prefix}${key}`;
    return this.#signer.sign({ method, host, path, query, headers });
  }

  #watch(request: ClientRequest, { limit, signal }: S3Request): void {
    const { connect, call } = this.#timeouts;
    const idle = this.#timeouts[limit === 'assemble' ? 'assemble' : 'idle'];
    const end = (what: string) => (): void => void request.destroy(this.unavailable(what));
    request.setTimeout(idle, end(`did not answer for ${idle / 1000} s`));
    // From here on the one who reads the body is waited for, too: `bodyOf` watches the store alone.
    request.once('response', () => request.setTimeout(0));
    request.once('socket', (socket) => {
      if (!socket.connecting) return;
      const timer = setTimeout(end(`cannot be reached within ${connect / 1000} s`), connect);
      const stop = (): void => clearTimeout(timer);
      socket.once(this.#address.isSecure ? 'secureConnect' : 'connect', stop).once('close', stop);
    });
    const whole = limit === 'call' ? setTimeout(end(`did not answer within ${call / 1000} s`), call) : undefined;
    const abort = end('is no longer waited for');
    signal?.addEventListener('abort', abort);
    request.once('close', () => {
      clearTimeout(whole);
      signal?.removeEventListener('abort', abort);
    });
  }

  #connectionError(error: unknown): StoreUnavailable {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    const distrust = this.#address.isSecure ? distrustOf(error, 'NODE_EXTRA_CA_CERTS') : null;
    return this.unavailable(distrust ?? `cannot be reached${code}`, error);
  }

  async #small(response: IncomingMessage): Promise<string> {
    const chunks: Uint8Array[] = [];
    let sizeBytes = 0;
    for await (const chunk of this.bodyOf(response)) {
      sizeBytes += chunk.length;
      if (sizeBytes > replyBytesAtMost) throw this.refused('ReplyTooLarge', 'sent a reply that is too large');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /**
   * What an answer with this status and this text means. Also a reply of 200 can be one, once a long call has begun.
   */
  errorOf(status: number, text: string): Error {
    const { code, message } = readError(text);
    const sentence = message.replace(/\.$/, '');
    const words = this.#withoutKeys([String(status), code, sentence].filter((word) => word !== '').join(' '));
    if (fullCodes.has(code) || status === 507)
      return new FailureError({ kind: 'disk-full', path: this.shown }, { cause: new Error(words) });
    if (busyStatuses.has(status) || busyCodes.has(code)) return this.unavailable(`is busy or failed: ${words}`);
    const advice = adviceFor[code] ?? (code === '' ? 'The answer is not that of an S3 store.' : '');
    return this.refused(code === '' ? String(status) : code, `refused: ${words}. ${advice}`.trim().replace(/\.$/, ''));
  }

  /** Some stores repeat the key ID in their messages. */
  #withoutKeys(text: string): string {
    const { accessKeyId, secretAccessKey } = this.#keys;
    return text.replaceAll(secretAccessKey, '…').replaceAll(accessKeyId, '…').slice(0, 300);
  }
}

const busyStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
/** Whatever their status: it differs between stores. */
const busyCodes: ReadonlySet<string> = new Set(['InternalError', 'SlowDown', 'RequestTimeout', 'OperationAborted']);
const fullCodes: ReadonlySet<string> = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientStorage',
  'InsufficientCapacity',
]);
const checkKeys = 'Check VITRINE_LAB_S3_KEY_FILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
const adviceFor: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: `The key ID is unknown there. ${checkKeys}.`,
  SignatureDoesNotMatch: `The secret key is wrong, or a proxy changes requests. ${checkKeys}.`,
  AccessDenied: 'The keys do not allow this. Give them the rights to read, write, list and delete there.',
  RequestTimeTooSkewed: 'The clock of this computer or of the store is wrong: set it by NTP.',
  NoSuchBucket: 'Create the bucket first.',
  AuthorizationHeaderMalformed: 'Name the region of the bucket in its address: ?region=NAME.',
  PermanentRedirect: 'The bucket is at another address or in another region.',
};

/** The code and the message alone: other parts of such a reply repeat what was signed. */
function readError(text: string): { code: string; message: string } {
  try {
    const root = readXml(text);
    const code = childText(root, 'Code') ?? '';
    return { code: /^\w{1,64}$/.test(code) ? code : '', message: childText(root, 'Message') ?? '' };
  } catch (error) {
    if (error instanceof XmlError) return { code: '', message: '' };
    throw error;
  }
}

/** A store may refuse before it has read the whole body. */
async function answerOf(request: ClientRequest, body: Uint8Array | undefined): Promise<IncomingMessage> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.once('response', resolve).once('error', reject);
  if (body === undefined || body.length <= bodyPieceBytes) request.end(body);
  else await Promise.race([writeAll(request, body), answer]);
  const response = await answer;
  // From here on what happens to the connection is an error of the reply, which its reader gets.
  request.on('error', () => {});
  // What is left of the body must not be sent: its memory is used again, and the connection serves no other request.
  response.once('end', () => request.writableFinished || request.destroy());
  return response;
}

/** In pieces: TLS would copy all that it is given at once. */
async function writeAll(request: ClientRequest, body: Uint8Array): Promise<void> {
  for (let at = 0; at < body.length; at += bodyPieceBytes) {
    if (request.destroyed) return;
    if (!request.write(body.subarray(at, at + bodyPieceBytes))) await drained(request);
  }
  request.end();
}

/** Also where the connection is gone: the answer reports that. */
function drained(request: ClientRequest): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = (): void => {
    request.off('drain', settle).off('close', settle);
    resolve();
  };
  request.on('drain', settle).on('close', settle);
  return promise;
}
