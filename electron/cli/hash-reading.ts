import { HashExtractor, type HashSink } from '../../shared/domain/hash-extractor.ts';
import type { HashKind } from '../../shared/domain/hash.ts';
import { probeBytes, UnitDecoder } from '../../shared/domain/text-encoding.ts';

/**
 * Reads the hashes out of a text of any size and encoding that comes in pieces. After each of them what was found in it
 * has been given to the sink, and `onPiece` is waited for.
 */
export async function readHashes(
  pieces: AsyncIterable<Uint8Array>,
  sink: HashSink,
  onPiece: () => Promise<void> = async () => {},
): Promise<void> {
  const [decoder, extractor] = [new UnitDecoder(), new HashExtractor(sink)];
  for await (const piece of withLongBeginning(pieces)) {
    extractor.push(decoder.decode(piece));
    await onPiece();
  }
  extractor.push(decoder.end());
  extractor.end();
  await onPiece();
}

/** A pipe gives a few bytes at a time: too few to detect an encoding. */
async function* withLongBeginning(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  let beginning: Uint8Array[] | null = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    beginning?.push(piece);
    if (beginning === null) yield piece;
    else if (bytes >= probeBytes) {
      yield joined(beginning);
      beginning = null;
    }
  }
  if (beginning && bytes > 0) yield joined(beginning);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = pieces;
  return only && others.length === 0 ? only : Buffer.concat(pieces);
}

const digitsAWord = 8;
const firstPlaces = 1 << 14;
/** More places at a time, as all digests are placed again. */
const growth = 4;
const wordsOf = { md5: 4, sha1: 5, sha256: 8 } as const satisfies Record<HashKind, number>;

/** Which hashes were there before: many millions, in 20 to 40 bytes each, where a set of strings takes about 150. */
export class DistinctHashes {
  readonly #tables = {
    md5: new DigestTable(wordsOf.md5),
    sha1: new DigestTable(wordsOf.sha1),
    sha256: new DigestTable(wordsOf.sha256),
  };

  get count(): number {
    return this.#tables.md5.count + this.#tables.sha1.count + this.#tables.sha256.count;
  }

  /** Adds a hash in lower case. @returns whether it is new */
  add(kind: HashKind, value: string): boolean {
    return this.#tables[kind].add(value);
  }
}

/** Open addressing: each place has the number of a digest, from 1, or 0. */
class DigestTable {
  count = 0;
  readonly #width: number;
  /** No author of a text knows which hashes would share one place. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32) | 1;
  readonly #given: Uint32Array;
  #digests: Uint32Array;
  #places = new Uint32Array(firstPlaces);

  constructor(width: number) {
    this.#width = width;
    this.#given = new Uint32Array(width);
    this.#digests = new Uint32Array((firstPlaces / 2) * width);
  }

  add(value: string): boolean {
    for (let word = 0; word < this.#width; word += 1) this.#given[word] = wordAt(value, word * digitsAWord);
    const place = this.#placeOf(this.#given, 0);
    if (this.#places[place] !== 0) return false;
    this.#digests.set(this.#given, this.count * this.#width);
    this.count += 1;
    this.#places[place] = this.count;
    if (this.count * 2 >= this.#places.length) this.#grow();
    return true;
  }

  /** Where a digest is, or will be. */
  #placeOf(from: Uint32Array, start: number): number {
    const last = this.#places.length - 1;
    let mixed = this.#seed;
    for (let word = start; word < start + this.#width; word += 1)
      mixed = Math.imul(mixed ^ (from[word] ?? 0), 0x9e3779b1);
    let place = (mixed ^ (mixed >>> 15)) & last;
    for (;;) {
      const number = this.#places[place] ?? 0;
      if (number === 0 || this.#isSame(from, start, (number - 1) * this.#width)) return place;
      place = (place + 1) & last;
    }
  }

  #isSame(from: Uint32Array, start: number, other: number): boolean {
    for (let word = 0; word < this.#width; word += 1)
      if (from[start + word] !== this.#digests[other + word]) return false;
    return true;
  }

  #grow(): void {
    const digests = new Uint32Array(this.#digests.length * growth);
    digests.set(this.#digests);
    this.#digests = digests;
    this.#places = new Uint32Array(this.#places.length * growth);
    for (let index = 0; index < this.count; index += 1)
      this.#places[this.#placeOf(digests, index * this.#width)] = index + 1;
  }
}

/** Eight hexadecimal digits in lower case as a number. */
function wordAt(value: string, start: number): number {
  let word = 0;
  for (let at = start; at < start + digitsAWord; at += 1) {
    const code = value.charCodeAt(at);
    word = (word << 4) | ((code & 0xf) + (code >> 6) * 9);
  }
  return word >>> 0;
}
