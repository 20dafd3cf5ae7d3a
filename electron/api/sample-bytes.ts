import { hash } from 'node:crypto';
import { FailureError } from '../../shared/failure.ts';
import type { OpenReply } from './client.ts';
import { failureInsteadOfBytes, followedBy, shortReply, withoutStrayBytes } from './first-bytes.ts';
import type { ByteReply } from './repository-api.ts';

/**
 * Hands on the bytes of a sample, unless they are a service's error under status 200 (docs/services.md,
 * "downloadfile"). A short reply with the MD5 that was asked for is the sample, whatever it looks like: a sample may
 * well be a web page.
 */
export async function sampleBytes(reply: OpenReply, md5: string): Promise<ByteReply> {
  const { expectedBytes, chunks, facts } = reply;
  const { pieces, whole } = await shortReply(reply);
  if (whole === null) return { expectedBytes, chunks: followedBy(pieces, chunks) };
  const isAskedFor = hash('md5', whole) === md5 || hash('md5', withoutStrayBytes(whole)) === md5;
  const failure = isAskedFor ? null : failureInsteadOfBytes(whole, facts);
  if (failure) throw new FailureError(failure);
  return { expectedBytes, chunks: followedBy(pieces) };
}
