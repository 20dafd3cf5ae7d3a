import { hash } from 'node:crypto';
import { encodeContainer } from '../../vault/container/container.ts';

/** For tests: a sample, and the container that a vault has of it; each time another one. */
export function sampleIn(text: string): { sha256: string; container: () => Buffer } {
  const bytes = Buffer.from(text);
  const [md5, sha1, sha256] = [hash('md5', bytes), hash('sha1', bytes), hash('sha256', bytes)];
  return { sha256, container: () => encodeContainer(bytes, { md5, sha1, sha256, sizeBytes: bytes.length }) };
}
