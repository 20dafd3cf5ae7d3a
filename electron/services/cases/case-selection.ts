import type { CaseSelection } from '../../../shared/domain/case.ts';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import type { ItemFilter, JobItem } from '../../../shared/domain/job.ts';
import type { SampleFacts } from '../../../shared/domain/sample-facts.ts';
import { hashPages } from '../../storage/library-pages.ts';
import type { LibraryReader } from '../../storage/library-reader.ts';

export interface CaseSelectionPorts {
  reader: Pick<LibraryReader, 'facts' | 'hashes'>;
  items: { itemsForExport(id: number, filter: ItemFilter): AsyncIterable<readonly JobItem[]> };
}

/** What a row is known by. */
export const keyOf = ({ sha256, md5, sha1 }: Pick<SampleFacts, 'sha256' | 'md5' | 'sha1'>): string => sha256 ?? md5 ?? sha1 ?? '';

/** What the rows of a selection are known by, each once, a page at a time; hashes that the library does not know are left out. */
export async function* caseKeys(selection: CaseSelection, ports: CaseSelectionPorts): AsyncGenerator<readonly string[], void, void> {
  if (selection.kind === 'query') yield* hashPages(selection, ports.reader);
  else yield* keysOf(hashesOf(selection, ports), ports.reader);
}

async function* hashesOf(selection: Exclude<CaseSelection, { kind: 'query' }>, { items }: CaseSelectionPorts): AsyncGenerator<readonly string[], void, void> {
  if (selection.kind === 'named') yield selection.hashes;
  else for await (const page of items.itemsForExport(selection.id, selection.filter)) yield page.map(({ sha256, hash }) => sha256 ?? hash);
}

/** Two hashes may mean one sample. */
async function* keysOf(pages: AsyncIterable<readonly string[]>, reader: Pick<LibraryReader, 'facts'>): AsyncGenerator<readonly string[], void, void> {
  const seen = new Set<string>();
  for await (const hashes of pages) {
    const keys = (await factsOf(hashes, reader)).map(keyOf).filter((key) => seen.size < seen.add(key).size);
    if (keys.length > 0) yield keys;
  }
}

/** What samples are that are known by these hashes, oldest first; those that the library does not know are left out. */
export async function factsOf(hashes: readonly string[], reader: Pick<LibraryReader, 'facts'>): Promise<SampleFacts[]> {
  const selection: LibrarySelection = { kind: 'named', hashes: [...hashes] };
  return hashes.length === 0 ? [] : (await reader.facts({ selection, after: 0, limit: hashes.length })).samples;
}
