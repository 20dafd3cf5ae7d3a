import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { FailureError } from '../../shared/failure.ts';
import type { CallFacts } from './call.ts';
import type { OpenReply } from './client.ts';
import { failureInsteadOfBytes, followedBy, lookedAtBytes, withoutStrayBytes } from './first-bytes.ts';
import type { ByteReply } from './repository-api.ts';

/**
 * Hands on the bytes of a sample, unless they are a service's error under status 200 (docs/services.md, "downloadfile").
 * A short reply with the MD5 that was asked for is the sample, whatever it looks like: a sample may well be a web page.
 */
export async function sampleBytes(reply: OpenReply, md5: string, facts: CallFacts): Promise<ByteReply> {
  const { expectedBytes, chunks } = reply;
  const first: Uint8Array[] = [];
  let length = 0;
  while (length <= lookedAtBytes && (expectedBytes ?? 0) <= lookedAtBytes) {
    const next = await chunks.next();
    if (next.done) return wholeSample(first, expectedBytes, md5, facts);
    first.push(next.value);
    length += next.value.length;
  }
  return { expectedBytes, chunks: followedBy(first, chunks) };
}

function wholeSample(first: Uint8Array[], expectedBytes: number | null, md5: string, facts: CallFacts): ByteReply {
  const body = Buffer.concat(first);
  const isAskedFor = hash('md5', body) === md5 || hash('md5', withoutStrayBytes(body)) === md5;
  const failure = isAskedFor ? null : failureInsteadOfBytes(body, facts);
  if (failure) throw new FailureError(failure);
  return { expectedBytes, chunks: followedBy(first) };
}
