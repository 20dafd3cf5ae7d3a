import type { EventName, EventPayload } from '../shared/contract.ts';

export type HostEvent = { [N in EventName]: { name: N; payload: EventPayload<N> } }[EventName];

/** A job changes the library thousands of times, and each time pages read much of it again. */
const libraryEveryMs = 250;

/**
 * Where services tell and transports listen. A listener is one connected page. That the library changed is told at once, and then at most
 * four times a second, the last change always.
 */
export class EventHub {
  readonly #listeners = new Set<(event: HostEvent) => void>();
  #isLibraryTold = false;
  #changedSince = false;

  emit(event: HostEvent): void {
    if (event.name === 'library.changed') this.#libraryChanged();
    else this.#tell(event);
  }

  subscribe(listener: (event: HostEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #libraryChanged(): void {
    this.#changedSince = this.#isLibraryTold;
    if (this.#isLibraryTold) return;
    this.#isLibraryTold = true;
    setTimeout(() => this.#rested(), libraryEveryMs).unref();
    this.#tell({ name: 'library.changed', payload: {} });
  }

  #rested(): void {
    this.#isLibraryTold = false;
    if (this.#changedSince) this.#libraryChanged();
  }

  #tell(event: HostEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
