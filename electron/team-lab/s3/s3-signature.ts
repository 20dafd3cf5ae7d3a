import { createHmac, hash } from 'node:crypto';
import type { S3Keys } from './s3-address.ts';

const algorithm = 'AWS4-HMAC-SHA256';
/** The body has a checksum of its own, `content-md5`. */
const unsignedPayload = 'UNSIGNED-PAYLOAD';
/** A proxy may change the first two; the third is set where the body is sent. */
const unsigned: ReadonlySet<string> = new Set(['range', 'connection', 'content-length']);

export interface UnsignedRequest {
  method: string;
  /** As the `Host` header has it. */
  host: string;
  /** With a slash in front. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** In lower case. */
  headers: Readonly<Record<string, string>>;
}

export interface SignedRequest {
  /** Path and query, encoded as they are signed, in the order that was given. */
  target: string;
  headers: Record<string, string>;
}

/**
 * Signs requests to S3 (AWS General Reference, "Signature Version 4"; Amazon S3, "Authenticating Requests:
 * Authorization Header"). Without a thread: Web Crypto hands each digest to another one, which takes longer than all
 * else of a small upload.
 */
export class S3Signer {
  readonly #keys: S3Keys;
  readonly #region: string;
  /** It is good for a day. */
  #key: { day: string; bytes: Buffer } = { day: '', bytes: Buffer.alloc(0) };

  constructor(keys: S3Keys, region: string) {
    this.#keys = keys;
    this.#region = region;
  }

  sign({ method, host, path, query, headers }: UnsignedRequest, now: Date = new Date()): SignedRequest {
    const time = now.toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
    const day = time.slice(0, 'YYYYMMDD'.length);
    const own = { ...headers, 'x-amz-content-sha256': unsignedPayload, 'x-amz-date': time };
    const signed = Object.entries({ ...own, host })
      .filter(([name]) => !unsigned.has(name))
      .toSorted(byName);
    const names = signed.map(([name]) => name).join(';');
    const lines = signed.map(([name, value]) => `${name}:${value.trim().replaceAll(/\s+/g, ' ')}\n`).join('');
    const encodedPath = path.split('/').map(encoded).join('/');
    const pairs = Object.entries(query).map(([name, value]): [string, string] => [encoded(name), encoded(value)]);
    const joined = (list: readonly [string, string][]): string => list.map((pair) => pair.join('=')).join('&');
    const request = [method, encodedPath, joined(pairs.toSorted(byName)), lines, names, unsignedPayload].join('\n');
    const scope = `${day}/${this.#region}/s3/aws4_request`;
    const text = [algorithm, time, scope, hash('sha256', request)].join('\n');
    const signature = hmac(this.#keyOf(day), text).toString('hex');
    const credential = `${this.#keys.accessKeyId}/${scope}`;
    return {
      target: pairs.length === 0 ? encodedPath : `${encodedPath}?${joined(pairs)}`,
      headers: {
        ...own,
        authorization: `${algorithm} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
      },
    };
  }

  #keyOf(day: string): Buffer {
    if (this.#key.day !== day) {
      const first = Buffer.from(`AWS4${this.#keys.secretAccessKey}`);
      this.#key = { day, bytes: [day, this.#region, 's3', 'aws4_request'].reduce(hmac, first) };
    }
    return this.#key.bytes;
  }
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** By code units, as the signature wants it. */
const byName = ([one]: readonly [string, string], [other]: readonly [string, string]): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** RFC 3986, section 2.3: all but unreserved characters. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
