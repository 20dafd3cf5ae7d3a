import { useQuery } from '@tanstack/react-query';
import type { OperationInput } from '../../../shared/contract.ts';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import type { LibraryTotal, SavedView } from '../../../shared/domain/library.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import type { Result } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useOperation, valueOf } from '../../bridge/operations.ts';
import { describeFailure } from '../../components/failure-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useLibraryPlaces } from './library-place.tsx';
import { text } from './strings.ts';

interface SavedViews {
  views: readonly SavedView[];
  failure: Failure | null;
}

const noViews: readonly SavedView[] = [];

export function useSavedViews(): SavedViews {
  const { data, error } = useOperation('views.list', {});
  return { views: data?.views ?? noViews, failure: error };
}

/** `unreadable`: its query is no longer valid. */
export type ViewCount = LibraryTotal | 'unreadable';
type ViewCounts = ReadonlyMap<number, ViewCount>;

/** As many as one call takes. */
const mostQueries = 50;

/** What each view finds, counted again while the library changes; none of them before the first answer. */
export function useViewCounts(views: readonly SavedView[]): ViewCounts {
  const bridge = useBridge();
  const { data } = useQuery<ViewCounts, Failure>({
    queryKey: ['library.totals', { views: views.map(({ id, query }) => ({ id, query })) }],
    queryFn: () => countViews(bridge, views),
    enabled: views.length > 0,
  });
  return data ?? noCounts;
}

const noCounts: ViewCounts = new Map();

async function countViews(
  bridge: Bridge<File>,
  views: readonly Pick<SavedView, 'id' | 'query'>[],
): Promise<ViewCounts> {
  const now = new Date();
  const counts = new Map<number, ViewCount>();
  const readable: { id: number; terms: QueryTerm[] }[] = [];
  for (const { id, query } of views) {
    const read = readLibraryQuery(query, now);
    if (read.kind === 'terms') readable.push({ id, terms: read.terms });
    else counts.set(id, 'unreadable');
  }
  for (let at = 0; at < readable.length; at += mostQueries) {
    const page = readable.slice(at, at + mostQueries);
    const { totals } = await valueOf(bridge.call('library.totals', { queries: page.map(({ terms }) => terms) }));
    for (const [index, total] of totals.entries()) {
      const view = page[index];
      if (view) counts.set(view.id, total);
    }
  }
  return counts;
}

export interface ViewActs {
  /** By one place; at an end nothing happens. */
  move(view: SavedView, step: 1 | -1): void;
  /** With a way back to the same place. */
  remove(view: SavedView): void;
}

/**
 * What is done with saved views, in their order. What fails is said; `onMoved` gets the place a view has now, from 1.
 */
export function useViewActs(views: readonly SavedView[], onMoved?: (view: SavedView, place: number) => void): ViewActs {
  const bridge = useBridge();
  const places = useLibraryPlaces();
  const toast = useToast();
  const reported = <T>(reply: Result<T>, print: (why: string) => string = text.failed, undo?: () => void): T | null => {
    if (reply.ok) return reply.value;
    toast({
      meaning: 'bad',
      text: print(describeFailure(reply.failure).what),
      failure: reply.failure,
      ...(undo === undefined ? {} : { undo }),
    });
    return null;
  };
  const follower = (view: SavedView): number | null => views[views.indexOf(view) + 1]?.id ?? null;
  const bringBack = async (view: SavedView): Promise<void> => {
    const name = visibleText(view.name);
    const saved = reported(
      await bridge.call('views.save', asNew(view)),
      text.notBack(name),
      () => void bringBack(view),
    );
    if (saved === null) return;
    const list = reported(await bridge.call('views.list', {}), text.backAtEnd(name));
    const before = viewPlacesOf(bridge).follower(view.id, saved.id, list?.views.map(({ id }) => id) ?? []);
    if (before !== undefined) reported(await bridge.call('views.move', { id: saved.id, before }), text.backAtEnd(name));
  };
  const remove = async (view: SavedView): Promise<void> => {
    viewPlacesOf(bridge).removed(
      view.id,
      views.map(({ id }) => id),
    );
    if (reported(await bridge.call('views.remove', { id: view.id })) === null) return;
    if (places.snapshot().viewId === view.id) places.note({ viewId: null });
    toast({ meaning: 'ok', text: text.removed(visibleText(view.name)), undo: () => void bringBack(view) });
  };
  const move = async (view: SavedView, step: 1 | -1): Promise<void> => {
    const at = views.indexOf(view);
    const other = views[at + step];
    if (other === undefined) return;
    const reply = await bridge.call('views.move', { id: view.id, before: step < 0 ? other.id : follower(other) });
    if (reported(reply) !== null) onMoved?.(view, at + step + 1);
  };
  return {
    move: (view, step) => void move(view, step),
    remove: (view) => void remove(view),
  };
}

const asNew = (view: SavedView): OperationInput<'views.save'> => ({ ...view, id: null });

/** The ids of the views before one and after it. */
interface Neighbours {
  before: readonly number[];
  after: readonly number[];
}

/**
 * The former places of removed views, so that each is restored to its place, in whatever order. A restored view has
 * another id.
 */
class ViewPlaces {
  readonly #idsNow = new Map<number, number>();
  readonly #earlier = new Map<number, Neighbours>();

  /** `ids`: of all views in their order, this one among them. */
  removed(id: number, ids: readonly number[]): void {
    const at = ids.indexOf(id);
    this.#earlier.set(id, { before: ids.slice(0, at), after: ids.slice(at + 1) });
  }

  /**
   * Of a view that is back as `now`, among these. @returns the one that it is to be put before; undefined at the end
   */
  follower(id: number, now: number, ids: readonly number[]): number | undefined {
    const earlier = this.#earlier.get(id) ?? { before: [], after: [] };
    this.#idsNow.set(id, now);
    this.#earlier.set(now, earlier);
    return ids.find(
      (other) => this.#has(earlier.after, other) || this.#has(this.#earlier.get(other)?.before ?? [], now),
    );
  }

  #has(ids: readonly number[], id: number): boolean {
    return ids.some((each) => this.#now(each) === id);
  }

  /** No id is given twice: that of what came back is greater. */
  #now(id: number): number {
    const later = this.#idsNow.get(id) ?? 0;
    return later > id ? this.#now(later) : id;
  }
}

const kept = new WeakMap<Bridge<File>, ViewPlaces>();

/** One for all places of the page that views are removed in. */
function viewPlacesOf(bridge: Bridge<File>): ViewPlaces {
  const places = kept.get(bridge) ?? new ViewPlaces();
  kept.set(bridge, places);
  return places;
}
