import {
  createContext,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { RejectedRun } from '../../../shared/domain/hash-extractor.ts';
import type { FoundHash } from '../../../shared/domain/hash.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { LookupResult } from '../../../shared/domain/sample.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { type RecentLookup, RecentLookups } from '../../memory/recents.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { type HashTextOutcome, onOneLine, readHashText } from './hash-text.ts';
import { useLastAnswer } from './last-answer.tsx';

/**
 * Where many hashes come from: a text that is being read, or the job that looks them up, which begins with the text or
 * was begun earlier. `number` is another one for each text and each job that is opened; a text hands it on to its job.
 */
export type HashSource =
  | { kind: 'text'; number: number; text: string }
  | { kind: 'job'; number: number; id: number; workspaceId: string | null };

/** The hash of the text that was put in, or the many hashes that it is one of. */
export interface HashChoice {
  /** The first ones: of a long text none, which is read elsewhere. */
  found: readonly FoundHash[];
  rejected: readonly RejectedRun[];
  /** null: there is one hash. */
  many: HashSource | null;
  /** Could not be looked up itself: the MD5 of its sample was entered. */
  insteadOf?: FoundHash;
}

/** The state of the look-up. It outlives its view: opening the settings causes no second request. */
export type LookupState =
  | { kind: 'idle' }
  | { kind: 'no-hash'; failure: Failure; rejected: readonly RejectedRun[] }
  | { kind: 'choosing'; choice: HashChoice }
  | ({ kind: 'asking' } & AskedHash)
  | ({ kind: 'found'; result: LookupResult } & AskedHash)
  | ({ kind: 'failed'; failure: Failure } & AskedHash);

interface AskedHash {
  hash: FoundHash;
  choice: HashChoice;
  workspaceId: string;
  /** Another one for each time that a hash is looked up, be it the same. */
  number: number;
}

interface LookupStore {
  /** The text of the field. */
  text: string;
  state: LookupState;
  setText(typed: string): void;
  /** Reads the text and asks when it holds exactly one hash; more are looked up as a job. */
  lookUpText(typed: string): void;
  /** What a text is that was too long to be read at once; `text` is what the field shows of it. */
  take(verdict: HashTextOutcome, text: string): void;
  /** The job of a text has begun: from then on it replaces the text, here and wherever Back leads to. */
  noteBegun(source: HashSource, job: Pick<Job, 'id' | 'workspaceId'>): void;
  /** The MD5, by the person's word, of the sample of a hash that cannot be looked up. */
  lookUpMd5(md5: string, insteadOf: FoundHash): void;
  /** The same hash again, in a workspace that is about to be the current one. */
  lookUpAt(workspaceId: string): void;
  /** Shows an earlier look-up of many. */
  openMany(job: number): void;
  choose(hash: FoundHash): void;
  again(): void;
  /** Waits no longer for the answer. The host's call ends by itself, at its time limits. */
  stopWaiting(): void;
  backToChoice(): void;
  /** What became of a state since: an answer that came late, the job of a text; of a text without one, nothing. */
  latest(before: LookupState): LookupState;
  /** What Back and Forward would show for it: nothing of another workspace. */
  shownAgain(before: LookupState): LookupState;
  /** Shows what was shown before, for Back and Forward. Nothing is sent: an answer that is under way is waited for. */
  showAgain(typed: string, before: LookupState): void;
}

/** A longer text is read in a thread of its own. In UTF-16 code units. */
const longestRead = 20_000;
/** About as many as are in sight: shown until the thread is read, which has them all. */
const firstComments = 8;

/** The field of the look-up, which takes over look-ups started elsewhere. */
export const lookupFieldId = 'lookup-field';

const LookupStoreContext = createContext<LookupStore | null>(null);

export function useLookupStore(): LookupStore {
  const store = useContext(LookupStoreContext);
  if (!store) throw new TypeError('useLookupStore outside of LookupStoreProvider');
  return store;
}

export function LookupStoreProvider({ children }: { children: ReactNode }) {
  const { current } = useWorkspaces();
  const workspaceId = current?.id ?? null;
  const [typed, setText] = useState('');
  const [latest, setState] = useState<LookupState>({ kind: 'idle' });
  const state = useMemo(() => stateIn(workspaceId, latest), [latest, workspaceId]);
  const [outcomes] = useState(() => new LookupOutcomes());
  const { send, awaitAnswer, dropAnswer } = useLookupCall(workspaceId, setState, outcomes);
  const choose = useCallback(
    (choice: HashChoice) => {
      dropAnswer();
      // The field shows how many there are in place of their text.
      setText('');
      setState({ kind: 'choosing', choice });
    },
    [dropAnswer],
  );
  const take = useCallback(
    (verdict: HashTextOutcome, asked: string) => {
      dropAnswer();
      if (verdict.kind === 'several')
        return choose(choiceOf(verdict, { ...outcomes.next(), kind: 'text', text: asked }));
      setText(onOneLine(asked));
      if (verdict.kind === 'empty') setState({ kind: 'idle' });
      if (verdict.kind === 'none') setState({ kind: 'no-hash', failure: verdict.failure, rejected: verdict.rejected });
      if (verdict.kind === 'one')
        void send(verdict.hash, { found: [verdict.hash], rejected: verdict.rejected, many: null });
    },
    [send, dropAnswer, choose, outcomes],
  );
  const lookUpText = useCallback(
    (asked: string) => {
      if (asked.length > longestRead) choose(choiceOf(unread, { ...outcomes.next(), kind: 'text', text: asked }));
      else take(readHashText(asked), asked);
    },
    [choose, take, outcomes],
  );
  const again = useShownAgain({ state, workspaceId, outcomes }, { setText, setState, awaitAnswer, dropAnswer });
  const further = useFurtherLookups({ state, workspaceId }, send, setText);

  const store = useMemo(
    (): LookupStore => ({
      text: typed,
      state,
      setText,
      lookUpText,
      take,
      noteBegun: (source, job) => {
        const begun = outcomes.begun(source, job);
        setState((before) => (manyOf(before) === source ? withMany(before, begun) : before));
      },
      openMany: (id) => choose(choiceOf(unread, { ...outcomes.next(), kind: 'job', id, workspaceId })),
      choose: (hash) => void ('choice' in state && send(hash, state.choice)),
      again: () => void ('hash' in state && send(state.hash, state.choice)),
      stopWaiting: () => {
        if (state.kind !== 'asking') return;
        dropAnswer();
        setState(state.choice.many === null ? { kind: 'idle' } : { kind: 'choosing', choice: state.choice });
      },
      backToChoice: () => 'choice' in state && setState({ kind: 'choosing', choice: state.choice }),
      ...again,
      ...further,
    }),
    [typed, state, workspaceId, lookUpText, take, choose, send, dropAnswer, outcomes, again, further],
  );
  return <LookupStoreContext value={store}>{children}</LookupStoreContext>;
}

const unread = { found: [], rejected: [] };
const choiceOf = ({ found, rejected }: Omit<HashChoice, 'many'>, many: HashSource): HashChoice => ({
  found,
  rejected,
  many,
});

const manyOf = (state: LookupState): HashSource | null => ('choice' in state ? state.choice.many : null);
const withMany = (state: LookupState, many: HashSource): LookupState =>
  'choice' in state ? { ...state, choice: { ...state.choice, many } } : state;

function isOf(state: LookupState, workspaceId: string | null): boolean {
  const many = manyOf(state);
  if (many?.kind === 'job' && many.workspaceId !== workspaceId) return false;
  return !('workspaceId' in state) || state.workspaceId === workspaceId;
}

/** A result belongs to the workspace it was asked of, and a table to that of its job: in another one there is none. */
const stateIn = (workspaceId: string | null, latest: LookupState): LookupState =>
  isOf(latest, workspaceId) ? latest : { kind: 'idle' };

/** What came of states that may not be shown any longer. Kept as long as the states are: Back leads to them. */
class LookupOutcomes {
  readonly #answers = new WeakMap<LookupState, LookupState>();
  readonly #jobs = new WeakMap<HashSource, HashSource>();
  #last = 0;

  next(): { number: number } {
    this.#last += 1;
    return { number: this.#last };
  }

  answered(asked: LookupState, answer: LookupState): void {
    this.#answers.set(asked, answer);
  }

  begun(source: HashSource, { id, workspaceId }: Pick<Job, 'id' | 'workspaceId'>): HashSource {
    const job: HashSource = { kind: 'job', number: source.number, id, workspaceId };
    this.#jobs.set(source, job);
    return job;
  }

  latest(before: LookupState): LookupState {
    const answer = this.#answers.get(before) ?? before;
    const many = manyOf(answer);
    const job = many === null ? undefined : this.#jobs.get(many);
    return job === undefined ? answer : withMany(answer, job);
  }
}

interface ShownLookup {
  state: LookupState;
  workspaceId: string | null;
  outcomes: LookupOutcomes;
}

interface ShowLookup extends Omit<LookupCall, 'send'> {
  setText(typed: string): void;
  setState(state: LookupState): void;
}

type ShownAgain = Pick<LookupStore, 'latest' | 'shownAgain' | 'showAgain'>;

function useShownAgain(
  { state, workspaceId, outcomes }: ShownLookup,
  { setText, setState, awaitAnswer, dropAnswer }: ShowLookup,
): ShownAgain {
  return useMemo(() => {
    const latest = (before: LookupState): LookupState => {
      const known = outcomes.latest(before);
      const many = manyOf(known);
      // A text that was left while it was read: nothing has begun, and it is let go.
      return many?.kind === 'text' && many !== manyOf(state) ? { kind: 'idle' } : known;
    };
    const shownAgain = (before: LookupState): LookupState => {
      const known = latest(before);
      return isOf(known, workspaceId) ? known : { kind: 'idle' };
    };
    return {
      latest,
      shownAgain,
      showAgain: (typed, before) => {
        dropAnswer();
        setText(typed);
        const shown = shownAgain(before);
        if (shown.kind === 'asking') awaitAnswer(shown);
        setState(shown);
      },
    };
  }, [state, workspaceId, outcomes, setText, setState, awaitAnswer, dropAnswer]);
}

type NextLookup = Omit<AskedHash, 'number'>;

/** The other ways to the sample of a hash that a repository does not find. */
function useFurtherLookups(
  { state, workspaceId }: Pick<ShownLookup, 'state' | 'workspaceId'>,
  send: LookupCall['send'],
  setText: (typed: string) => void,
): Pick<LookupStore, 'lookUpMd5' | 'lookUpAt'> {
  const [next, setNext] = useState<NextLookup | null>(null);
  const sent = useRef<NextLookup | null>(null);
  // As soon as the page has heard that the workspace is the current one, and before anything is painted: between the
  // two workspaces there is no look-up to show.
  useLayoutEffect(() => {
    if (next === null || next === sent.current || next.workspaceId !== workspaceId) return;
    sent.current = next;
    void send(next.hash, next.choice);
  }, [next, workspaceId, send]);
  return useMemo(
    () => ({
      lookUpMd5: (value, insteadOf) => {
        const hash: FoundHash = { kind: 'md5', value };
        setText(value);
        void send(hash, { found: [hash], rejected: [], many: null, insteadOf });
      },
      lookUpAt: (id) => {
        if ('hash' in state) setNext({ workspaceId: id, hash: state.hash, choice: state.choice });
      },
    }),
    [state, send, setText],
  );
}

type Asking = Extract<LookupState, { kind: 'asking' }>;

interface LookupCall {
  /** Looks a hash up and shows each step of it. */
  send(hash: FoundHash, choice: HashChoice): Promise<void>;
  /** Shows the answer to this question once it comes. */
  awaitAnswer(asked: Asking): void;
  /** Ignores the answer that is still awaited. */
  dropAnswer(): void;
}

function useLookupCall(
  workspaceId: string | null,
  show: (state: LookupState) => void,
  outcomes: LookupOutcomes,
): LookupCall {
  const bridge = useBridge();
  const { note } = useLastAnswer();
  const awaited = useRef(0);
  const awaitAnswer = useCallback(({ number }: Asking) => {
    awaited.current = number;
  }, []);
  const dropAnswer = useCallback(() => {
    awaited.current = 0;
  }, []);
  const send = useCallback(
    async (hash: FoundHash, choice: HashChoice) => {
      const { number } = outcomes.next();
      awaited.current = number;
      const asked = workspaceId ?? (await currentWorkspace(bridge));
      // Without a host there is no workspace; the frame shows that above the field, which keeps its text.
      if (asked === null || number !== awaited.current) return;
      const about = { hash, choice, workspaceId: asked, number };
      const asking: Asking = { kind: 'asking', ...about };
      show(asking);
      const answer = await bridge.call('samples.lookup', { workspaceId: asked, hash: hash.value, firstComments });
      if (answer.ok)
        void recentLookups.remember({
          workspaceId: asked,
          md5: answer.value.asked,
          name: answer.value.record.name,
          at: Date.now(),
        });
      note({ workspaceId: asked, failure: answer.ok ? null : answer.failure });
      const outcome: LookupState = answer.ok
        ? { kind: 'found', ...about, result: answer.value }
        : { kind: 'failed', ...about, failure: answer.failure };
      outcomes.answered(asking, outcome);
      // An answer that was overtaken by a later question is not shown, until Back leads to it.
      if (number !== awaited.current) return;
      // All that is known of a sample is much to draw: it is drawn in pieces, between whatever the person does.
      startTransition(() => show(outcome));
    },
    [bridge, workspaceId, note, show, outcomes],
  );
  return { send, awaitAnswer, dropAnswer };
}

/** For a hash that is asked before the page has heard of its workspaces. */
async function currentWorkspace(bridge: Bridge<File>): Promise<string | null> {
  const listed = await bridge.call('workspaces.list', {});
  return listed.ok ? listed.value.current : null;
}

/** The page's one memory of recent look-ups. */
export const recentLookups = new RecentLookups();

export function useRecentLookups(workspaceId: string | null): readonly RecentLookup[] {
  const all = useSyncExternalStore(recentLookups.subscribe, recentLookups.snapshot);
  return all.filter((recent) => recent.workspaceId === workspaceId);
}
