import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { longestComment } from '../../../shared/domain/comment.ts';
import type { UploadDraft } from '../../../shared/domain/upload.ts';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { partsOf, type RecordChange } from '../../../shared/domain/server-record.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useEvent, useOperation } from '../../bridge/operations.ts';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { unsavedUploadComments } from '../../memory/unsaved-texts.ts';
import { paced } from '../../bridge/paced.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { DraftWrites } from './draft-writes.ts';

/**
 * What the person does with the draft of one workspace. It outlives the view: what was typed last is still on its way.
 */
interface KeptDraft {
  writes: DraftWrites;
  comment: KeptComment;
  /** What became of comments for samples that are known. */
  posted: PostingOutcomes;
  /** Where one was in the table. */
  memory: GridMemory;
  /** Reads again what is in sight, and the numbers. */
  refresh(): void;
}

export interface Draft extends KeptDraft {
  workspace: WorkspaceView;
  /** null until it is known. */
  summary: UploadDraft | null;
  failure: Failure | null;
}

const DraftsContext = createContext<((workspaceId: string) => KeptDraft) | null>(null);

const refreshEveryMs = 250;

export function DraftProvider({ children }: { children: ReactNode }) {
  const bridge = useBridge();
  const client = useQueryClient();
  const [kept] = useState(() => new Map<string, KeptDraft>());
  const draftOf = useCallback(
    (workspaceId: string): KeptDraft => {
      const known = kept.get(workspaceId);
      if (known !== undefined) return known;
      const ask = (name: 'uploads.draft' | 'uploads.files') =>
        client.invalidateQueries({ queryKey: [name, { workspaceId }] });
      const refresh = paced(refreshEveryMs, async () => {
        const answered = writes.answered;
        await Promise.all([ask('uploads.draft'), ask('uploads.files')]);
        const numbers = client.getQueryState<UploadDraft>(['uploads.draft', { workspaceId }]);
        if (numbers?.data !== undefined && !numbers.isInvalidated) writes.note(numbers.data, answered);
      });
      const writes = new DraftWrites(bridge, workspaceId, refresh);
      const draft = {
        writes,
        comment: new KeptComment(writes, workspaceId),
        memory: new GridMemory(),
        posted: new Map(),
        refresh,
      };
      kept.set(workspaceId, draft);
      return draft;
    },
    [bridge, client, kept],
  );
  useEvent('uploads.changed', ({ workspaceId }) => draftOf(workspaceId).refresh());
  const saveAll = useEffectEvent(() => {
    for (const { comment } of kept.values()) comment.leave();
  });
  useEffect(() => {
    const stop = new AbortController();
    window.addEventListener('pagehide', () => saveAll(), { signal: stop.signal });
    // A page out of sight may be ended without another word.
    document.addEventListener('visibilitychange', () => document.hidden && saveAll(), { signal: stop.signal });
    return () => stop.abort();
  }, []);
  return <DraftsContext value={draftOf}>{children}</DraftsContext>;
}

/** The draft of the current workspace; null while that is not known. */
export function useDraft(): Draft | null {
  const draftOf = useContext(DraftsContext);
  if (!draftOf) throw new TypeError('useDraft outside of DraftProvider');
  const { current } = useWorkspaces();
  const { data = null, error } = useOperation(
    'uploads.draft',
    { workspaceId: current?.id ?? '' },
    { enabled: current !== null },
  );
  return useMemo(
    () => (current === null ? null : { ...draftOf(current.id), workspace: current, summary: data, failure: error }),
    [draftOf, current, data, error],
  );
}

/** Draws again whenever something was done with the draft. */
export function useWrites(writes: DraftWrites): DraftWrites {
  useSyncExternalStore(writes.subscribe, writes.revision);
  return writes;
}

/** A comment for a sample that is known at the repository. */
export interface Posting {
  /** The file of the draft. */
  id: number;
  name: string;
  md5: string;
  comment: string;
  /** Its TLP is one of them. */
  tags: readonly string[];
  /** Both together, as they are shown and posted as a comment. */
  text: string;
}

/** `altered`: the record does not read as it was sent. */
type PostingState = 'sending' | 'sent' | 'failed' | 'altered' | 'may-have-arrived';

export interface PostingOutcome {
  /** What was sent. */
  text: string;
  state: PostingState;
  failure: Failure | null;
}

/**
 * What became of comments, by file of the draft. It outlives the dialog: nothing is posted twice by opening it again.
 */
type PostingOutcomes = Map<number, PostingOutcome>;

/** Sent just so, or perhaps: it is not sent once more. */
export const isOver = (outcome: PostingOutcome | undefined, { text }: Pick<Posting, 'text'>): boolean =>
  outcome !== undefined && outcome.text === text && outcome.state !== 'failed';

interface PostingRun {
  outcomes: ReadonlyMap<number, PostingOutcome>;
  isRunning: boolean;
  /** How many were to be sent, over all runs. */
  planned: number;
  /** Sends them one after the other. */
  post(postings: readonly Posting[]): void;
  /** The one under way comes to its end. */
  stop(): void;
}

/** As a comment of its own, or into the record. */
export type PostingWay = 'comment' | 'record';

