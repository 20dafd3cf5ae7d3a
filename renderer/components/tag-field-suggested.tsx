import { TriangleAlert } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { Popover } from 'react-aria-components/Popover';
import { classNames } from '../styles/class-names.ts';
import surface from '../styles/surface.module.css';
import typography from '../styles/typography.module.css';
import { TagChip } from './tag-chip.tsx';
import styles from './tag-field.module.css';
import { text } from './tag-field-text.ts';

export interface SuggestedTagsProps {
  id: string;
  /** What it hangs below. */
  anchor: RefObject<HTMLElement | null>;
  tags: readonly string[];
  active: number | null;
  /** Said above them, where the field itself has no room for it. */
  problem: { id: string; words: string } | null;
  /** Said below them. */
  hint: { id: string; words: string } | null;
  onChoose(tag: string): void;
  onClose(): void;
}

/** Known tags below the field. The focus stays in the field. */
export function SuggestedTags({ id, anchor, tags, active, problem, hint, onChoose, onClose }: SuggestedTagsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active !== null) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  if (tags.length === 0 && problem === null && hint === null) return null;
  return (
    <Popover
      className={classNames(surface.popover, styles.popover)}
      triggerRef={anchor}
      isOpen
      isNonModal
      onOpenChange={onClose}
      placement="bottom start"
      offset={4}
      containerPadding={8}
    >
      {problem !== null && <TagProblem id={problem.id} words={problem.words} />}
      {tags.length > 0 && (
        <div ref={list} id={id} role="listbox" aria-label={text.suggestions} className={styles.list}>
          {tags.map((tag, at) => (
            // The field has the keys and the focus.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={tag}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === active}
              className={styles.option}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(tag)}
            >
              <TagChip tag={tag} />
            </div>
          ))}
        </div>
      )}
      {hint !== null && (
        <p id={hint.id} className={classNames(typography.note, styles.hint)}>
          {hint.words}
        </p>
      )}
    </Popover>
  );
}

export function TagProblem({ id, words }: { id: string; words: string }) {
  return (
    <p id={id} role="status" className={classNames(typography.problem, styles.problem)}>
      <TriangleAlert size={14} strokeWidth={1.6} aria-hidden="true" />
      {words}
    </p>
  );
}
