import { createHash } from 'node:crypto';
import type { LibrarySelection, SelectionMark } from '../../../shared/domain/library.ts';
import { fail } from '../../../shared/failure.ts';
import { hashPages, type LibraryReader } from '../../storage/library/library-reader.ts';

/**
 * Of samples that come some at a time: the same for the same ones in the same order, wherever one page ends. A million
 * take a tenth of a second.
 */
export class MarkOfPages {
  readonly #hash = createHash('sha256');
  #samples = 0;

  add(hashes: readonly string[]): void {
    this.#samples += hashes.length;
    this.#hash.update(hashes.map((hash) => `${hash}\n`).join(''));
  }

  /** To be called once, at the end. */
  whole(): SelectionMark {
    return { samples: this.#samples, mark: this.#hash.digest('hex') };
  }
}

export function markOf(hashes: readonly string[]): SelectionMark {
  const pages = new MarkOfPages();
  pages.add(hashes);
  return pages.whole();
}

/**
 * Of a million samples this takes some seconds, the thread free between their pages. `requireOpen` throws where no more
 * is to be begun.
 */
export async function markOfSelection(
  selection: LibrarySelection,
  reader: Pick<LibraryReader, 'hashes'>,
  requireOpen: () => void,
): Promise<SelectionMark> {
  const pages = new MarkOfPages();
  for await (const hashes of hashPages(selection, reader)) {
    requireOpen();
    pages.add(hashes);
  }
  return pages.whole();
}

/**
 * What cannot be undone is done to the very samples that the person was told of, or to none: as many others are not
 * meant. null: they were told of none. @throws FailureError `selection-changed`
 */
export function requireMark(found: SelectionMark, expected: SelectionMark | null): void {
  if (found.mark !== expected?.mark)
    fail({ kind: 'selection-changed', expected: expected?.samples ?? 0, found: found.samples });
}
