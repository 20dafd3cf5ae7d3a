import { X } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import { visibleText } from '../../shared/domain/visible-text.ts';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import { TagChip } from './tag-chip.tsx';
import styles from './tag-field.module.css';
import { text } from './tag-field-text.ts';

export interface TagChipsProps {
  ref: RefObject<HTMLUListElement | null>;
  label: string;
  tags: readonly string[];
  isDisabled: boolean;
  /** By a press, or by Delete or Backspace, which go on to the next one. */
  onRemove(tag: string, next: HTMLElement | null): void;
  /** To the right of the last one. */
  onEnd(): void;
}

/** A key that is held is meant for one tag: the next one has the focus by then. */
const removing: ReadonlySet<string> = new Set(['Delete', 'Backspace', 'Enter']);

/** Each chip with a button that removes it, reached by the arrow keys from the field. */
export function TagChips({ ref, label, tags, isDisabled, onRemove, onEnd }: TagChipsProps) {
  const buttons = (): HTMLButtonElement[] => [...(ref.current?.querySelectorAll('button') ?? [])];
  const onKeyDown = (event: KeyboardEvent, at: number): void => {
    const all = buttons();
    const tag = tags[at];
    if (event.repeat && removing.has(event.key)) event.preventDefault();
    else if (event.key === 'ArrowLeft') all[at - 1]?.focus();
    else if (event.key === 'ArrowRight' && at === all.length - 1) onEnd();
    else if (event.key === 'ArrowRight') all[at + 1]?.focus();
    else if ((event.key === 'Delete' || event.key === 'Backspace') && tag !== undefined)
      onRemove(tag, all[at + 1] ?? all[at - 1] ?? null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <ul ref={ref} aria-label={label} className={styles.chips}>
      {tags.map((tag, at) => (
        <li key={tag} className={classNames(layout.inRow, styles.removable)}>
          <TagChip tag={tag} />
          <button
            type="button"
            className={classNames(layout.middle, styles.remove)}
            aria-label={text.remove(visibleText(tag))}
            disabled={isDisabled}
            tabIndex={-1}
            onKeyDown={(event) => onKeyDown(event, at)}
            onClick={() => onRemove(tag, buttons()[at + 1] ?? buttons()[at - 1] ?? null)}
          >
            <X size={12} strokeWidth={1.6} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
