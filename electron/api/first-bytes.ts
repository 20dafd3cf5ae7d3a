import { Buffer } from 'node:buffer';
import type { Failure } from '../../shared/failure.ts';
import type { CallFacts } from './call.ts';
import type { OpenReply } from './client.ts';
import { readServiceErrorBytes } from './replies/read-service-error.ts';
import { isBlank, isWebPage, textOf } from './replies/reply-text.ts';

/**
 * How much of a reply is looked at before it is handed on: what is there instead of bytes is shorter, or shows by then.
 */
export const lookedAtBytes = 64 * 1024;
const strayBytes = '{}';

/** What servers of the field add behind the bytes of a reply (docs/services.md, "downloadfile"). */
export function withoutStrayBytes(body: Buffer): Buffer {
  return body.subarray(-strayBytes.length).toString('latin1') === strayBytes
    ? body.subarray(0, -strayBytes.length)
    : body;
}

/** A service's error under status 200 where bytes were due; null when it is none of those that are known. */
export function failureInsteadOfBytes(body: Buffer, facts: CallFacts): Failure | null {
  const { service, address, redaction } = facts;
  const text = textOf(withoutStrayBytes(body));
  if (isBlank(text)) return { kind: 'empty-reply', service, address, status: 200 };
  if (isWebPage(text)) return { kind: 'html-reply', service, address, status: 200, text: redaction.excerpt(body) };
  const said = readServiceErrorBytes(body) ?? readServiceErrorBytes(withoutStrayBytes(body));
  if (said === null) return null;
  const words = said.message ?? said.code;
  return {
    kind: 'request-refused',
    service,
    address,
    status: 200,
    text: redaction.excerpt(words ? Buffer.from(words) : body),
  };
}

/**
 * Reads a reply as far as it is looked at. `whole` is all of it; null when it is longer, or announced to be, and
 * `pieces` are then what was read.
 */
export async function shortReply({
  expectedBytes,
  chunks,
}: OpenReply): Promise<{ pieces: Uint8Array[]; whole: Buffer | null }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length <= lookedAtBytes && (expectedBytes ?? 0) <= lookedAtBytes) {
    const next = await chunks.next();
    if (next.done) return { pieces, whole: Buffer.concat(pieces) };
    pieces.push(next.value);
    length += next.value.length;
  }
  return { pieces, whole: null };
}

/** A reply as it was before its first chunks were looked at. */
export async function* followedBy(first: Uint8Array[], rest?: OpenReply['chunks']): OpenReply['chunks'] {
  try {
    yield* first;
    if (rest) yield* rest;
  } finally {
    // A reader that leaves among the first chunks has not reached the rest, which holds the connection.
    await rest?.return(undefined);
  }
}
