import {
  createContext,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { RejectedRun } from '../../../shared/domain/hash-extractor.ts';
import type { FoundHash } from '../../../shared/domain/hash.ts';
import type { LookupResult } from '../../../shared/domain/sample.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { type RecentLookup, RecentLookups } from '../../memory/recents.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { type HashTextOutcome, onOneLine, readHashText } from './hash-text.ts';
import { useLastAnswer } from './last-answer.tsx';

/** Where many hashes come from: a text that was put in, or an earlier look-up of many. */
export type HashSource = { kind: 'text'; text: string } | { kind: 'job'; id: number };

/** The hash of the text that was put in, or the many hashes that it is one of. */
export interface HashChoice {
  /** The first ones: of a long text none, which is read elsewhere. */
  found: readonly FoundHash[];
  rejected: readonly RejectedRun[];
  /** null: there is one hash. */
  many: HashSource | null;
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
  /** What a text is that was too long to be read at once. */
  take(verdict: HashTextOutcome, text: string): void;
  /** Shows an earlier look-up of many. */
  openMany(job: number): void;
  choose(hash: FoundHash): void;
  again(): void;
  /** Waits no longer for the answer. The host's call ends by itself, at its time limits. */
  stopWaiting(): void;
  backToChoice(): void;
  /** Shows what was shown before, for Back and Forward: only an answer that never came is asked for again. */
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
  // A result belongs to the workspace it was asked of: in another one there is none yet.
  const state: LookupState = useMemo(
    () => ('workspaceId' in latest && latest.workspaceId !== workspaceId ? { kind: 'idle' } : latest),
    [latest, workspaceId],
  );
  const { send, dropAnswer } = useLookupCall(workspaceId, setState);
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
        return choose({ found: verdict.found, rejected: verdict.rejected, many: { kind: 'text', text: asked } });
      setText(onOneLine(asked));
      if (verdict.kind === 'empty') setState({ kind: 'idle' });
      if (verdict.kind === 'none') setState({ kind: 'no-hash', failure: verdict.failure, rejected: verdict.rejected });
      if (verdict.kind === 'one')
        void send(verdict.hash, { found: [verdict.hash], rejected: verdict.rejected, many: null });
    },
    [send, dropAnswer, choose],
  );
  const lookUpText = useCallback(
    (asked: string) => {
      if (asked.length > longestRead) choose({ found: [], rejected: [], many: { kind: 'text', text: asked } });
      else take(readHashText(asked), asked);
    },
    [choose, take],
  );

  const store = useMemo(
    (): LookupStore => ({
      text: typed,
      state,
      setText,
      lookUpText,
      take,
      openMany: (job) => choose({ found: [], rejected: [], many: { kind: 'job', id: job } }),
      choose: (hash) => void ('choice' in state && send(hash, state.choice)),
      again: () => void ('hash' in state && send(state.hash, state.choice)),
      stopWaiting: () => {
        if (state.kind !== 'asking') return;
        dropAnswer();
        setState(state.choice.many === null ? { kind: 'idle' } : { kind: 'choosing', choice: state.choice });
      },
      showAgain: (asked, before) => {
        dropAnswer();
        setText(asked);
        const isOfHere = !('workspaceId' in before) || before.workspaceId === workspaceId;
        if (before.kind === 'asking' && isOfHere) void send(before.hash, before.choice);
        else setState(isOfHere && hasBegun(before, state) ? before : { kind: 'idle' });
      },
      backToChoice: () => 'choice' in state && setState({ kind: 'choosing', choice: state.choice }),
    }),
    [typed, state, workspaceId, lookUpText, take, choose, send, dropAnswer],
  );
  return <LookupStoreContext value={store}>{children}</LookupStoreContext>;
}

/** Many hashes that are not those of the shown table would be sent once more, and by now to whichever repository. */
function hasBegun(before: LookupState, now: LookupState): boolean {
  const many = 'choice' in before ? before.choice.many : null;
  return many === null || many.kind === 'job' || ('choice' in now && now.choice.many === many);
}

interface LookupCall {
  /** Looks a hash up and shows each step of it. */
  send(hash: FoundHash, choice: HashChoice): Promise<void>;
  /** Ignores the answer that is still awaited. */
  dropAnswer(): void;
}

function useLookupCall(workspaceId: string | null, show: (state: LookupState) => void): LookupCall {
  const bridge = useBridge();
  const { note } = useLastAnswer();
  const asking = useRef(0);
  const dropAnswer = useCallback(() => {
    asking.current += 1;
  }, []);
  const send = useCallback(
    async (hash: FoundHash, choice: HashChoice) => {
      asking.current += 1;
      const mine = asking.current;
      const asked = workspaceId ?? (await currentWorkspace(bridge));
      // Without a host there is no workspace; the frame shows that above the field, which keeps its text.
      if (asked === null || mine !== asking.current) return;
      const about = { hash, choice, workspaceId: asked, number: mine };
      show({ kind: 'asking', ...about });
      const answer = await bridge.call('samples.lookup', { workspaceId: asked, hash: hash.value, firstComments });
      if (answer.ok)
        void recentLookups.remember({
          workspaceId: asked,
          md5: answer.value.asked,
          name: answer.value.record.name,
          at: Date.now(),
        });
      note({ workspaceId: asked, failure: answer.ok ? null : answer.failure });
      // An answer that was overtaken by a later question is not shown.
      if (mine !== asking.current) return;
      // All that is known of a sample is much to draw: it is drawn in pieces, between whatever the person does.
      startTransition(() =>
        show(
          answer.ok
            ? { kind: 'found', ...about, result: answer.value }
            : { kind: 'failed', ...about, failure: answer.failure },
        ),
      );
    },
    [bridge, workspaceId, note, show],
  );
  return { send, dropAnswer };
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
