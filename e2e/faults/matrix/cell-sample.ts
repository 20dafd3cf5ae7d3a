import { createCipheriv, createHash } from 'node:crypto';

/** A file of one cell alone: what one cell stored has no effect on another. */
export interface CellSample {
  name: string;
  bytes: Buffer;
  md5: string;
  sha1: string;
  sha256: string;
}

/** The same bytes for the same name: nothing can compress them, and they begin with words that can be searched for. */
export function cellSample(name: string, sizeBytes: number): CellSample {
  const noise = createCipheriv('aes-256-ctr', createHash('sha256').update(name).digest(), Buffer.alloc(16));
  const bytes = Buffer.concat([Buffer.from(`${sampleWords} ${name}\n`), noise.update(Buffer.alloc(sizeBytes))]);
  const digest = (algorithm: string): string => createHash(algorithm).update(bytes).digest('hex');
  return { name, bytes, md5: digest('md5'), sha1: digest('sha1'), sha256: digest('sha256') };
}

/** Nothing on the disk may hold these as they are. */
export const sampleWords = 'the plain bytes of a sample of the fault matrix:';
