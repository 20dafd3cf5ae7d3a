import { longestNote } from '../../../shared/domain/library.ts';
import type { Failure } from '../../../shared/failure.ts';
import { paced } from '../paced.ts';

/** Where a note is kept. */
export interface NotePlaces {
  /** At the host. */
  save(text: string): Promise<Failure | null>;
  /** In this browser, until the host has it. */
  unsaved: {
    read(): Promise<string | null>;
    keep(text: string): Promise<boolean>;
    clear(): Promise<void>;
  };
}

export interface NoteState {
  text: string;
  /** False: what was kept is still being read, and nothing may be written over it. */
  isLoaded: boolean;
  /** `idle`: nothing was written since the page shows it. */
  saving: 'idle' | 'waiting' | 'saving' | 'saved' | 'failed';
  /** Why the host does not have the latest text. */
  failure: Failure | null;
  isKeptHere: boolean;
}

const savedAfterMs = 800;

/**
 * The note of one sample. Each keystroke goes into the browser's database at once and to the host after a pause, one saving
 * after the other, so that the latest text is never overtaken by an older one.
 */
export class KeptNote {
  readonly #places: NotePlaces;
  readonly #listeners = new Set<() => void>();
  readonly #toBrowser = paced(0, () => this.#keepUnsaved());
  #state: NoteState = { text: '', isLoaded: false, saving: 'idle', failure: null, isKeptHere: false };
  /** The host has this one. */
  #saved = '';
  #saving: Promise<void> = Promise.resolve();
  #pause: ReturnType<typeof setTimeout> | undefined;
  #isLoading = false;

  constructor(places: NotePlaces) {
    this.#places = places;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly snapshot = (): NoteState => this.#state;

  /** What the host has, whenever it tells; what was typed and has not reached it is newer. */
  async load(stored: string): Promise<void> {
    if (this.#state.isLoaded) return this.#takeOver(stored);
    if (this.#isLoading) return undefined;
    this.#isLoading = true;
    const unsaved = await this.#places.unsaved.read();
    this.#saved = stored;
    this.#show({ text: unsaved ?? stored, isLoaded: true });
    if (unsaved !== null && unsaved !== stored) this.edit(unsaved);
    return undefined;
  }

  edit(text: string): void {
    this.#show({ text, saving: 'waiting' });
    this.#toBrowser();
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => void this.#save(), savedAfterMs);
  }

  /** Without waiting for a pause. */
  async flush(): Promise<void> {
    clearTimeout(this.#pause);
    if (this.#state.isLoaded) await this.#save();
  }

  #save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#saveLatest());
    return this.#saving;
  }

  async #saveLatest(): Promise<void> {
    const { text } = this.#state;
    // What is too long is told beside the field; the host would refuse it.
    if (text.length > longestNote) return;
    if (text !== this.#saved) {
      this.#show({ saving: 'saving' });
      const failure = await this.#places.save(text);
      if (failure === null) this.#saved = text;
      this.#show({ failure });
    }
    this.#settle();
  }

  #settle(): void {
    const { text, failure, saving } = this.#state;
    if (failure !== null) this.#show({ saving: 'failed' });
    else if (saving !== 'idle') this.#show({ saving: text === this.#saved ? 'saved' : 'waiting' });
    this.#toBrowser();
  }

  /** The note became another one elsewhere: shown where nothing of one's own is on its way. */
  #takeOver(stored: string): void {
    const isOwn = this.#state.text !== this.#saved;
    this.#saved = stored;
    if (!isOwn && this.#state.text !== stored) this.#show({ text: stored });
  }

  async #keepUnsaved(): Promise<void> {
    const { text } = this.#state;
    if (text === this.#saved) return this.#places.unsaved.clear();
    this.#show({ isKeptHere: await this.#places.unsaved.keep(text) });
    return undefined;
  }

  #show(change: Partial<NoteState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
