import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from 'react';
import type { RejectedRun } from '../../../shared/domain/hash-extraction.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { TriageFilter, TriageSort } from '../../../shared/domain/triage.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { failed, type Result } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { noRows, type RowSelection } from '../../components/data-grid/row-selection.ts';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { TriageLayouts } from '../../memory/layouts.ts';
import { useJob, useNoteJob } from '../../state/jobs.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import type { ShownLine, TextSummary } from '../bulk-download/extracted-text.ts';
import type { HashReader } from '../bulk-download/hash-reader.ts';
import { WorkerHashReader } from '../bulk-download/worker-hash-reader.ts';
import { outcomeOfText } from './hash-text.ts';
import { type HashSource, useLookupStore } from './lookup-store.tsx';

/** Where a person is in the table. Another list begins at its top, with nothing ticked. */
export interface TriagePlace {
  filter: TriageFilter;
  sort: TriageSort;
  /** When the rows were put in order: another one puts them in order again. No other page has the same. */
  moment: string;
  selection: RowSelection<number>;
  grid: GridMemory;
  showsText: boolean;
  showsRejected: boolean;
  /** Hashes that the person added to the table. */
  added: ReadonlySet<string>;
}

export type TriageState =
  | { kind: 'reading' }
  | { kind: 'adding'; added: number }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'shown'; id: number };

/** The look-up of many hashes that is shown. It outlives its view. */
export interface TriageStore {
  state: TriageState;
  /** null: not begun, not known yet, or forgotten since. */
  job: Job | null;
  /** What was read out of the text; null: it is not known here, or not yet. */
  summary: TextSummary | null;
  place: TriagePlace;
  note(change: Partial<TriagePlace>): void;
  /** Looks up another hash in the table that is shown. @returns what went wrong; null: nothing */
  add(hash: string): Promise<Failure | null>;
  layouts: TriageLayouts;
  lines(from: number, count: number): Promise<ShownLine[]>;
  /** Begins once more, after a failure. */
  again(): void;
}

/** Only the rows with this hash, which have the focus. */
export function placeOfHash({ place, note }: Pick<TriageStore, 'place' | 'note'>, hash: string): void {
  note({ filter: { ...allRowsFilter, find: hash }, selection: noRows, moment: newMoment() });
  place.grid.wantFocus();
}

const TriageStoreContext = createContext<TriageStore | null>(null);

export function useTriageStore(): TriageStore {
  const store = useContext(TriageStoreContext);
  if (!store) throw new TypeError('useTriageStore outside of TriageStoreProvider');
  return store;
}

const openThread = (): HashReader => new WorkerHashReader();
export const allRowsFilter: TriageFilter = { states: [], severities: [], find: '' };
export const newMoment = (): string => crypto.randomUUID();
const atBegin = (): TriagePlace => ({
  filter: allRowsFilter,
  sort: { by: 'position', descending: false },
  moment: newMoment(),
  selection: noRows,
  grid: new GridMemory(),
  showsText: false,
  showsRejected: true,
  added: new Set(),
});

interface TriageStoreProviderProps {
  children: ReactNode;
  /** A thread of its own, unless another is given. */
  openReader?: (() => HashReader) | undefined;
}

export function TriageStoreProvider({ children, openReader = openThread }: TriageStoreProviderProps) {
  const { state: lookup } = useLookupStore();
  const many = 'choice' in lookup ? lookup.choice.many : null;
  const [reader] = useState(openReader);
  const bridge = useBridge();
  const [place, setPlace] = useState(atBegin);
  const [layouts] = useState(() => new TriageLayouts());
  useEffect(() => void layouts.load(), [layouts]);
  const { state, summary, again } = useBegun(reader, many, () => setPlace(atBegin()));
  const job = useJob(state.kind === 'shown' ? state.id : null);
  const note = useCallback((change: Partial<TriagePlace>) => setPlace((before) => ({ ...before, ...change })), []);
  const shownId = state.kind === 'shown' ? state.id : null;
  const add = useCallback(
    async (hash: string): Promise<Failure | null> => {
      if (shownId === null) return null;
      const answer = await bridge.call('triage.add', { id: shownId, hashes: [hash] });
      if (!answer.ok) return answer.failure;
      setPlace((before) => ({ ...before, added: new Set([...before.added, hash]) }));
      return null;
    },
    [bridge, shownId],
  );
  const store = useMemo(
    (): TriageStore => ({
      state,
      job,
      summary,
      place,
      note,
      add,
      layouts,
      lines: (from, count) => reader.lines(from, count),
      again,
    }),
    [state, job, summary, place, note, add, layouts, reader, again],
  );
  return <TriageStoreContext value={store}>{children}</TriageStoreContext>;
}

interface Begun {
  /** Of its source; null: there is none. */
  number: number | null;
  /** Another one for each try, and let go of once the job has begun; null: there is no text to be read. */
  attempt: { source: HashSource & { kind: 'text' } } | null;
  state: TriageState;
  summary: TextSummary | null;
}

