import { createHash } from 'node:crypto';

/** What the bytes of a stretch look like. None of them does anything. */
export type Filler = 'text' | 'code' | 'packed' | 'empty';

const words = (
  'window session update helper version install folder network printer account report summary ' +
  'service registry language resource dialog manifest '
).split(' ');

/** The same for the same seed, on every machine. */
export function filled(filler: Filler, seed: string, sizeBytes: number): Buffer {
  if (filler === 'empty') return Buffer.alloc(sizeBytes);
  const noise = createHash('shake256', { outputLength: sizeBytes }).update(`vitrine tour: ${seed}`).digest();
  if (filler === 'packed') return noise;
  return filler === 'code' ? likeCode(noise) : likeText(noise);
}

/** Few values come often, as in machine code; by themselves they mean nothing. */
function likeCode(noise: Buffer): Buffer {
  const often = [0x00, 0x00, 0x48, 0x8b, 0x89, 0xe8, 0xff, 0x0f, 0x24, 0x45, 0x4c, 0x8d, 0x83, 0xc0, 0x75, 0x74];
  return Buffer.from(noise.map((byte) => (byte < 0xb0 ? (often[byte % often.length] ?? 0) : byte & 0x7f)));
}

function likeText(noise: Buffer): Buffer {
  let text = '';
  for (let at = 0; text.length < noise.length; at += 1)
    text += `${words[(noise[at] ?? 0) % words.length] ?? ''}${at % 11 === 10 ? '\r\n' : ' '}`;
  return Buffer.from(text.slice(0, noise.length), 'latin1');
}
