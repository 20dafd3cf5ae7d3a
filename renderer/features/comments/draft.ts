import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { OperationOutput } from '../../../shared/contract.ts';
import { type CommentDraft, isSameDraft, longestComment, noDraft } from '../../../shared/domain/comment.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useEvent } from '../../bridge/operations.ts';
import { describeFailure } from '../../components/failure-format.ts';
import { useToast } from '../../components/toasts.tsx';
import { notesTogether, type UnsavedDraft, UnsavedDrafts } from '../../memory/unsaved-texts.ts';
import { paced } from '../../bridge/paced.ts';
import { useIsMounted } from '../../state/presence.ts';
import { text } from './strings.ts';

/** Where a draft is kept. */
interface DraftPlaces {
  host: {
    read(): Promise<Result<CommentDraft>>;
    /** Writes it where the host has one of `basedOn`. @returns what the host has then */
    save(draft: CommentDraft, basedOn: CommentDraft[]): Promise<Result<CommentDraft>>;
  };
  /** In this browser, until the host has it. */
  unsaved: {
    read(): Promise<UnsavedDraft | null>;
    keep(draft: UnsavedDraft): Promise<boolean>;
    clear(): Promise<void>;
  };
}

interface DraftState {
  draft: CommentDraft;
  /** False: what was kept is still being read, and nothing may be written over it. */
  isLoaded: boolean;
  /** Where the latest text is safe. `nowhere` is reported only after both refused it. */
  safeIn: 'host' | 'browser' | 'nowhere';
  /** Another draft came from elsewhere, and is shown above one's own. */
  isJoined: boolean;
}

const savedEveryMs = 400;
const mostBases = 4;

/**
 * The draft of one sample's comment. Each keystroke goes into the browser's database at once and to the host a little
 * later, one saving after the other, so that the latest text is never overtaken by an older one. What another page made
 * of it meanwhile is never written over.
 */
export class KeptDraft {
  readonly #places: DraftPlaces;
  readonly #listeners = new Set<() => void>();
  readonly #toHost = paced(savedEveryMs, () => this.#save());
  readonly #toBrowser = paced(0, () => this.#keepUnsaved());
  #state: DraftState = { draft: noDraft, isLoaded: false, safeIn: 'host', isJoined: false };
  /** The host has this one. */
  #saved: CommentDraft = noDraft;
  /** The host may have one of these instead: on its way, with a lost answer, or a comment by now. */
  #sent: readonly CommentDraft[] = [];
  #saving: Promise<void> = Promise.resolve();
  #failure: Failure | null = null;
  /** What is read now, or was: of one that was left before, nothing is taken over. */
  #reading: Promise<UnsavedDraft | null> | null = null;
  #isLeft = false;

