import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import { hashPages } from '../../storage/library-pages.ts';
import type { LibraryReader } from '../../storage/library-reader.ts';
import type { StepSize } from './step-size.ts';

/** What the rows of a selection are known by, as many at a time as a step may have, the thread free between them. */
export async function* selectedHashes(selection: LibrarySelection, reader: Pick<LibraryReader, 'hashes'>, size: Pick<StepSize, 'now'>): AsyncGenerator<readonly string[], void, void> {
  for await (const page of hashPages(selection, reader)) {
    for (let at = 0; at < page.length; ) {
      const step = page.slice(at, at + size.now);
      at += step.length;
      yield step;
      await nextTurn();
    }
  }
}
