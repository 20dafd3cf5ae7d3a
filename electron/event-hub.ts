import type { EventName, EventPayload } from '../shared/contract.ts';

export type HostEvent = { [N in EventName]: { name: N; payload: EventPayload<N> } }[EventName];

/** Where services tell and transports listen. A listener is one connected page. */
export class EventHub {
  readonly #listeners = new Set<(event: HostEvent) => void>();

  emit(event: HostEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  subscribe(listener: (event: HostEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
