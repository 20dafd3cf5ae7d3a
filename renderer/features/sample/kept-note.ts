import { longestNote } from '../../../shared/domain/library.ts';
import type { Failure, Result } from '../../../shared/failure.ts';
import type { UnsavedNote } from '../../memory/unsaved-notes.ts';
import { paced } from '../../state/pacing.ts';
import { notesTogether } from './notes-together.ts';

/** Where a note is kept. */
export interface NotePlaces {
  host: {
    read(): Promise<Result<string>>;
    save(text: string): Promise<Failure | null>;
  };
  /** In this browser, until the host has it. */
  unsaved: {
    read(): Promise<UnsavedNote | null>;
    keep(note: UnsavedNote): Promise<boolean>;
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
 * The note of one sample; there is never more than one of a sample. Each keystroke goes into the browser's database at
 * once and to the host after a pause, one saving after the other, so that the latest text is never overtaken by an
 * older one.
 */
export class KeptNote {
  readonly #places: NotePlaces;
  readonly #listeners = new Set<() => void>();
  readonly #toBrowser = paced(0, () => this.#keepUnsaved());
  #state: NoteState = { text: '', isLoaded: false, saving: 'idle', failure: null, isKeptHere: false };
  /** The host has this one. */
  #saved = '';
  /** On its way to the host, or its answer was lost: the host may have it. */
  #sent: string | null = null;
  #loading: Promise<void> | null = null;
  #saving: Promise<void> = Promise.resolve();
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(places: NotePlaces) {
    this.#places = places;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly snapshot = (): NoteState => this.#state;

  /** Somebody sees it, or the host does not have all of it. */
  get isNeeded(): boolean {
    return this.#listeners.size > 0 || this.#isOwn;
  }

  /** What the host has, whenever it tells. What was typed and has not reached it is newer, or goes below it. */
  async load(stored: string): Promise<void> {
    if (this.#state.isLoaded) return this.#takeOver(stored);
    this.#saved = stored;
    this.#loading ??= this.#begin();
    return this.#loading;
  }

  /** Sends what an earlier page left, though nobody shows it. */
  async recover(): Promise<void> {
    const stored = await this.#places.host.read();
    // Else it stays in the browser, for the next time.
    if (!stored.ok) return;
    await this.load(stored.value);
    await this.flush();
  }

  edit(text: string): void {
    this.#show({ text, saving: 'waiting' });
    this.#toBrowser();
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => void this.#save(), savedAfterMs);
  }

  /** Without waiting for a pause. */
  async flush(): Promise<void> {
    await this.#loading;
    clearTimeout(this.#pause);
    if (this.#state.isLoaded) await this.#save();
  }

  get #isOwn(): boolean {
    return this.#state.isLoaded && (this.#state.text !== this.#saved || this.#sent !== null);
  }

  async #begin(): Promise<void> {
    const unsaved = await this.#places.unsaved.read();
    this.#show({ text: this.#saved, isLoaded: true });
    if (unsaved === null) return;
    const isBase = unsaved.basedOn.includes(this.#saved);
    this.edit(isBase ? unsaved.text : notesTogether(this.#saved, unsaved.text));
  }

  #save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#saveLatest());
    return this.#saving;
  }

  async #saveLatest(): Promise<void> {
    if (this.#state.failure === null || (await this.#hasHeardHost())) await this.#send();
    this.#settle();
  }

  /** After a failure nobody knows what the host has by now: it is asked, so that nothing is written over. */
  async #hasHeardHost(): Promise<boolean> {
    this.#show({ saving: 'saving' });
    const stored = await this.#places.host.read();
    this.#show({ failure: stored.ok ? null : stored.failure });
    if (!stored.ok) return false;
    this.#takeOver(stored.value);
    this.#sent = null;
    return true;
  }

  async #send(): Promise<void> {
    const { text } = this.#state;
    // What is too long is told beside the field; the host would refuse it.
    if (text === this.#saved || text.length > longestNote) return;
    this.#sent = text;
    this.#show({ saving: 'saving' });
    const failure = await this.#places.host.save(text);
    if (failure === null) {
      this.#saved = text;
      this.#sent = null;
    }
    this.#show({ failure });
  }

  #settle(): void {
    const { text, failure, saving } = this.#state;
    if (failure !== null) this.#show({ saving: 'failed' });
    else if (saving !== 'idle') this.#show({ saving: text === this.#saved ? 'saved' : 'waiting' });
    this.#toBrowser();
  }

  /** The note became another one elsewhere: shown, and what is one's own and on its way goes below it. */
  #takeOver(stored: string): void {
    const { text } = this.#state;
    const isOwn = this.#isOwn;
    const isBase = stored === this.#saved || stored === this.#sent;
    this.#saved = stored;
    if (!isOwn && text !== stored) this.#show({ text: stored });
    if (isOwn && !isBase) this.edit(notesTogether(stored, text));
  }

  async #keepUnsaved(): Promise<void> {
    if (!this.#isOwn) return this.#places.unsaved.clear();
    const basedOn = this.#sent === null ? [this.#saved] : [this.#saved, this.#sent];
    this.#show({ isKeptHere: await this.#places.unsaved.keep({ text: this.#state.text, basedOn }) });
    return undefined;
  }

  #show(change: Partial<NoteState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
