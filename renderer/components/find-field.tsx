import { Search } from 'lucide-react';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import surface from '../styles/surface.module.css';
import styles from './find-field.module.css';
import { KeyCap } from './key-cap.tsx';

const longestFind = 200;

interface FindFieldProps {
  /** Names the list that is searched; also the placeholder of the empty field, where there is no shorter one. */
  label: string;
  placeholder?: string;
  value: string;
  onChange(find: string): void;
  /** On to what was found. */
  onDown(): void;
  /** In UTF-16 code units; 200 unless it is given. */
  longest?: number;
  /** The element that shows the problem with the words; undefined: there is none. */
  problemId?: string;
  /** Another field of the view is reached by `/`. */
  hasNoKey?: boolean;
}

/** Words to find in a list. `/` leads to it, Escape takes the words out again, Arrow down goes to what was found. */
export function FindField({
  label,
  placeholder = label,
  value,
  onChange,
  onDown,
  longest = longestFind,
  problemId,
  hasNoKey = false,
}: FindFieldProps) {
  return (
    <div className={styles.find}>
      <input
        type="text"
        className={classNames(surface.input, styles.field)}
        value={value}
        maxLength={longest}
        placeholder={placeholder}
        aria-label={label}
        aria-keyshortcuts={hasNoKey ? undefined : '/'}
        aria-invalid={problemId !== undefined || undefined}
        aria-describedby={problemId}
        data-query={hasNoKey ? undefined : true}
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
      <Search className={classNames(layout.above, styles.icon)} size={14} strokeWidth={1.6} aria-hidden="true" />
      {value === '' && !hasNoKey && (
        <span className={classNames(layout.row, layout.above, styles.key)}>
          <KeyCap>/</KeyCap>
        </span>
      )}
    </div>
  );
}
