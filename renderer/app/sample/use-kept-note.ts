import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { UnsavedNotes } from '../../memory/unsaved-notes.ts';
import { KeptNote, type NoteState } from './kept-note.ts';

const unsavedNotes = new UnsavedNotes();

/** The note of a sample, for as long as it is shown; `stored` is what the host has. Give what shows it the sample's own `key`. */
export function useKeptNote(sha256: string, stored: string): { kept: KeptNote; state: NoteState } {
  const bridge = useBridge();
  const client = useQueryClient();
  const [kept] = useState(() => new KeptNote({
    save: async (text) => {
      const answer = await bridge.call('library.note', { sha256, text });
      if (answer.ok) void client.invalidateQueries({ queryKey: ['library.sample'] });
      return answer.ok ? null : answer.failure;
    },
    unsaved: {
      read: () => unsavedNotes.read(sha256),
      keep: (text) => unsavedNotes.keep(sha256, text),
      clear: () => unsavedNotes.clear(sha256),
    },
  }));
  useEffect(() => void kept.load(stored), [kept, stored]);
  useEffect(() => () => void kept.flush(), [kept]);
  return { kept, state: useSyncExternalStore(kept.subscribe, kept.snapshot) };
}
