import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { ExtractedHash } from '../../../shared/domain/hash-extractor.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useNoteJob, useShownJob } from '../../state/jobs.tsx';
import { paced } from '../../bridge/paced.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { beginBulk, type BulkTally, noTally, type ReadHashes, tallyHashes } from './bulk-tally.ts';
import type { ShownLine, TextSummary } from './extracted-text.ts';
import type { HashReader } from './hash-reader.ts';
import type { Refusal } from './text-file.ts';
import { WorkerHashReader } from './worker-hash-reader.ts';

/** Where the text came from: it was put in here, or it is a file of that name. */
export type ListSource = { kind: 'text' } | { kind: 'file'; name: string };

/** The text that hashes are read from, as far as it was read. */
export type BulkList =
  | { kind: 'none' }
  | { kind: 'reading'; source: ListSource }
  | { kind: 'refused'; source: ListSource; refusal: Refusal }
  /** `revision` is another one for each text. */
  | { kind: 'read'; source: ListSource; summary: TextSummary; revision: number };

export type BulkCheck = { tally: BulkTally; isDone: boolean; failure: Failure | null };

/** Between the button and the job. */
export type BulkBegin = { kind: 'idle' } | { kind: 'adding'; added: number } | { kind: 'failed'; failure: Failure };

/** The current bulk download. It outlives its view. */
export interface BulkStore {
  list: BulkList;
  /** The text, where it was put in here and is short enough to be edited. */
  editable: string | null;
  check: BulkCheck;
  begin: BulkBegin;
  job: Job | null;
  setText(text: string): void;
  openFile(file: File): void;
  lines(from: number, count: number): Promise<ShownLine[]>;
  found(from: number, count: number): Promise<ExtractedHash[]>;
  /** The records are fetched too. */
  records: boolean;
  setRecords(records: boolean): void;
  checkAgain(): void;
  start(): void;
  stopAdding(): void;
  /** Lets go of the text and of the job, which runs on by itself. */
  newList(): void;
}

/** Longer texts are shown and not edited: a field of many megabytes would hold up the page. In UTF-16 code units. */
const longestEditable = 200_000;

const BulkStoreContext = createContext<BulkStore | null>(null);

export function useBulkStore(): BulkStore {
  const store = useContext(BulkStoreContext);
  if (!store) throw new TypeError('useBulkStore outside of BulkStoreProvider');
  return store;
}

export interface BulkStoreProviderProps {
  children: ReactNode;
  /** A thread of its own, unless another is given. */
  openReader?: (() => HashReader) | undefined;
}

const openThread = (): HashReader => new WorkerHashReader();

export function BulkStoreProvider({ children, openReader = openThread }: BulkStoreProviderProps) {
  const [reader] = useState(openReader);
  const { list, editable, setText, openFile, clear } = useList(reader);
  const { current } = useWorkspaces();
  const workspaceId = current?.id ?? null;
  const { job, showJob, leaveJob } = useShownJob('bulk-download', list.kind === 'none' ? workspaceId : null);
  const { check, checkAgain } = useCheck(reader, list, workspaceId, job !== null);
  const [records, setRecords] = useState(true);
  const { begin, start, stopAdding } = useBegin(reader, { workspaceId, records }, showJob);

  const leave = useCallback((): void => {
    leaveJob();
    stopAdding();
  }, [leaveJob, stopAdding]);
  const store = useMemo(
    (): BulkStore => ({
      list,
      editable,
      check,
      begin,
      job,
      setText: (text) => {
        leave();
        setText(text);
      },
      openFile: (file) => {
        leave();
        openFile(file);
      },
      lines: (from, count) => reader.lines(from, count),
      found: (from, count) => reader.found(from, count),
      records,
      setRecords,
      checkAgain,
      start,
      stopAdding,
      newList: () => {
        leave();
        clear();
      },
    }),
    [
      list,
      editable,
      check,
      begin,
      job,
      leave,
      setText,
      openFile,
      clear,
      reader,
      records,
      checkAgain,
      start,
      stopAdding,
    ],
  );
  return <BulkStoreContext value={store}>{children}</BulkStoreContext>;
}

