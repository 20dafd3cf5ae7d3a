import { randomBytes } from 'node:crypto';
import { collected, inChunks, type RawEntry } from '../raw-zip.fixture.ts';
import { readParts } from '../zip-making.fixture.ts';
import { readZipStream, type StreamedPart, type ZipStreamOptions } from './zip-stream.ts';

export const archiveName = 'a.zip';
export const text = Buffer.from('All that is gold does not glitter. '.repeat(2000));
export const noise = randomBytes(100_003);
export const files = { text, noise, empty: Buffer.alloc(0), 'folder/inner': Buffer.from('inner') };

export const parts = (
  zip: Uint8Array,
  options: Partial<ZipStreamOptions> = {},
  ...sizes: number[]
): AsyncGenerator<StreamedPart, void, void> =>
  readZipStream(inChunks(zip, ...(sizes.length > 0 ? sizes : [64 * 1024])), { archiveName, ...options });
export const read = (zip: Uint8Array, options: Partial<ZipStreamOptions> = {}, ...sizes: number[]) =>
  readParts(parts(zip, options, ...sizes));

export async function namesInto(names: string[], all: AsyncIterable<StreamedPart>): Promise<void> {
  for await (const part of all) {
    if (part.kind === 'streamed') await collected(part.chunks);
    names.push(part.name);
  }
}

export const hostile: RawEntry[] = [
  { name: '/etc/x', plain: text },
  { name: '../x', plain: text, method: 0 },
  { name: 'good', plain: text },
  { name: 'AUX', plain: text },
  { name: 'good', plain: Buffer.from('other') },
  { name: 'x\u202ey', plain: text },
  { name: 'lzma', plain: text, method: 14 },
  { name: 'last', plain: Buffer.from('last') },
];
