import { Fragment, type RefObject, useEffect, useRef, useState } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import { TagChip } from '../service-text.tsx';
import { TagEditor } from './tag-field-editor.tsx';
import { type TagFieldProps, text } from './tag-field-typing.ts';
import styles from './tag-field.module.css';

/** Tags as chips, and a field for more of them that suggests local tags. */
export function TagField(props: TagFieldProps) {
  return props.size === 'row' ? (
    <RowTagField {...props} />
  ) : (
    <TagEditor {...props} isInRow={false} onLeave={() => {}} />
  );
}

/** A field with its list for each row of a table would be slow to draw: there is one where one edits. */
function RowTagField(props: TagFieldProps) {
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const givesBack = useRef(false);
  useEffect(() => {
    if (isEditing || !givesBack.current) return;
    givesBack.current = false;
    button.current?.focus();
  }, [isEditing]);
  if (isEditing && props.isDisabled !== true) {
    return (
      <TagEditor
        {...props}
        isInRow
        onLeave={(hadFocus) => {
          givesBack.current = hadFocus;
          setEditing(false);
        }}
      />
    );
  }
  const { label, tags, isDisabled = false, isTabStop = true, placeholder } = props;
  return (
    <TagsAtRest
      ref={button}
      label={label}
      tags={tags}
      isDisabled={isDisabled}
      isTabStop={isTabStop}
      placeholder={placeholder}
      onEdit={() => setEditing(true)}
    />
  );
}

interface TagsAtRestProps {
  ref: RefObject<HTMLButtonElement | null>;
  label: string;
  tags: readonly string[];
  isDisabled: boolean;
  isTabStop: boolean;
  placeholder: string | undefined;
  onEdit(): void;
}

/** Whole chips on one line, and how many more there are. */
function TagsAtRest({ ref, label, tags, isDisabled, isTabStop, placeholder, onEdit }: TagsAtRestProps) {
  const line = useRef<HTMLSpanElement>(null);
  const shown = useFit(line, tags);
  const names = tags.length === 0 ? text.none : namesOf(tags);
  const rest = shown < tags.length ? formatRest(shown, tags.length) : null;
  return (
    <button
      ref={ref}
      type="button"
      className={classNames(surface.bare, styles.rest)}
      aria-label={text.at(
        label,
        rest === null ? names : text.cut(namesOf(tags.slice(0, shown)), rest, namesOf(tags.slice(shown))),
      )}
      title={rest === null ? undefined : names}
      disabled={isDisabled}
      tabIndex={isTabStop ? 0 : -1}
      data-tag-field
      onClick={onEdit}
    >
      <span ref={line} className={classNames(layout.row4, styles.line)}>
        {tags.slice(0, shown).map((tag, at) => (
          <Fragment key={tag}>
            {at > 0 && ' '}
            <span className={classNames(layout.inRow, styles.whole)} data-chip>
              <TagChip tag={tag} />
            </span>
          </Fragment>
        ))}
        {rest !== null && (
          <>
            {' '}
            <span className={styles.more}>{rest}</span>
          </>
        )}
        {tags.slice(shown).map((tag) => (
          <span key={tag} className={classNames(layout.inRow, styles.unseen)} data-chip>
            <TagChip tag={tag} />
          </span>
        ))}
        {tags.length === 0 && placeholder !== undefined && <span className={styles.placeholder}>{placeholder}</span>}
      </span>
    </button>
  );
}

const namesOf = (tags: readonly string[]): string => tags.map((tag) => visibleText(tag)).join(', ');
const formatRest = (shown: number, all: number): string => (shown === 0 ? text.count(all) : text.more(all - shown));

/** How many chips fit. All are always drawn: what is not seen can be measured when the table is wider. */
function useFit(line: RefObject<HTMLElement | null>, tags: readonly string[]): number {
  const [fit, setFit] = useState<{ of: string; count: number } | null>(null);
  const of = tags.join(',');
  useEffect(() => {
    const box = line.current;
    if (box === null || typeof ResizeObserver === 'undefined') return undefined;
    // It is called once when it begins, too.
    const observer = new ResizeObserver(() => {
      const widths = [...box.querySelectorAll('[data-chip]')].map((chip) => chip.getBoundingClientRect().width);
      const count = chipsThatFit(widths, box.clientWidth);
      setFit((before) => (before?.of === of && before.count === count ? before : { of, count }));
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [line, of]);
  return fit?.of === of ? fit.count : tags.length;
}

/** CSS pixels, as the style sheet has them. */
const gap = 4;
const figureWidth = 6;
const aroundFigures = 12;

/** Width of "+7" or "+12". */
const widthOfMore = (rest: number): number => aroundFigures + figureWidth * String(rest).length;

/**
 * How many chips of these widths fit whole on a line; where not all do, space is left for the number of the others
 * after them.
 */
export function chipsThatFit(widths: readonly number[], available: number): number {
  let used = -gap;
  const ends = widths.map((width) => (used += gap + width));
  const last = ends.length - 1;
  return ends.findLastIndex((end, at) => end + (at === last ? 0 : gap + widthOfMore(last - at)) <= available) + 1;
}
