import { Search } from 'lucide-react';
import { KeyCap } from '../../components/key-cap.tsx';
import styles from './comments-view.module.css';
import { text } from './text.ts';

const longestFind = 200;

/** Words of a comment or its author. Escape takes them out again, Arrow down goes to what was found. */
export function FindField({ value, onChange, onDown }: { value: string; onChange(find: string): void; onDown(): void }) {
  return (
    <div className={styles.find}>
      <input
        type="text"
        className={styles.field}
        value={value}
        maxLength={longestFind}
        placeholder={text.findPlaceholder}
        aria-label={text.find}
        aria-keyshortcuts="/"
        data-query
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') onDown();
          else if (event.key === 'Escape' && value !== '') onChange('');
          else return;
          event.preventDefault();
        }}
      />
      <Search className={styles.findIcon} size={14} strokeWidth={1.6} aria-hidden="true" />
      {value === '' && <span className={styles.findKey}><KeyCap>/</KeyCap></span>}
    </div>
  );
}
