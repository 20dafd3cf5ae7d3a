import type { LibrarySelection } from '../../../shared/domain/library.ts';
import { fail } from '../../../shared/failure.ts';
import { hashPages } from '../../storage/library-pages.ts';
import type { LibraryReader } from '../../storage/library-reader.ts';

/** What cannot be undone is done to as many samples as the person was told, or to none. @throws FailureError `selection-changed` */
export async function requireExpected(selection: LibrarySelection, reader: Pick<LibraryReader, 'hashes'>, expected: number): Promise<void> {
  // One named is one meant; it may be gone, and then nothing is done to it.
  if (selection.kind === 'named') return;
  let found = 0;
  for await (const page of hashPages(selection, reader)) found += page.length;
  if (found !== expected) fail({ kind: 'selection-changed', expected, found });
}
