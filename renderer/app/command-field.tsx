import { Search } from 'lucide-react';
import { useState } from 'react';
import { KeyCap } from '../components/key-cap.tsx';
import styles from './command-bar.module.css';
import { onOneLine } from './hash-text.ts';
import { lookupFieldId, useLookupDesk } from './lookup-desk.tsx';
import { useNavigation } from './navigation.tsx';
import { text } from './text.ts';

export const commandFieldId = 'command-field';

/** A hash from any room: pasted, or typed and Enter, it is looked up. The answer and its field are the look-up's. */
export function CommandField() {
  const [typed, setTyped] = useState('');
  const { ask } = useLookupDesk();
  const { openRoom } = useNavigation();
  const lookUp = (asked: string): void => {
    if (asked.trim() === '') return;
    setTyped('');
    openRoom('lookup');
    ask(asked);
    // In another room it is not there yet, and takes the focus when it is.
    document.getElementById(lookupFieldId)?.focus();
  };
  return (
    <form role="search" className={styles.form} onSubmit={(event) => { event.preventDefault(); lookUp(typed); }}>
      <Search className={styles.icon} size={16} strokeWidth={1.6} aria-hidden="true" />
      <input
        id={commandFieldId}
        type="text"
        className={styles.field}
        value={typed}
        placeholder={text.commandPlaceholder}
        aria-label={text.command}
        aria-keyshortcuts="Control+K"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        onPaste={(event) => {
          const { selectionStart, selectionEnd, value } = event.currentTarget;
          if (selectionStart !== 0 || selectionEnd !== value.length) return;
          event.preventDefault();
          lookUp(onOneLine(event.clipboardData.getData('text')));
        }}
        onKeyDown={(event) => event.key === 'Escape' && setTyped('')}
      />
      <span className={styles.hint}><KeyCap>{text.commandKey}</KeyCap></span>
    </form>
  );
}