function useList(reader: HashReader) {
  const [list, setList] = useState<BulkList>({ kind: 'none' });
  const [editable, setEditable] = useState<string | null>('');
  const revision = useRef(0);

  const read = useCallback(
    async (from: string | File, source: ListSource) => {
      revision.current += 1;
      const mine = revision.current;
      // What was read before stays in sight while the person types on.
      setList((before) => (before.kind === 'read' && source.kind === 'text' ? before : { kind: 'reading', source }));
      const outcome = await reader.read(from);
      if (outcome === null || mine !== revision.current) return;
      // Another text can be put in where this one was refused.
      if (outcome.kind === 'refused') setEditable('');
      setList(
        outcome.kind === 'read'
          ? { kind: 'read', source, summary: outcome.summary, revision: mine }
          : { kind: 'refused', source, refusal: outcome.refusal },
      );
    },
    [reader],
  );

  const clear = useCallback(() => {
    revision.current += 1;
    reader.close();
    setEditable('');
    setList({ kind: 'none' });
  }, [reader]);
  const setText = useCallback(
    (text: string) => {
      if (text.trim() === '') {
        clear();
        setEditable(text);
        return;
      }
      setEditable(text.length <= longestEditable ? text : null);
      void read(text, { kind: 'text' });
    },
    [clear, read],
  );
  const openFile = useCallback(
    (file: File) => {
      setEditable(null);
      void read(file, { kind: 'file', name: file.name });
    },
    [read],
  );
  return { list, editable, setText, openFile, clear };
}

/** The counts grow faster than a person can read. */
const drawnEveryMs = 250;
const hashesOf =
  (reader: HashReader): ReadHashes =>
  async (from, count) =>
    (await reader.found(from, count)).map(({ value }) => value);

const unchecked: BulkCheck = { tally: noTally, isDone: false, failure: null };

/**
 * Asks the host about each list once, and again in another workspace. A list that changed is not asked about to its
 * end. While a job of the list is shown, the counts stay as they were when it was begun.
 */
function useCheck(
  reader: HashReader,
  list: BulkList,
  workspaceId: string | null,
  hasJob: boolean,
): { check: BulkCheck; checkAgain(): void } {
  const bridge = useBridge();
  const [round, setRound] = useState(0);
  const [asked, setAsked] = useState<{ question: string | null; check: BulkCheck }>({
    question: null,
    check: unchecked,
  });
  const question = list.kind === 'read' && workspaceId !== null ? `${workspaceId}:${list.revision}:${round}` : null;
  useEffect(() => {
    if (question === null || workspaceId === null || hasJob) return undefined;
    let isOver = false;
    let latest = noTally;
    const show = paced(drawnEveryMs, () => {
      if (!isOver) setAsked({ question, check: { tally: latest, isDone: false, failure: null } });
    });
    const report = (tally: BulkTally): void => {
      latest = tally;
      show();
    };
    const ask = async (): Promise<void> => {
      const answer = await tallyHashes(bridge, { hashes: hashesOf(reader), isOver: () => isOver }, report);
      if (isOver) return;
      isOver = true;
      setAsked({
        question,
        check: answer.ok
          ? { tally: answer.value, isDone: true, failure: null }
          : { tally: latest, isDone: false, failure: answer.failure },
      });
    };
    void ask();
    return () => {
      isOver = true;
    };
  }, [bridge, reader, question, workspaceId, hasJob]);
  const checkAgain = useCallback(() => setRound((before) => before + 1), []);
  return { check: hasJob || asked.question === question ? asked.check : unchecked, checkAgain };
}

function useBegin(
  reader: HashReader,
  { workspaceId, records }: { workspaceId: string | null; records: boolean },
  onBegun: (id: number) => void,
) {
  const bridge = useBridge();
  const noteJob = useNoteJob();
  const [begin, setBegin] = useState<BulkBegin>({ kind: 'idle' });
  const attempt = useRef(0);

  const run = async (workspace: string): Promise<void> => {
    attempt.current += 1;
    const mine = attempt.current;
    const isOver = (): boolean => mine !== attempt.current;
    setBegin({ kind: 'adding', added: 0 });
    let latest = 0;
    let isEnded = false;
    const show = paced(drawnEveryMs, () => {
      if (!isEnded && !isOver()) setBegin({ kind: 'adding', added: latest });
    });
    const answer = await beginBulk(
      bridge,
      { workspaceId: workspace, hashes: hashesOf(reader), isOver, records },
      (added) => {
        latest = added;
        show();
      },
    );
    isEnded = true;
    if (isOver()) return;
    setBegin(answer.ok ? { kind: 'idle' } : { kind: 'failed', failure: answer.failure });
    if (!answer.ok) return;
    noteJob(answer.value);
    onBegun(answer.value.id);
  };
  const stopAdding = useCallback(() => {
    attempt.current += 1;
    setBegin({ kind: 'idle' });
  }, []);
  return { begin, start: () => void (workspaceId !== null && run(workspaceId)), stopAdding };
}
