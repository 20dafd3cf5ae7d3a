import { useEffect, useRef } from 'react';
import { longestNote } from '../../../shared/domain/library.ts';
import { LimitedTextArea } from '../../components/limited-text-area.tsx';
import type { KeptNote, NoteState } from './kept-note.ts';
import styles from './note.module.css';
import { text } from './text.ts';

export interface NoteFieldProps {
  id: string;
  kept: KeptNote;
  state: NoteState;
  /** It was asked for. */
  takesFocus: boolean;
  /** Somebody writes: what shows the note stays with its field. */
  onWrite(): void;
}

/** Where a note is written: what is typed is kept from the first letter on. */
export function NoteField({ id, kept, state, takesFocus, onWrite }: NoteFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  return (
    <LimitedTextArea
      ref={field}
      id={id}
      className={styles.noteField}
      value={state.text}
      longest={longestNote}
      words={text.noteLimit}
      placeholder={text.notePlaceholder}
      disabled={!state.isLoaded}
      aria-label={text.noteField}
      aria-keyshortcuts="Control+S"
      onFocus={onWrite}
      onBlur={() => void kept.flush()}
      onWrite={(written) => kept.edit(written)}
    />
  );
}
