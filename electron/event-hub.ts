import type { EventName, EventPayload } from '../shared/events.ts';

export type HostEvent = { [N in EventName]: { name: N; payload: EventPayload<N> } }[EventName];

/** A job changes library and journal thousands of times, and each time pages read much of them again. */
const paced: ReadonlySet<EventName> = new Set<EventName>(['library.changed', 'journal.changed', 'watch.changed']);
const pacedEveryMs = 250;

/**
 * Where services report and transports listen. A listener is one connected page. A change of the library or the journal
 * is reported at once, and then at most four times a second, the last change always.
 */
export class EventHub {
  readonly #listeners = new Set<(event: HostEvent) => void>();
  /** What was reported a moment ago, and what is to be reported of it when the moment is over. */
  readonly #resting = new Map<EventName, HostEvent | null>();

  emit(event: HostEvent): void {
    if (!paced.has(event.name)) this.#report(event);
    else if (this.#resting.has(event.name)) this.#resting.set(event.name, event);
    else this.#reportAndRest(event);
  }

  subscribe(listener: (event: HostEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #reportAndRest(event: HostEvent): void {
    this.#resting.set(event.name, null);
    setTimeout(() => this.#rested(event.name), pacedEveryMs).unref();
    this.#report(event);
  }

  #rested(name: EventName): void {
    const latest = this.#resting.get(name) ?? null;
    this.#resting.delete(name);
    if (latest !== null) this.#reportAndRest(latest);
  }

  #report(event: HostEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

const everyMs = 250;

/**
 * Reports that something of a workspace has changed: at once, and then at most four times a second, the last change
 * always.
 */
export class WorkspaceEvents {
  readonly #reportOf: (workspaceId: string) => void;
  /** Workspaces reported a moment ago; true where something changed since. */
  readonly #resting = new Map<string, boolean>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(reportOf: (workspaceId: string) => void) {
    this.#reportOf = reportOf;
  }

  changed(workspaceId: string): void {
    if (this.#resting.has(workspaceId)) {
      this.#resting.set(workspaceId, true);
      return;
    }
    this.#report(workspaceId);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #report(workspaceId: string): void {
    this.#resting.set(workspaceId, false);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const again = this.#resting.get(workspaceId) ?? false;
      this.#resting.delete(workspaceId);
      if (again) this.#report(workspaceId);
    }, everyMs);
    this.#timers.add(timer);
    this.#reportOf(workspaceId);
  }
}
