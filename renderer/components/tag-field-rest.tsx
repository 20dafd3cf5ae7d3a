import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { TagChip } from './tag-chip.tsx';
import { chipsThatFit } from './tag-field-fit.ts';
import styles from './tag-field.module.css';
import { text } from './tag-field-text.ts';
import { visibleText } from './visible-text.ts';

export interface TagsAtRestProps {
  ref: RefObject<HTMLButtonElement | null>;
  label: string;
  tags: readonly string[];
  isDisabled: boolean;
  isTabStop: boolean;
  placeholder: string | undefined;
  onEdit(): void;
}

/** Whole chips on one line, and how many more there are. */
export function TagsAtRest({ ref, label, tags, isDisabled, isTabStop, placeholder, onEdit }: TagsAtRestProps) {
  const line = useRef<HTMLSpanElement>(null);
  const shown = useFit(line, tags);
  const names = tags.length === 0 ? text.none : tags.map((tag) => visibleText(tag)).join(', ');
  return (
    <button
      ref={ref}
      type="button"
      className={styles.rest}
      aria-label={text.at(label, names)}
      title={shown < tags.length ? names : undefined}
      disabled={isDisabled}
      tabIndex={isTabStop ? 0 : -1}
      data-tag-field
      onClick={onEdit}
    >
      <span ref={line} className={styles.line}>
        {tags.slice(0, shown).map((tag) => <span key={tag} className={styles.whole} data-chip><TagChip tag={tag} /></span>)}
        {shown < tags.length && <span className={styles.more}>{text.more(tags.length - shown)}</span>}
        {tags.length === 0 && placeholder !== undefined && <span className={styles.placeholder}>{placeholder}</span>}
      </span>
    </button>
  );
}

/** How many chips fit. All are drawn to be measured: those that do not fit are on a second line, which is not seen. */
function useFit(line: RefObject<HTMLElement | null>, tags: readonly string[]): number {
  const [fit, setFit] = useState<{ of: string; count: number } | null>(null);
  const [round, setRound] = useState(0);
  const measured = useRef(0);
  const of = tags.join(',');
  const known = fit?.of === of ? fit.count : null;
  useLayoutEffect(() => {
    const box = line.current;
    if (box === null || known !== null) return;
    measured.current = box.clientWidth;
    const widths = [...box.querySelectorAll('[data-chip]')].map((chip) => chip.getBoundingClientRect().width);
    const count = chipsThatFit(widths, box.clientWidth);
    if (count < widths.length) setFit({ of, count });
  }, [line, known, of, round]);
  useLayoutEffect(() => {
    if (line.current === null || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(() => {
      if (line.current === null || line.current.clientWidth === measured.current) return;
      setFit(null);
      setRound((before) => before + 1);
    });
    observer.observe(line.current);
    return () => observer.disconnect();
  }, [line]);
  return known ?? tags.length;
}
