import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { type Failure, FailureError } from '../../shared/failure.ts';
import type { CallFacts } from './call.ts';
import type { OpenReply } from './client.ts';
import type { ByteReply } from './repository-api.ts';
import { readServiceErrorBytes } from './replies/read-service-error.ts';
import { isBlank, isWebPage, textOf } from './replies/reply-text.ts';

/** A reply no longer than this may be an error that came with status 200, and is looked at before it is handed on. */
const lookedAtBytes = 64 * 1024;
const strayBytes = '{}';

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
  const failure = failureInsteadOfSample(Buffer.concat(first), md5, facts);
  if (failure) throw new FailureError(failure);
  return { expectedBytes, chunks: followedBy(first) };
}

function failureInsteadOfSample(body: Buffer, md5: string, facts: CallFacts): Failure | null {
  if (hash('md5', body) === md5 || hash('md5', withoutStrayBytes(body)) === md5) return null;
  const { service, address, redaction } = facts;
  const text = textOf(withoutStrayBytes(body));
  if (isBlank(text)) return { kind: 'empty-reply', service, address, status: 200 };
  if (isWebPage(text)) return { kind: 'html-reply', service, address, status: 200, text: redaction.excerpt(body) };
  const said = readServiceErrorBytes(body) ?? readServiceErrorBytes(withoutStrayBytes(body));
  if (said === null) return null;
  const words = said.message ?? said.code;
  return { kind: 'request-refused', service, address, status: 200, text: redaction.excerpt(words ? Buffer.from(words) : body) };
}

function withoutStrayBytes(body: Buffer): Buffer {
  return body.subarray(-strayBytes.length).toString('latin1') === strayBytes ? body.subarray(0, -strayBytes.length) : body;
}

async function* followedBy(first: Uint8Array[], rest?: OpenReply['chunks']): OpenReply['chunks'] {
  try {
    yield* first;
    if (rest) yield* rest;
  } finally {
    // A reader that leaves among the first chunks has not reached the rest, which holds the connection.
    await rest?.return(undefined);
  }
}
