import { Buffer } from 'node:buffer';
import { fail } from '../../shared/failure.ts';
import type { OpenReply } from './client.ts';
import { failureInsteadOfBytes, followedBy, lookedAtBytes } from './first-bytes.ts';
import type { ByteReply } from './repository-api.ts';

/** How a ZIP's first entry begins, and a ZIP without entries (PKWARE APPNOTE, 4.3.7 and 4.3.16). */
const entrySignature = Buffer.from('PK\x03\x04', 'latin1');
const endSignature = Buffer.from('PK\x05\x06', 'latin1');

/**
 * Hands on the bytes of a ZIP. A PHP warning before it is left for the reader of the archive to pass over: an entry
 * that begins within what is looked at makes the reply a ZIP. Any other reply is told by what it is, else as
 * `not-an-archive`.
 */
export async function archiveBytes(reply: OpenReply): Promise<ByteReply> {
  const { expectedBytes, chunks, facts } = reply;
  const { body, pieces } = await beginning(chunks);
  if (beginsArchive(body) || body.indexOf(entrySignature) >= 0)
    return { expectedBytes, chunks: followedBy(pieces, chunks) };
  await chunks.return(undefined);
  const { service, address, redaction } = facts;
  return fail(
    failureInsteadOfBytes(body, facts) ?? {
      kind: 'not-an-archive',
      service,
      address,
      status: 200,
      text: redaction.excerpt(body),
    },
  );
}

const beginsArchive = (body: Buffer): boolean =>
  [entrySignature, endSignature].some((signature) => body.subarray(0, signature.length).equals(signature));

/** As much of the reply as it takes to see a ZIP at its start, else all that is looked at. */
async function beginning(chunks: OpenReply['chunks']): Promise<{ body: Buffer; pieces: Uint8Array[] }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < lookedAtBytes) {
    const next = await chunks.next();
    if (next.done) break;
    pieces.push(next.value);
    const isFirstLook = length < entrySignature.length;
    length += next.value.length;
    if (isFirstLook && beginsArchive(Buffer.concat(pieces))) break;
  }
  return { body: Buffer.concat(pieces).subarray(0, lookedAtBytes), pieces };
}
