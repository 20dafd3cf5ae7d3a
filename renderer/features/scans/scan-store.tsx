import { createContext, type ReactNode, useCallback, useContext, useMemo, useState, useSyncExternalStore } from 'react';
import type { ScanEngines } from '../../../shared/domain/scan.ts';
import type { TlpLevel } from '../../../shared/domain/tag.ts';
import type { StagedFile } from '../../../shared/domain/upload.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { useNavigation } from '../../state/navigation.tsx';
import { type PlaceNow, usePlace } from '../../state/presence.ts';
import { type IntakeStore, useIntakeStore } from '../uploads/intake-store.tsx';
import type { AddFiles } from '../uploads/intake.ts';
import { text } from '../uploads/strings.ts';

/** As many as one scan takes. */
export const mostFiles = 500;
export const mostSamples = 5000;

/** What is to be scanned next in a workspace, and where one is in choosing it. */
export interface NextScan {
  /** The host has them. */
  files: readonly StagedFile[];
  /** SHA-256s of ticked samples of the vault. */
  samples: ReadonlySet<string>;
  engines: ScanEngines;
  /** Of the files. */
  tlp: TlpLevel | null;
  find: string;
  vault: GridMemory;
  huntScope: 'changed' | 'all';
  /** The scan that is the current one of the earlier ones. */
  earlier: number | null;
  earlierGrid: GridMemory;
}

/** A place for each workspace. It outlives the view: who looks elsewhere and comes back finds what was chosen. */
export class NextScans {
  readonly #scans = new Map<string, NextScan>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** The same object until something is noted. */
  at(workspaceId: string): NextScan {
    const place = this.#scans.get(workspaceId) ?? atBegin();
    this.#scans.set(workspaceId, place);
    return place;
  }

  note(workspaceId: string, change: Partial<NextScan>): void {
    this.#scans.set(workspaceId, { ...this.at(workspaceId), ...change });
    for (const listener of this.#listeners) listener();
  }

  /** @returns how many did not fit */
  addFiles(workspaceId: string, files: readonly StagedFile[]): number {
    const before = this.at(workspaceId).files;
    const taken = files.slice(0, Math.max(0, mostFiles - before.length));
    this.note(workspaceId, { files: [...before, ...taken] });
    return files.length - taken.length;
  }

  removeFile(workspaceId: string, id: string): void {
    this.note(workspaceId, { files: this.at(workspaceId).files.filter((file) => file.id !== id) });
  }

  /** What came, was ticked or marked since it was sent stays. The TLP goes with the last of its files. */
  takeOut(workspaceId: string, sent: NextScan): void {
    const before = this.at(workspaceId);
    const sentIds = new Set(sent.files.map(({ id }) => id));
    const files = before.files.filter(({ id }) => !sentIds.has(id));
    const samples = new Set([...before.samples].filter((sha256) => !sent.samples.has(sha256)));
    const isTlpOver = files.length === 0 && before.tlp === sent.tlp;
    this.note(workspaceId, { files, samples, tlp: isTlpOver ? null : before.tlp });
  }

  /** @returns how many did not fit */
  tick(workspaceId: string, sha256s: readonly string[], isTicked: boolean): number {
    const samples = new Set(this.at(workspaceId).samples);
    let left = 0;
    for (const sha256 of sha256s) {
      if (!isTicked) samples.delete(sha256);
      else if (samples.size < mostSamples || samples.has(sha256)) samples.add(sha256);
      else left += 1;
    }
    this.note(workspaceId, { samples });
    return left;
  }
}

function atBegin(): NextScan {
  return {
    files: [],
    samples: new Set(),
    // Nothing is sent to anyone until the person chooses so.
    engines: 'local',
    tlp: null,
    find: '',
    vault: new GridMemory(),
    huntScope: 'changed',
    earlier: null,
    earlierGrid: new GridMemory(),
  };
}

/** What is to be scanned, and files on their way into that list. It outlives its view. */
interface ScanStore extends IntakeStore {
  next: NextScans;
  /** The scans and hunts that the views of the workspaces begin. */
  starts: HeldStarts;
  place: PlaceNow;
}

const ScanStoreContext = createContext<ScanStore | null>(null);

export function useScanStore(): ScanStore {
  const store = useContext(ScanStoreContext);
  if (store === null) throw new TypeError('useScanStore outside of ScanStoreProvider');
  return store;
}

/** What is chosen in one workspace, and how to note another choice. */
export function useNextScan(workspaceId: string): readonly [NextScan, (change: Partial<NextScan>) => void] {
  const { next } = useScanStore();
  const note = useCallback((change: Partial<NextScan>) => next.note(workspaceId, change), [next, workspaceId]);
  return [useSyncExternalStore(next.subscribe, () => next.at(workspaceId)), note];
}

export function ScanStoreProvider({ children }: { children: ReactNode }) {
  const [next] = useState(() => new NextScans());
  const [add] = useState(() => intoList(next));
  const [starts] = useState(() => new HeldStarts());
  const place = usePlace();
  const { openScan } = useNavigation();
  const showList = useCallback(() => openScan(null), [openScan]);
  const { store: intakeStore, pickers } = useIntakeStore({
    into: 'scan',
    add,
    haltedWords: text.haltedScan,
    show: showList,
  });
  const store = useMemo((): ScanStore => ({ ...intakeStore, next, starts, place }), [intakeStore, next, starts, place]);
  return (
    <ScanStoreContext value={store}>
      {children}
      {pickers}
    </ScanStoreContext>
  );
}

const intoList =
  (next: NextScans): AddFiles =>
  async (workspaceId, files) => {
    const left = next.addFiles(
      workspaceId,
      files.map(({ id, name, sizeBytes }) => ({ id, name, sizeBytes })),
    );
    return { added: files.length - left, failure: left === 0 ? null : { kind: 'job-too-large', limit: mostFiles } };
  };

export type ScanStart = 'scans.start' | 'hunts.start';

/** The state of starting a scan or a hunt. */
export interface StartState {
  /** The host assembles the job: it reads every file it received, which can take long. */
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
 * One for each kind of start in each workspace. They outlive the view: a person who leaves and returns finds them
 * unchanged.
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
