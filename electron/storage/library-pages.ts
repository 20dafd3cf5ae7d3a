import type { LibrarySelection } from '../../shared/domain/library.ts';
import type { LibraryReader } from './library-reader.ts';

const samplesAPage = 1000;

/**
 * What the rows of a selection are known by, a page at a time. Of a query each row once, though what is done to the
 * rows between two pages may change what it finds.
 */
export async function* hashPages(
  selection: LibrarySelection,
  reader: Pick<LibraryReader, 'hashes'>,
): AsyncGenerator<readonly string[], void, void> {
  if (selection.kind === 'named') {
    yield [...new Set(selection.hashes)];
    return;
  }
  let after: number | null = 0;
  while (after !== null) {
    const { hashes, next }: { hashes: string[]; next: number | null } = await reader.hashes({
      selection,
      after,
      limit: samplesAPage,
    });
    yield hashes;
    after = next;
  }
}
