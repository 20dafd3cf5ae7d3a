import { matchQuery, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type LibrarySample, longestNote, type SampleNote } from '../../../shared/domain/library.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useOperation } from '../../bridge/operations.ts';
import { notesTogether, type UnsavedNote, UnsavedNotes } from '../../memory/unsaved-texts.ts';
import { paced } from '../../bridge/paced.ts';

/** Where a note is kept. */
interface NotePlaces {
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

  /** It is visible, or the host does not have all of it. */
  get isNeeded(): boolean {
    return this.#listeners.size > 0 || this.#isOwn;
  }

  /** The host's text, at each report. Text that was typed and has not reached the host is newer, or goes below it. */
  async load(stored: string): Promise<void> {
    if (this.#state.isLoaded) return this.#takeOver(stored);
    this.#saved = stored;
    this.#loading ??= this.#begin();
    return this.#loading;
  }

  /** Sends what an earlier page left, even if it is not shown. */
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

  /** After a failure the host's text is unknown: it is read first, so that nothing is overwritten. */
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
    // The field shows when a text is too long; the host would refuse it.
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

const unsavedNotes = new UnsavedNotes();
/** A page has one host. */
const notesOfHosts = new WeakMap<Bridge<File>, KeptNotes>();

/** The note of a sample; `stored` is what the host has. Give what shows it the sample's own `key`. */
export function useKeptNote(sha256: string, stored: string): { kept: KeptNote; state: NoteState } {
  const bridge = useBridge();
  const client = useQueryClient();
  const notes = notesOf(bridge, client);
  const [kept] = useState(() => notes.of(sha256));
  useEffect(() => void kept.load(stored), [kept, stored]);
  useEffect(() => () => void notes.leave(sha256), [notes, sha256]);
  return { kept, state: useSyncExternalStore(kept.subscribe, kept.snapshot) };
}

/** What an earlier page left goes to the host as soon as it answers, whether or not its sample is opened again. */
export function useLeftNotes(): void {
  const bridge = useBridge();
  const client = useQueryClient();
  const { isSuccess } = useOperation('host.describe', {});
  useEffect(() => {
    if (isSuccess) void sendLeft(notesOf(bridge, client));
  }, [isSuccess, bridge, client]);
}

const sendLeft = async (notes: KeptNotes): Promise<void> => notes.recover(await unsavedNotes.samples());

function notesOf(bridge: Bridge<File>, client: QueryClient): KeptNotes {
  const known = notesOfHosts.get(bridge);
  if (known !== undefined) return known;
  const notes = new KeptNotes((sha256) => placesOf(sha256, bridge, client));
  notesOfHosts.set(bridge, notes);
  // Asked whenever the connection was lost, and whenever it is there again.
  client.getQueryCache().subscribe((event) => {
    if (
      event.type === 'updated' &&
      event.action.type === 'success' &&
      matchQuery({ queryKey: ['host.describe'] }, event.query)
    )
      void notes.tryAgain();
  });
  return notes;
}

function placesOf(sha256: string, bridge: Bridge<File>, client: QueryClient): NotePlaces {
  /** The next view of the sample, by any of its hashes, begins with the remembered note. */
  const remember = (note: SampleNote | null): void =>
    void client.setQueriesData<LibrarySample>({ queryKey: ['library.sample'] }, (known) =>
      known?.row.sha256 === sha256 ? { ...known, note } : known,
    );
  return {
    host: {
      read: async () => {
        const answer = await bridge.call('library.sample', { hash: sha256 });
        if (!answer.ok) return answer;
        remember(answer.value.note);
        return success(answer.value.note?.text ?? '');
      },
      save: async (text) => {
        const answer = await bridge.call('library.note', { sha256, text });
        if (!answer.ok) return answer.failure;
        remember(text === '' ? null : { text, changed: new Date().toISOString() });
        void client.invalidateQueries({ queryKey: ['library.sample'] });
        return null;
      },
    },
    unsaved: {
      read: () => unsavedNotes.read(sha256),
      keep: (note) => unsavedNotes.keep(sha256, note),
      clear: () => unsavedNotes.clear(sha256),
    },
  };
}

/** The notes that are shown, and those that the host does not have yet: one of each sample, by its SHA-256. */
export class KeptNotes {
  readonly #placesOf: (sha256: string) => NotePlaces;
  readonly #notes = new Map<string, KeptNote>();

  constructor(placesFor: (sha256: string) => NotePlaces) {
    this.#placesOf = placesFor;
  }

  of(sha256: string): KeptNote {
    const kept = this.#notes.get(sha256) ?? new KeptNote(this.#placesOf(sha256));
    this.#notes.set(sha256, kept);
    return kept;
  }

  /** The note is no longer shown here: its text is sent to the host, and the note is dropped once it is stored. */
  async leave(sha256: string): Promise<void> {
    const kept = this.#notes.get(sha256);
    await kept?.flush();
    if (kept?.isNeeded === false) this.#notes.delete(sha256);
  }

  /** What an earlier page left of these samples goes to the host. */
  async recover(sha256s: readonly string[]): Promise<void> {
    for (const sha256 of sha256s) {
      await this.of(sha256).recover();
      await this.leave(sha256);
    }
  }

  /** The host may be well again. */
  async tryAgain(): Promise<void> {
    const failed = [...this.#notes].filter(([, kept]) => kept.snapshot().failure !== null);
    await Promise.all(failed.map(([sha256]) => this.leave(sha256)));
  }
}