const nothingBegun: Begun = { number: null, attempt: null, state: { kind: 'reading' }, summary: null };
const begunWith = (source: HashSource): Begun => ({
  ...nothingBegun,
  number: source.number,
  attempt: source.kind === 'text' ? { source } : null,
  state: source.kind === 'job' ? { kind: 'shown', id: source.id } : { kind: 'reading' },
});

/**
 * Reads each text that comes, and begins its job. One that is replaced meanwhile is not begun; a job runs on. The text
 * is held by its reader, for as long as its table is shown.
 */
function useBegun(reader: HashReader, source: HashSource | null, onNew: () => void) {
  const [begun, setBegun] = useState(nothingBegun);
  if (source !== null && begun.number !== source.number) {
    setBegun(begunWith(source));
    onNew();
  }
  // Its text was cleared, or another hash was looked up: what is not begun by then is not begun any longer.
  if (source === null && begun.number !== null) setBegun(nothingBegun);
  const { number, attempt } = begun;
  useEffect(() => (number === null ? undefined : () => reader.close()), [reader, number]);
  const begin = useEffectEvent(useBegin(reader, setBegun));
  useEffect(() => {
    if (attempt === null) return undefined;
    let isOver = false;
    void begin(attempt.source, () => isOver);
    return () => {
      isOver = true;
    };
  }, [attempt]);
  const again = useCallback(
    () =>
      setBegun((before) => ({
        ...before,
        attempt: before.attempt && { source: before.attempt.source },
        state: { kind: 'reading' },
      })),
    [],
  );
  return { state: begun.state, summary: begun.summary, again };
}

function useBegin(reader: HashReader, setBegun: (next: (before: Begun) => Begun) => void) {
  const bridge = useBridge();
  const noteJob = useNoteJob();
  const { take, noteBegun } = useLookupStore();
  const { current } = useWorkspaces();
  return async (source: HashSource & { kind: 'text' }, isOver: () => boolean): Promise<void> => {
    const change = (parts: Partial<Begun>): void => {
      if (!isOver()) setBegun((before) => ({ ...before, ...parts }));
    };
    const outcome = await reader.read(source.text);
    if (outcome === null || isOver()) return;
    if (outcome.kind === 'refused') return change({ state: { kind: 'failed', failure: { kind: 'text-unreadable' } } });
    const { summary } = outcome;
    if (summary.found < 2) {
      const found = await reader.found(0, 1);
      // A field of many megabytes would hold up the page.
      if (!isOver()) take(outcomeOfText(found, summary.rejected), found[0]?.value ?? '');
      return;
    }
    change({ summary, state: { kind: 'adding', added: 0 } });
    const workspaceId = current?.id ?? null;
    if (workspaceId === null)
      return change({ state: { kind: 'failed', failure: { kind: 'workspace-missing', id: '' } } });
    const answer = await beginTriage(bridge, workspaceId, reader, {
      isOver,
      added: (added) => change({ state: { kind: 'adding', added } }),
    });
    if (!answer.ok) return change({ state: { kind: 'failed', failure: answer.failure } });
    // Also of a text that was left in the last moment: its job runs.
    noteJob(answer.value);
    noteBegun(source, answer.value);
    change({ attempt: null, state: { kind: 'shown', id: answer.value.id } });
  };
}

/** As many are added in one call, each of which is written to the disk once. */
const addedPage = 5000;

async function beginTriage(
  bridge: Bridge<File>,
  workspaceId: string,
  reader: Pick<HashReader, 'found'>,
  { isOver, added }: { isOver(): boolean; added(count: number): void },
): Promise<Result<Job>> {
  const created = await bridge.call('triage.create', { workspaceId });
  if (!created.ok) return created;
  const { id } = created.value;
  for (let from = 0; ;) {
    const page = await reader.found(from, addedPage);
    if (isOver()) return failed({ kind: 'cancelled' });
    if (page.length === 0) return bridge.call('triage.start', { id });
    const answer = await bridge.call('triage.add', { id, hashes: page.map(({ value }) => value) });
    if (!answer.ok) return answer;
    from += page.length;
    added(from);
  }
}

/** The same with a hash that a person takes for one all the same, or with what it may have been meant as. */
export function hashInstead({ text, reason }: RejectedRun): { hash: string; isCorrected: boolean } | null {
  const digits = text.toLowerCase().replaceAll(/[^0-9a-z]/g, '');
  const isHash = (one: string): boolean => /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/.test(one);
  if (reason.kind === 'placeholder' || reason.kind === 'colons' || reason.kind === 'no-file-hash')
    return isHash(digits) ? { hash: digits, isCorrected: false } : null;
  if (reason.kind !== 'not-hex') return null;
  const corrected = digits.replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return isHash(corrected) ? { hash: corrected, isCorrected: true } : null;
}