/** Sends comments one by one, and reports the outcome of each. */
export function usePosting(
  { workspaceId, way }: { workspaceId: string; way: PostingWay },
  kept: PostingOutcomes,
): PostingRun {
  const bridge = useBridge();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, PostingOutcome>>(() => new Map(kept));
  const [isRunning, setRunning] = useState(false);
  const [planned, setPlanned] = useState<ReadonlySet<number>>(() => new Set(kept.keys()));
  const isStopped = useRef(false);
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );
  const run = async (postings: readonly Posting[]): Promise<void> => {
    isStopped.current = false;
    setRunning(true);
    setPlanned((before) => new Set([...before, ...postings.map(({ id }) => id)]));
    const note = (id: number, outcome: PostingOutcome): void => {
      kept.set(id, outcome);
      setOutcomes(new Map(kept));
    };
    for (const posting of postings) {
      if (isStopped.current) break;
      note(posting.id, { text: posting.text, state: 'sending', failure: null });
      // One after the other: a service that refuses one is not asked for all of them at once.
      note(posting.id, { text: posting.text, ...(await sendBy[way](bridge, workspaceId, posting)) });
    }
    setRunning(false);
  };
  return {
    outcomes,
    isRunning,
    planned: planned.size,
    post: (postings) => void run(postings),
    stop: () => {
      isStopped.current = true;
    },
  };
}

async function send(
  bridge: Bridge<File>,
  workspaceId: string,
  { md5, text }: Posting,
): Promise<Omit<PostingOutcome, 'text'>> {
  const begun = await bridge.call('comments.send', { workspaceId, md5, draft: { text, parentId: null } });
  if (!begun.ok) return { state: 'failed', failure: begun.failure };
  const thread = await bridge.call('comments.thread', { workspaceId, md5 });
  if (!thread.ok) return { state: 'may-have-arrived', failure: thread.failure };
  const own = thread.value.comments.find(({ own: each }) => each?.id === begun.value.id)?.own ?? null;
  if (own === null || own.state === 'sent') return { state: 'sent', failure: null };
  return { state: own.state === 'failed' ? 'failed' : 'may-have-arrived', failure: own.failure };
}

/** Adds to a record: nothing that is there goes. What it has already is not sent again. */
async function sendIntoRecord(
  bridge: Bridge<File>,
  workspaceId: string,
  { md5, comment, tags }: Posting,
): Promise<Omit<PostingOutcome, 'text'>> {
  const looked = await bridge.call('samples.lookup', { workspaceId, hash: md5, firstComments: 1 });
  if (!looked.ok) return { state: 'failed', failure: looked.failure };
  const basedOn = partsOf(looked.value.record);
  const missing = tags.filter((tag) => !basedOn.tags.includes(tag));
  const isSaid = comment.trim() === '' || basedOn.comment.includes(comment.trim());
  if (missing.length === 0 && isSaid) return { state: 'sent', failure: null };
  const change: RecordChange = {
    ...(missing.length > 0 && { tags: [...basedOn.tags, ...missing] }),
    ...(!isSaid && { comment: [basedOn.comment, comment].filter((part) => part !== '').join('\n') }),
  };
  const changed = await bridge.call('servers.changeRecord', { workspaceId, md5, change, basedOn });
  if (!changed.ok)
    return {
      state: changed.failure.kind === 'may-have-arrived' ? 'may-have-arrived' : 'failed',
      failure: changed.failure,
    };
  return { state: changed.value.altered.length === 0 ? 'sent' : 'altered', failure: null };
}

const sendBy = { comment: send, record: sendIntoRecord } as const;

const savedEveryMs = 400;

/** The comment as it is typed, saved while it is: the last keystrokes too, wherever the person goes. */
export class KeptComment {
  readonly #writes: DraftWrites;
  readonly #workspaceId: string;
  readonly #listeners = new Set<() => void>();
  readonly #save: () => void;
  #typed: string | null = null;
  /** The text last sent to be saved. */
  #sent: string | null = null;
  /** The host has this one. */
  #saved: string | null = null;

  constructor(writes: DraftWrites, workspaceId: string) {
    this.#writes = writes;
    this.#workspaceId = workspaceId;
    this.#save = paced(savedEveryMs, () => this.flush());
    const left = unsavedUploadComments.read(workspaceId);
    if (left !== null) this.type(left);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  /** null: as the host has it. */
  readonly typed = (): string | null => this.#typed;

  type(text: string): void {
    this.#typed = text;
    this.#report();
    this.#save();
  }

  /** A text that is too long is not saved: none of it would be. */
  async flush(): Promise<void> {
    const text = this.#typed;
    if (text === null || text === this.#sent || text.length > longestComment) return;
    this.#sent = text;
    const answer = await this.#writes.send('uploads.comment', { workspaceId: this.#workspaceId, text });
    if (answer.ok) this.#savedNow(text);
    else if (this.#sent === text) this.#sent = null;
  }

  /** The page goes: what the host does not surely have is for the next one. */
  leave(): void {
    if (this.#typed !== null && this.#typed !== this.#saved) unsavedUploadComments.keep(this.#workspaceId, this.#typed);
    void this.flush();
  }

  /** Lets go of the typed text once the host is known to have it. */
  release(text: string): void {
    if (this.#typed === text && this.#sent === text) this.forget();
  }

  forget(): void {
    this.#typed = null;
    this.#sent = null;
    this.#saved = null;
    unsavedUploadComments.clear(this.#workspaceId);
    this.#report();
  }

  #savedNow(text: string): void {
    this.#saved = text;
    if (this.#typed === text) unsavedUploadComments.clear(this.#workspaceId);
  }

  #report(): void {
    for (const listener of this.#listeners) listener();
  }
}
