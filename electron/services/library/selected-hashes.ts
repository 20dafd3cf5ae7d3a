import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import { hashPages } from '../../storage/library-pages.ts';
import type { LibraryReader } from '../../storage/library-reader.ts';

/** What the rows of a selection are known by, so many at a time, the thread free between them. */
export async function* selectedHashes(selection: LibrarySelection, reader: Pick<LibraryReader, 'hashes'>, samplesATurn: number): AsyncGenerator<readonly string[], void, void> {
  for await (const page of hashPages(selection, reader)) {
    for (let at = 0; at < page.length; at += samplesATurn) {
      yield page.slice(at, at + samplesATurn);
      await nextTurn();
    }
  }
}
