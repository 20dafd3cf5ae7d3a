import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import type { LibraryReader } from '../../storage/library/library-reader.ts';

const samplesAPage = 1000;

/** What samples are known by, in little memory: a million take 32 MB. */
export class HashList {
  readonly #pages: { width: number; bytes: Buffer }[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(hashes: readonly string[]): void {
    for (const [digits, alike] of Map.groupBy(hashes, ({ length }) => length))
      this.#pages.push({ width: digits, bytes: Buffer.from(alike.join(''), 'hex') });
    this.#length += hashes.length;
  }

  /** At most so many at a time. */
  *pages(size: number): Generator<string[], void, void> {
    for (const { width, bytes } of this.#pages) {
      const digits = bytes.toString('hex');
      for (let at = 0; at < digits.length; at += size * width)
        yield Array.from({ length: Math.min(size, (digits.length - at) / width) }, (_, index) =>
          digits.slice(at + index * width, at + (index + 1) * width),
        );
    }
  }
}

/** What a selection means now, each sample once; one that the library has not is left out. */
export async function selectedHashes(
  selection: LibrarySelection,
  reader: Pick<LibraryReader, 'hashes'>,
): Promise<HashList> {
  const list = new HashList();
  for (let after: number | null = 0; after !== null;) {
    const { hashes, next }: { hashes: string[]; next: number | null } = await reader.hashes({
      selection,
      after,
      limit: samplesAPage,
    });
    list.add(hashes);
    after = next;
    await nextTurn();
  }
  return list;
}
