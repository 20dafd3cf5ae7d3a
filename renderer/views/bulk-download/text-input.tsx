import { type ClipboardEvent, useEffect, useEffectEvent, useState } from 'react';
import { useBulkStore } from '../../features/bulk-download/bulk-store.tsx';
import styles from './bulk-download.module.css';
import { text } from './text.ts';

/** Typing is read when it pauses. */
const pauseMs = 250;

export interface TextInputProps {
  takesFocus: boolean;
  /** The field is being typed in: it stays, whatever is read of it. */
  onBegin(): void;
  /** The text is as it should be. */
  onDone(): void;
}

/** A pasted text never enters the field, which would draw all of its lines: it is read at once and shown by windows. */
export function TextInput({ takesFocus, onBegin, onDone }: TextInputProps) {
  const { editable, setText } = useBulkStore();
  /** null: nothing since the text was put in some other way, which the field must not undo. */
  const [typed, setTyped] = useState<string | null>(null);
  const read = useEffectEvent(() => {
    if (typed !== null && typed !== editable) setText(typed);
  });
  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(() => read(), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);

  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    event.preventDefault();
    const whole = value.slice(0, selectionStart) + event.clipboardData.getData('text') + value.slice(selectionEnd);
    setTyped(null);
    setText(whole);
    onDone();
  };
  const leave = (): void => {
    if (typed !== null && typed !== editable) setText(typed);
    onDone();
  };
  return (
    <textarea
      className={styles.field}
      value={typed ?? editable ?? ''}
      placeholder={text.placeholder}
      aria-label={text.field}
      data-query
      data-landing
      // The way to edit the text was asked for.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={takesFocus}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => setTyped(event.target.value)}
      onPaste={onPaste}
      onFocus={onBegin}
      onBlur={leave}
      onKeyDown={(event) => event.key === 'Escape' && leave()}
    />
  );
}
