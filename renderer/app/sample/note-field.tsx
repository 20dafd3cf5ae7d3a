import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from 'react';
import { longestNote } from '../../../shared/domain/library.ts';
import { directionOf } from '../comments/text-direction.ts';
import type { KeptNote, NoteState } from './kept-note.ts';
import styles from './sample.module.css';
import { text } from './text.ts';

/** From here on the limit is in sight. */
const nearLimit = longestNote - 10_000;

export interface NoteFieldProps {
  id: string;
  kept: KeptNote;
  state: NoteState;
  /** It was asked for. */
  takesFocus: boolean;
  /** Somebody writes: what shows the note stays with its field. */
  onWrite(): void;
}

/** A text over the limit is refused in words before it is in the field: nothing is cut, and no paste is too large for the page. */
export function NoteField({ id, kept, state, takesFocus, onWrite }: NoteFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [refused, setRefused] = useState<number | null>(null);
  const { length } = state.text;
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  const fits = (total: number): boolean => {
    const isFine = total <= longestNote || total <= length;
    setRefused(isFine ? null : total);
    return isFine;
  };
  const onInsert = (event: ClipboardEvent<HTMLTextAreaElement> | DragEvent<HTMLTextAreaElement>, inserted: string): void => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (!fits(length - (selectionEnd - selectionStart) + inserted.length)) event.preventDefault();
  };
  return (
    <>
      <textarea
        ref={field}
        id={id}
        className={styles.noteField}
        rows={3}
        dir={directionOf(state.text)}
        value={state.text}
        placeholder={text.notePlaceholder}
        disabled={!state.isLoaded}
        aria-label={text.noteField}
        aria-describedby={`${id}-limit`}
        aria-keyshortcuts="Control+S"
        onFocus={onWrite}
        onBlur={() => void kept.flush()}
        onChange={({ target }) => fits(target.value.length) && kept.edit(target.value)}
        onPaste={(event) => onInsert(event, event.clipboardData.getData('text/plain'))}
        onDrop={(event) => onInsert(event, event.dataTransfer.getData('text/plain'))}
      />
      <p id={`${id}-limit`} className={styles.limit} role="status" data-figures>
        {refused !== null && <span className={styles.refused}>{text.noteRefused(refused)}</span>}
        {refused === null && length > longestNote && <span className={styles.refused}>{text.noteTooMany(length - longestNote)}</span>}
        {refused === null && length > nearLimit && length <= longestNote && text.noteLeft(longestNote - length)}
      </p>
    </>
  );
}
