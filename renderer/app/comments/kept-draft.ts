import type { CommentDraft } from '../../../shared/domain/comment.ts';
import type { Failure } from '../../../shared/failure.ts';
import { paced } from '../paced.ts';

/** Where a draft is kept. */
export interface DraftPlaces {
  /** At the host. */
  save(draft: CommentDraft): Promise<Failure | null>;
  /** In this browser, until the host has it. */
  unsaved: {
    read(): Promise<CommentDraft | null>;
    keep(draft: CommentDraft): Promise<boolean>;
    clear(): Promise<void>;
  };
}

export interface DraftState {
  draft: CommentDraft;
  /** False: what was kept is still being read, and nothing may be written over it. */
  isLoaded: boolean;
  /** Where the latest text is safe. `nowhere` is told only after both refused it. */
  safeIn: 'host' | 'browser' | 'nowhere';
}

export const noDraft: CommentDraft = { text: '', parentId: null };
const savedEveryMs = 400;

/**
 * The draft of one sample's comment. Each keystroke goes into the browser's database at once and to the host a little
 * later, one saving after the other, so that the latest text is never overtaken by an older one.
 */
export class KeptDraft {
  readonly #places: DraftPlaces;
  readonly #listeners = new Set<() => void>();
  readonly #toHost = paced(savedEveryMs, () => this.#save());
  readonly #toBrowser = paced(0, () => this.#keepUnsaved());
  #state: DraftState = { draft: noDraft, isLoaded: false, safeIn: 'host' };
  /** The host has this one. */
  #saved: CommentDraft = noDraft;
  #saving: Promise<void> = Promise.resolve();
  #failure: Failure | null = null;
  /** What is read now, or was: of one that was left before, nothing is taken over. */
  #reading: Promise<CommentDraft | null> | null = null;

  constructor(places: DraftPlaces) {
    this.#places = places;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly snapshot = (): DraftState => this.#state;

  /** What the host has; what was typed after that and did not reach it is newer. Later calls change nothing. */
  async load(stored: CommentDraft): Promise<void> {
    if (this.#reading !== null) return;
    const reading = this.#places.unsaved.read();
    this.#reading = reading;
    const unsaved = await reading;
    if (this.#reading !== reading) return;
    this.#saved = stored;
    this.#show({ draft: unsaved ?? stored, isLoaded: true });
    if (unsaved !== null) this.#toHost();
  }

  edit(change: Partial<CommentDraft>): void {
    this.#show({ draft: { ...this.#state.draft, ...change } });
    this.#toBrowser();
    this.#toHost();
  }

  /** Puts a text back that was not sent. What was written meanwhile stays, below it. */
  putBack({ text, parentId }: CommentDraft): void {
    const { draft } = this.#state;
    this.edit(draft.text.trim() === '' ? { text, parentId } : { text: `${text}\n\n${draft.text}` });
  }

  /** @returns why the host does not have the latest text; null once it has */
  async flush(): Promise<Failure | null> {
    if (!this.#state.isLoaded) return null;
    do await this.#save();
    while (this.#state.draft !== this.#saved && this.#failure === null);
    return this.#failure;
  }

  /** Nobody shows it here any more: whoever shows it next, be that at once, reads the latest text in the browser. */
  leave(): void {
    const { draft, isLoaded } = this.#state;
    if (!isLoaded) {
      this.#reading = null;
      return;
    }
    if (draft !== this.#saved) void this.#places.unsaved.keep(draft);
    void this.flush();
  }

  /** It is a comment now: the host has taken it out of its drafts, too. */
  sent(): void {
    this.#saved = noDraft;
    this.#show({ draft: noDraft, safeIn: 'host' });
    this.#toBrowser();
  }

  #save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#saveLatest());
    return this.#saving;
  }

  async #saveLatest(): Promise<void> {
    const { draft } = this.#state;
    if (draft === this.#saved) return;
    this.#failure = await this.#places.save(draft);
    if (this.#failure === null) {
      this.#saved = draft;
      this.#show({ safeIn: 'host' });
    }
    this.#toBrowser();
  }

  async #keepUnsaved(): Promise<void> {
    const { draft } = this.#state;
    if (draft === this.#saved) return this.#places.unsaved.clear();
    const isKept = await this.#places.unsaved.keep(draft);
    if (this.#failure !== null) this.#show({ safeIn: isKept ? 'browser' : 'nowhere' });
    return undefined;
  }

  #show(change: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
