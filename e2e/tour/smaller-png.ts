import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** https://www.w3.org/TR/png-3: what is before the chunks, and around the data of each. */
const signatureBytes = 8;
const chunkFrame = 12;
const opaqueColour = 2;
const colourBytes = 3;

interface Chunk {
  type: string;
  data: Buffer;
}

/**
 * The same picture, lossless, some seventh smaller: of flat areas and letters most is saved where bytes stay as they
 * are. Takes what a browser writes, eight bits a colour without transparency; another PNG comes back as it is.
 */
export function smallerPng(png: Buffer): Buffer {
  const chunks = [...chunksOf(png)];
  const head = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (head === undefined || head[8] !== 8 || head[9] !== opaqueColour || head[12] !== 0) return png;
  const data = Buffer.concat(chunks.flatMap((chunk) => (chunk.type === 'IDAT' ? chunk.data : [])));
  const smaller = deflateSync(unfiltered(inflateSync(data), head.readUInt32BE(0) * colourBytes), {
    level: 9,
    memLevel: 9,
  });
  if (smaller.length >= data.length) return png;
  const kept: Chunk[] = [
    { type: 'IHDR', data: head },
    { type: 'IDAT', data: smaller },
    { type: 'IEND', data: Buffer.alloc(0) },
  ];
  return Buffer.concat([png.subarray(0, signatureBytes), ...kept.map(framed)]);
}

function* chunksOf(png: Buffer): Generator<Chunk> {
  for (let at = signatureBytes; at + chunkFrame <= png.length;) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += chunkFrame + length;
  }
}

function framed({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Each line with its bytes as they are, after the filter that means this. */
function unfiltered(lines: Buffer, lineBytes: number): Buffer {
  const plain = Buffer.alloc(lines.length);
  for (let start = 0; start < lines.length; start += lineBytes + 1) {
    const filter = lines[start] ?? 0;
    for (let at = start + 1; at <= start + lineBytes; at += 1) {
      const isFirst = at <= start + colourBytes;
      const left = isFirst ? 0 : (plain[at - colourBytes] ?? 0);
      const up = start === 0 ? 0 : (plain[at - lineBytes - 1] ?? 0);
      const corner = isFirst || start === 0 ? 0 : (plain[at - lineBytes - 1 - colourBytes] ?? 0);
      plain[at] = (lines[at] ?? 0) + predicted(filter, left, up, corner);
    }
  }
  return plain;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return nearest(left, up, corner);
    default:
      return 0;
  }
}

/** Paeth's. */
function nearest(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
