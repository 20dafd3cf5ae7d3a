import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertNever } from '../../../shared/assert-never.ts';
import type { ExportSelection } from '../../../shared/domain/export.ts';
import { hashKindOf } from '../../../shared/domain/hash.ts';
import type { ItemFilter, JobItem } from '../../../shared/domain/job.ts';
import { hashPages, type LibraryReader } from '../../storage/library/library-reader.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';

export interface SelectedSample {
  sha256: string;
  md5: string | null;
  sizeBytes: number | null;
  /** As the library has it: the vault itself is asked when the sample leaves. */
  inVault: boolean;
}

/** The items of a job in the order of their positions, a page at a time. */
export interface JobItemsReader {
  itemsForExport(id: number, filter: ItemFilter): AsyncIterable<readonly JobItem[]>;
}

export interface SelectionOptions {
  library: Pick<LibraryStore, 'find'>;
  libraryReader: Pick<LibraryReader, 'hashes'>;
  items: JobItemsReader;
}

/** Looked up before the thread is free again: some milliseconds' worth. */
const samplesATurn = 100;

/**
 * What a selection means now, each sample once, in its order, a page at a time. Of those named one by one all are
 * given; of a job's items and of what a query finds those that the vault holds.
 */
export async function* selectedSamples(
  selection: ExportSelection,
  options: SelectionOptions,
): AsyncGenerator<SelectedSample[], void, void> {
  const seen = new Set<string>();
  const isNew = (sha256: string): boolean => seen.size < seen.add(sha256).size;
  for await (const sha256s of sha256Pages(selection, options)) {
    for (let at = 0; at < sha256s.length; at += samplesATurn) {
      const found = sha256s
        .slice(at, at + samplesATurn)
        .filter(isNew)
        .map((sha256) => sampleOf(sha256, options.library));
      yield selection.kind === 'samples' ? found : found.filter(({ inVault }) => inVault);
      await nextTurn();
    }
  }
}

async function* sha256Pages(
  selection: ExportSelection,
  { items, libraryReader }: SelectionOptions,
): AsyncGenerator<readonly string[], void, void> {
  switch (selection.kind) {
    case 'samples':
      yield selection.sha256s;
      return;
    case 'job':
      for await (const page of items.itemsForExport(selection.id, selection.filter))
        yield page.flatMap(({ sha256 }) => sha256 ?? []);
      return;
    case 'query':
      for await (const page of hashPages(selection, libraryReader))
        yield page.filter((hash) => hashKindOf(hash) === 'sha256');
      return;
    default:
      assertNever(selection);
  }
}

function sampleOf(sha256: string, library: SelectionOptions['library']): SelectedSample {
  const known = library.find(sha256);
  return { sha256, md5: known?.md5 ?? null, sizeBytes: known?.sizeBytes ?? null, inVault: known?.inVault ?? false };
}
