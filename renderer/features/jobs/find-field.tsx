import { Search } from 'lucide-react';
import { KeyCap } from '../../components/key-cap.tsx';
import styles from './job-items.module.css';
import { text } from './text.ts';

/** A part of a hash. Escape takes it out again. */
export function FindField({ value, onChange }: { value: string; onChange(find: string): void }) {
  return (
    <div className={styles.find}>
      <input
        type="text"
        className={styles.field}
        value={value}
        maxLength={64}
        placeholder={text.findPlaceholder}
        aria-label={text.find}
        aria-keyshortcuts="/"
        data-query
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value.trim().toLowerCase())}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          event.preventDefault();
          onChange('');
        }}
      />
      <Search className={styles.findIcon} size={14} strokeWidth={1.6} aria-hidden="true" />
      {value === '' && (
        <span className={styles.findKey}>
          <KeyCap>/</KeyCap>
        </span>
      )}
    </div>
  );
}
