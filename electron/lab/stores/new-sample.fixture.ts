import { createHash } from 'node:crypto';
import type { NewComment, NewSample } from './metadata-store.ts';

/** In hex. */
export const digest = (algorithm: string, seed: string): string => createHash(algorithm).update(seed).digest('hex');
export const created = '2025-01-01T00:00:00Z';

/** A sample of its own for each seed; nothing but its hashes comes from it. */
export function newSample(seed: string, changes: Partial<NewSample['sample']> = {}): NewSample {
  const hashes = { md5: digest('md5', seed), sha1: digest('sha1', seed), sha256: digest('sha256', seed) };
  const sample = {
    hashes,
    place: hashes.sha256,
    sizeBytes: 3,
    name: 'a',
    mime: null,
    threat: null,
    criticity: 1,
    tags: ['z', 'a:b'],
    uploader: 'ana',
    uploaded: created,
    restricted: false,
    virusTotal: false,
    sandbox: false,
    ...changes,
  } as const;
  return { sample: { ...sample, tags: [...sample.tags] }, comments: [] };
}

/** Other bytes than those of its own seed, with the MD5 of another. */
export const withMd5Of = (seed: string, other: string): NewSample =>
  newSample(seed, { hashes: { ...newSample(seed).sample.hashes, md5: newSample(other).sample.hashes.md5 } });

export const newComment = (content: string, ...replies: NewComment[]): NewComment => ({
  author: 'ana',
  created,
  content,
  replies,
});
