import type { LibraryRow, LibrarySelection } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import { failed, type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { type RowSelection, tickedCount } from '../../components/data-grid/row-selection.ts';
import { nameInSentence } from '../../components/format.ts';

/** As many names or exceptions as one call takes. */
export const mostNamed = 5000;
/** As many samples as one call returns. */
const page = 1000;

/** The samples that an action means: those that are ticked, else the current one. */
export interface ActionTarget {
  count: number;
  ticked: number;
  /** Together they are what is meant: more names than one call takes are several. */
  selections: readonly LibrarySelection[];
}

interface ListedSamples {
  terms: QueryTerm[];
  total: number;
  selection: RowSelection<string>;
  current: LibraryRow | null;
}

export function actionTarget({ terms, total, selection, current }: ListedSamples): ActionTarget {
  const ticked = tickedCount(selection, total);
  if (ticked === 0 && current === null) return { count: 0, ticked, selections: [] };
  if (selection.kind === 'all-except' && ticked > 0) {
    return { count: ticked, ticked, selections: [{ kind: 'query', terms, except: [...selection.keys] }] };
  }
  const hashes = ticked > 0 ? [...selection.keys] : current === null ? [] : [current.hash];
  return { count: hashes.length, ticked, selections: namedSelections(hashes) };
}

export function namedSelections(hashes: readonly string[]): LibrarySelection[] {
  const pages = Array.from({ length: Math.ceil(hashes.length / mostNamed) }, (_, at) =>
    hashes.slice(at * mostNamed, (at + 1) * mostNamed),
  );
  return pages.map((named) => ({ kind: 'named', hashes: named }));
}

/** What the samples are, page by page. The first failure is the last page. */
export async function* factPages(
  bridge: Bridge<File>,
  { selections }: Pick<ActionTarget, 'selections'>,
): AsyncGenerator<Result<SampleFacts[]>, void, void> {
  for (const selection of selections) {
    for (let after: number | null = 0; after !== null;) {
      const answer: Awaited<ReturnType<typeof readPage>> = await readPage(bridge, selection, after);
      if (!answer.ok) {
        yield answer;
        return;
      }
      yield success(answer.value.samples);
      after = answer.value.next;
    }
  }
}

const readPage = (bridge: Bridge<File>, selection: LibrarySelection, after: number) =>
  bridge.call('library.facts', { selection, after, limit: page });

interface FactsReading {
  /** Left out: all of them are. */
  isNeeded?(sample: SampleFacts): boolean;
  signal?: AbortSignal;
  /** Called for each page with the number of its samples. */
  onPage?(samples: number): void;
}

/**
 * What the samples are, those that are wanted, at most so many and a page. Fails with `cancelled` once it was called
 * off.
 */
export async function readFacts(
  bridge: Bridge<File>,
  target: Pick<ActionTarget, 'selections'>,
  most: number,
  { isNeeded = () => true, signal, onPage }: FactsReading = {},
): Promise<Result<SampleFacts[]>> {
  const all: SampleFacts[] = [];
  for await (const samples of factPages(bridge, target)) {
    if (signal?.aborted === true) return failed({ kind: 'cancelled' });
    if (!samples.ok) return samples;
    onPage?.(samples.value.length);
    all.push(...samples.value.filter((sample) => isNeeded(sample)));
    if (all.length > most) break;
  }
  return success(all);
}

const shownDigits = 12;

/** What a sample is called in a sentence: its name, else how its hash begins. */
export function shownName({ name, hash }: Pick<LibraryRow, 'name' | 'hash'>): string {
  return name === null || name === '' ? hash.slice(0, shownDigits) : nameInSentence(name);
}
