import type { CaseSelection } from '../../../shared/domain/case.ts';
import type { ItemFilter, JobItem } from '../../../shared/domain/job.ts';
import type { LibrarySelection } from '../../../shared/domain/library.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import { hashPages, type LibraryReader } from '../../storage/library/library-reader.ts';

export interface CaseSelectionPorts {
  reader: Pick<LibraryReader, 'facts' | 'hashes'>;
  items: { itemsForExport(id: number, filter: ItemFilter): AsyncIterable<readonly JobItem[]> };
}

/** What a row is known by. */
export const keyOf = ({ sha256, md5, sha1 }: Pick<SampleFacts, 'sha256' | 'md5' | 'sha1'>): string =>
  sha256 ?? md5 ?? sha1 ?? '';

/**
 * The keys of the rows of a selection, each once, a page at a time. Hashes that the library does not know are left out;
 * `leftOut` receives them.
 */
export async function* caseKeys(
  selection: CaseSelection,
  ports: CaseSelectionPorts,
  leftOut: (hashes: readonly string[]) => void,
): AsyncGenerator<readonly string[], void, void> {
  if (selection.kind === 'query') yield* hashPages(selection, ports.reader);
  else yield* keysOf(hashesOf(selection, ports), ports.reader, leftOut);
}

async function* hashesOf(
  selection: Exclude<CaseSelection, { kind: 'query' }>,
  { items }: CaseSelectionPorts,
): AsyncGenerator<readonly string[], void, void> {
  if (selection.kind === 'named') yield [...new Set(selection.hashes)];
  else
    for await (const page of items.itemsForExport(selection.id, selection.filter))
      yield page.map(({ sha256, hash }) => sha256 ?? hash);
}

/** Two hashes may mean one sample. */
async function* keysOf(
  pages: AsyncIterable<readonly string[]>,
  reader: Pick<LibraryReader, 'facts'>,
  leftOut: (hashes: readonly string[]) => void,
): AsyncGenerator<readonly string[], void, void> {
  const seen = new Set<string>();
  for await (const hashes of pages) {
    const facts = await factsOf(hashes, reader);
    const known = new Set(facts.flatMap(({ sha256, sha1, md5 }) => [sha256, sha1, md5]));
    leftOut(hashes.filter((hash) => !known.has(hash)));
    const keys = facts.map(keyOf).filter((key) => seen.size < seen.add(key).size);
    if (keys.length > 0) yield keys;
  }
}

/** What samples are that are known by these hashes, oldest first; those that the library does not know are left out. */
export async function factsOf(hashes: readonly string[], reader: Pick<LibraryReader, 'facts'>): Promise<SampleFacts[]> {
  const selection: LibrarySelection = { kind: 'named', hashes: [...hashes] };
  return hashes.length === 0 ? [] : (await reader.facts({ selection, after: 0, limit: hashes.length })).samples;
}
