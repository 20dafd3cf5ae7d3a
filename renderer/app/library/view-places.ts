import type { Bridge } from '../../../shared/transport.ts';

/** The ids of views that stood before one and after it. */
interface Neighbours {
  before: readonly number[];
  after: readonly number[];
}

/**
 * Where removed views stood, so that each comes back to its place, in whatever order they do. What comes back has
 * another id.
 */
class ViewPlaces {
  readonly #idsNow = new Map<number, number>();
  readonly #stood = new Map<number, Neighbours>();

  /** `ids`: of all views in their order, this one among them. */
  removed(id: number, ids: readonly number[]): void {
    const at = ids.indexOf(id);
    this.#stood.set(id, { before: ids.slice(0, at), after: ids.slice(at + 1) });
  }

  /**
   * Of a view that is back as `now`, among these. @returns the one that it is to be put before; undefined at the end
   */
  follower(id: number, now: number, ids: readonly number[]): number | undefined {
    const stood = this.#stood.get(id) ?? { before: [], after: [] };
    this.#idsNow.set(id, now);
    this.#stood.set(now, stood);
    return ids.find((other) => this.#has(stood.after, other) || this.#has(this.#stood.get(other)?.before ?? [], now));
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
export function viewPlacesOf(bridge: Bridge<File>): ViewPlaces {
  const places = kept.get(bridge) ?? new ViewPlaces();
  kept.set(bridge, places);
  return places;
}