  constructor(places: DraftPlaces) {
    this.#places = places;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly snapshot = (): DraftState => this.#state;

  /**
   * What the host has; what was typed after that and did not reach it is newer, or goes below it. Later calls follow
   * the host.
   */
  async load(stored: CommentDraft): Promise<void> {
    this.#isLeft = false;
    if (this.#reading !== null) return this.follow();
    const reading = this.#places.unsaved.read();
    this.#reading = reading;
    const unsaved = await reading;
    if (this.#reading !== reading) return;
    this.#saved = stored;
    this.#show({ draft: stored, isLoaded: true });
    if (unsaved !== null) this.#takeUp(unsaved, stored);
  }

  /**
   * What another page made of it is shown here, unless one's own is on its way to the host: that is put to it when it
   * gets there.
   */
  async follow(): Promise<void> {
    const { draft, isLoaded } = this.#state;
    if (!isLoaded || draft !== this.#saved) return;
    const stored = await this.#places.host.read();
    if (!stored.ok || this.#state.draft !== draft || this.#saved !== draft) return;
    if (this.#sent.some((one) => isSameDraft(one, stored.value))) return;
    this.#sent = [];
    if (!isSameDraft(stored.value, draft)) this.#takeOver(stored.value);
  }

  edit(change: Partial<CommentDraft>): void {
    const draft = { ...this.#state.draft, ...change };
    this.#show({ draft, isJoined: this.#state.isJoined && draft.text !== '' });
    this.#toBrowser();
    this.#toHost();
  }

  /** Puts a text back that was not sent. What was written meanwhile stays, below it. */
  putBack({ text: unsent, parentId }: CommentDraft): void {
    const { draft } = this.#state;
    this.edit(draft.text.trim() === '' ? { text: unsent, parentId } : { text: `${unsent}\n\n${draft.text}` });
  }

  /** @returns why the host does not have the latest text; null once it has */
  async flush(): Promise<Failure | null> {
    if (!this.#state.isLoaded) return null;
    do await this.#save();
    while (this.#state.draft !== this.#saved && this.#failure === null && !this.#isLeft);
    return this.#failure;
  }

  /** It is no longer shown here: the next view that shows it, even at once, reads the latest text in the browser. */
  leave(): void {
    const { draft, isLoaded } = this.#state;
    if (!isLoaded) {
      this.#reading = null;
      return;
    }
    this.#isLeft = true;
    if (draft !== this.#saved) void this.#places.unsaved.keep({ ...draft, basedOn: this.#basedOn() });
    void this.flush();
  }

  /** It is a comment now: the host has taken it out of its drafts, too. */
  sent(): void {
    this.#sent = [this.#saved];
    this.#saved = noDraft;
    this.#show({ draft: noDraft, safeIn: 'host', isJoined: false });
    this.#toBrowser();
  }

  #save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#saveLatest());
    return this.#saving;
  }

  async #saveLatest(): Promise<void> {
    const { draft } = this.#state;
    if (draft === this.#saved) return;
    const basedOn = this.#basedOn();
    this.#sent = [...basedOn.slice(1), draft];
    const saved = await this.#places.host.save(draft, basedOn);
    this.#failure = saved.ok ? null : saved.failure;
    if (saved.ok) {
      this.#sent = [];
      if (isSameDraft(saved.value, draft)) this.#saved = draft;
      // The next view that shows it finds it in the browser, and merges the two.
      else if (this.#isLeft) return;
      else this.#takeOver(saved.value);
      this.#show({ safeIn: 'host' });
    }
    this.#toBrowser();
  }

  /** What an earlier page did not get to the host. */
  #takeUp({ basedOn, ...own }: UnsavedDraft, stored: CommentDraft): void {
    const isBase = [...basedOn, own].some((one) => isSameDraft(one, stored));
    if (isBase) this.#sent = basedOn;
    else this.#saved = basedOn[0] ?? noDraft;
    this.#show({ draft: own });
    if (isBase) this.edit({});
    else this.#takeOver(stored);
  }

  /** The host's draft differs from the one that this one is based on. */
  #takeOver(stored: CommentDraft): void {
    const { draft: own } = this.#state;
    const draft = draftsTogether({ base: this.#saved, own, stored });
    this.#saved = stored;
    if (isSameDraft(draft, stored)) return this.#show({ draft: stored });
    this.#show({ draft, isJoined: draft.text !== own.text && draft.text !== stored.text });
    this.edit({});
  }

  /** What is too long never reached the host, which would refuse it here, too. */
  #basedOn(): CommentDraft[] {
    return [this.#saved, ...this.#sent.filter((sent) => sent.text.length <= longestComment).slice(1 - mostBases)];
  }

  async #keepUnsaved(): Promise<void> {
    const { draft } = this.#state;
    if (draft === this.#saved) return this.#places.unsaved.clear();
    const isKept = await this.#places.unsaved.keep({ ...draft, basedOn: this.#basedOn() });
    if (this.#failure !== null) this.#show({ safeIn: isKept ? 'browser' : 'nowhere' });
    return undefined;
  }

  #show(change: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/**
 * Merges one's own draft with the host's, which differs from the one that it is based on. A part that one of the two
 * left unchanged is taken from the other.
 */
export function draftsTogether({
  base,
  own,
  stored,
}: Readonly<Record<'base' | 'own' | 'stored', CommentDraft>>): CommentDraft {
  const parentId = own.parentId === base.parentId ? stored.parentId : own.parentId;
  if (own.text === base.text) return { text: stored.text, parentId };
  return { text: stored.text === base.text ? own.text : notesTogether(stored.text, own.text), parentId };
}

/** The page's one memory of what was typed and is not saved yet. */
export const unsavedDrafts = new UnsavedDrafts();

/** The draft of a sample's comment, for as long as it is shown; `stored` is the host's draft, once it has been read. */
export function useKeptDraft(workspaceId: string, md5: string, stored: CommentDraft | undefined): KeptDraft {
  const bridge = useBridge();
  const client = useQueryClient();
  const [kept] = useState(
    () =>
      new KeptDraft({
        host: {
          read: () => bridge.call('comments.draft', { workspaceId, md5 }),
          save: async (draft, basedOn) => {
            const answer = await bridge.call('comments.saveDraft', { workspaceId, md5, draft, basedOn });
            return answer.ok ? success(answer.value.stored) : answer;
          },
        },
        unsaved: {
          read: () => unsavedDrafts.read(workspaceId, md5),
          keep: (draft) => unsavedDrafts.keep(workspaceId, md5, draft),
          clear: () => unsavedDrafts.clear(workspaceId, md5),
        },
      }),
  );
  useEffect(() => {
    if (stored !== undefined) void kept.load(stored);
  }, [kept, stored]);
  useEvent('comments.drafted', (drafted) => {
    if (drafted.workspaceId === workspaceId && drafted.md5 === md5) void kept.follow();
  });
  useEffect(
    () => () => {
      const { draft, isLoaded } = kept.snapshot();
      kept.leave();
      if (!isLoaded) return;
      // The next view of the sample starts with the cached thread. An answer on its way may be from before the last
      // saving.
      const queryKey = ['comments.thread', { workspaceId, md5 }];
      void client.cancelQueries({ queryKey });
      client.setQueryData<OperationOutput<'comments.thread'>>(queryKey, (thread) => thread && { ...thread, draft });
      void client.invalidateQueries({ queryKey });
    },
    [kept, client, workspaceId, md5],
  );
  return kept;
}

export function useDraftState(kept: KeptDraft): DraftState {
  return useSyncExternalStore(kept.subscribe, kept.snapshot);
}

export interface Sending {
  /** The draft is on its way into the host's hands; from then on its thread shows it. */
  isHandingOver: boolean;
  /** Why nothing was begun. The text is in the draft again. */
  failure: Failure | null;
  send(): Promise<void>;
}

/** Sends the draft. Another one can be written and sent while the answer is awaited. */
export function useSend(workspaceId: string, md5: string, kept: KeptDraft): Sending {
  const bridge = useBridge();
  const toast = useToast();
  const isHere = useIsMounted();
  const [isHandingOver, setHandingOver] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const report = (why: Failure): void => {
    if (isHere()) setFailure(why);
    else toast({ meaning: 'bad', text: text.notSent(describeFailure(why).what), failure: why });
  };
  const send = async (): Promise<void> => {
    setFailure(null);
    setHandingOver(true);
    const { draft } = kept.snapshot();
    // Kept at the host first: whatever ends the page now, the text is a draft or a comment, and never neither.
    const notKept = await kept.flush();
    setHandingOver(false);
    if (notKept !== null) return report(notKept);
    // Another text came from elsewhere: it is shown, and must not be sent before a person has read it.
    if (!isSameDraft(kept.snapshot().draft, draft)) return undefined;
    kept.sent();
    const answer = await bridge.call('comments.send', { workspaceId, md5, draft });
    if (answer.ok) return undefined;
    kept.putBack(draft);
    return report(answer.failure);
  };
  return { isHandingOver, failure, send };
}
