const everyMs = 250;

/**
 * Tells that something of a workspace is not as it was: at once, and then at most four times a second, the last change
 * always.
 */
export class WorkspaceNews {
  readonly #tellOf: (workspaceId: string) => void;
  /** Workspaces told of a moment ago; true where something changed since. */
  readonly #resting = new Map<string, boolean>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(tellOf: (workspaceId: string) => void) {
    this.#tellOf = tellOf;
  }

  changed(workspaceId: string): void {
    if (this.#resting.has(workspaceId)) {
      this.#resting.set(workspaceId, true);
      return;
    }
    this.#tell(workspaceId);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #tell(workspaceId: string): void {
    this.#resting.set(workspaceId, false);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const again = this.#resting.get(workspaceId) ?? false;
      this.#resting.delete(workspaceId);
      if (again) this.#tell(workspaceId);
    }, everyMs);
    this.#timers.add(timer);
    this.#tellOf(workspaceId);
  }
}
