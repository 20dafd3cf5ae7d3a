interface Waiter {
  enter(): void;
}

interface Place {
  inside: number;
  waiting: Set<Waiter>;
}

/** How much is done at a time with a workspace's services, over all jobs: who asked first goes first. */
export class WorkspaceSlots {
  readonly #limit: () => number;
  readonly #places = new Map<string, Place>();

  /** The limit is read whenever a place is given, so that a changed setting holds at once; at least one is given. */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  /** Does the work in a place of its own. Rejects with the signal's reason when it is aborted before there is one. */
  async use<T>(workspaceId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const place = this.#places.get(workspaceId) ?? { inside: 0, waiting: new Set() };
    this.#places.set(workspaceId, place);
    await this.#entered(place, signal);
    try {
      return await work();
    } finally {
      place.inside -= 1;
      this.#admit(place);
      if (place.inside === 0 && place.waiting.size === 0) this.#places.delete(workspaceId);
    }
  }

  async #entered(place: Place, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { enter: resolve };
    const leave = (): void => {
      // A waiter that already has a place keeps it; the work meets the signal itself.
      if (place.waiting.delete(waiter)) reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    place.waiting.add(waiter);
    this.#admit(place);
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #admit(place: Place): void {
    for (const waiter of place.waiting) {
      if (place.inside >= Math.max(1, this.#limit())) return;
      place.waiting.delete(waiter);
      place.inside += 1;
      waiter.enter();
    }
  }
}
