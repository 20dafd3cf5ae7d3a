import type { Failure } from '../../../shared/failure.ts';

export type ScanStart = 'scans.start' | 'hunts.start';

/** How the beginning of a scan or a hunt stands. */
export interface StartState {
  /** The host puts the job together: it reads every file that was handed over, which can take long. */
  isStarting: boolean;
  /** Why the last one did not begin. */
  failure: Failure | null;
}

/** The beginning of one scan or hunt at a time. */
export class HeldStart {
  #state: StartState = { isStarting: false, failure: null };
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly state = (): StartState => this.#state;

  /** @returns false: another one is on its way */
  begin(): boolean {
    if (this.#state.isStarting) return false;
    this.#change({ isStarting: true, failure: null });
    return true;
  }

  end(failure: Failure | null): void {
    this.#change({ isStarting: false, failure });
  }

  #change(state: StartState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/**
 * One for each kind of start in each workspace. They outlive the view: who looks elsewhere and comes back finds them as
 * they stand.
 */
export class HeldStarts {
  readonly #starts = new Map<string, HeldStart>();

  of(name: ScanStart, workspaceId: string): HeldStart {
    const key = `${name} ${workspaceId}`;
    const start = this.#starts.get(key) ?? new HeldStart();
    this.#starts.set(key, start);
    return start;
  }
}
