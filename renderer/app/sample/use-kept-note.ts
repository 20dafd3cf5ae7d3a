import { matchQuery, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { LibrarySample, SampleNote } from '../../../shared/domain/library.ts';
import { success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useOperation } from '../../bridge/use-operation.ts';
import { UnsavedNotes } from '../../memory/unsaved-notes.ts';
import type { KeptNote, NotePlaces, NoteState } from './kept-note.ts';
import { KeptNotes } from './kept-notes.ts';

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
  /** Whoever shows the sample next begins with what is remembered of it, by whichever of its hashes. */
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
