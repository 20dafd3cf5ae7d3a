import { createHash } from 'node:crypto';

/**
 * Harmless bytes, the same for the same number: from one byte to some 60 KiB, some that shrink and some that do not.
 */
export interface GeneratedSample {
  name: string;
  md5: string;
  bytes: Buffer;
}

export function generatedSamples(count: number, kind: string): GeneratedSample[] {
  return Array.from({ length: count }, (_, index) => generated(`${kind}-${String(index + 1).padStart(5, '0')}`, index));
}

function generated(name: string, index: number): GeneratedSample {
  const size = (index * 7919) % 60_000;
  const bytes = Buffer.concat([Buffer.from(name), index % 2 === 0 ? text(name, size) : noise(name, size)]);
  return { name: `${name}.bin`, md5: createHash('md5').update(bytes).digest('hex'), bytes };
}

const text = (name: string, size: number): Buffer => Buffer.alloc(size, `${name} says the same thing again\n`);

/** Looks random, and is the same each time: a hash that is stretched. */
const noise = (name: string, size: number): Buffer =>
  createHash('shake256', { outputLength: Math.max(1, size) })
    .update(name)
    .digest();
