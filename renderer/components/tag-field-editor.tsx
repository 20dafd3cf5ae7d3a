import { type FocusEvent, type MouseEvent, type RefObject, useEffect, useId, useRef } from 'react';
import aloud from '../styles/aloud.module.css';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import surface from '../styles/surface.module.css';
import type { TagFieldProps } from './tag-field.tsx';
import { TagChips } from './tag-field-chips.tsx';
import { takeKey, takePasted } from './tag-field-keys.ts';
import { useOpenList } from './tag-field-open-list.ts';
import { SuggestedTags, TagProblem } from './tag-field-suggested.tsx';
import { useSuggestions } from './tag-field-suggestions.ts';
import styles from './tag-field.module.css';
import { text } from './tag-field-text.ts';
import { useTyping } from './tag-field-typing.ts';

export interface TagEditorProps extends TagFieldProps {
  isInRow: boolean;
  /** Editing is over. `byKey`: the focus has nowhere else to go. */
  onLeave(byKey: boolean): void;
}

/** The chips, the field behind them, and the list of known tags below it. */
export function TagEditor(props: TagEditorProps) {
  const { label, tags, isDisabled = false, isInRow } = props;
  const editing = useTagEditing(props);
  const { id, field, box, input, chips, typing, list, hint, said, choose, focusField, onBlur } = editing;
  /** Beside the chips is the field, too. */
  const onMouseDown = (event: MouseEvent): void => {
    if (event.target instanceof Element && event.target.closest('button, input') !== null) return;
    event.preventDefault();
    focusField();
  };
  return (
    <div ref={field} className={classNames(layout.stack4, styles.field, isInRow && styles.inRow)}>
      {!isInRow && (
        <label htmlFor={`${id}-input`} className={styles.label}>
          {label}
        </label>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a press beside the field focuses it */}
      <div
        ref={box}
        className={classNames(
          layout.row4,
          surface.input,
          styles.box,
          said !== null && styles.invalid,
          isDisabled && styles.disabled,
        )}
        onMouseDown={onMouseDown}
        onBlur={onBlur}
      >
        <TagChips
          ref={chips}
          label={label}
          tags={tags}
          isDisabled={isDisabled}
          onEnd={focusField}
          onRemove={(tag, next) => {
            (next ?? input.current)?.focus();
            typing.remove(tag);
          }}
        />
        <TagInput {...props} editing={editing} />
        <span role="status" className={aloud.only}>
          {typing.news}
        </span>
      </div>
      {said !== null && !isInRow && <TagProblem {...said} />}
      <SuggestedTags
        id={`${id}-list`}
        anchor={isInRow ? field : box}
        tags={list.tags}
        active={list.active}
        problem={isInRow ? said : null}
        hint={hint}
        onChoose={choose}
        onClose={list.close}
      />
    </div>
  );
}

/** The text that is being typed, and the known tags that may complete it. */
function useTagEditing(props: TagEditorProps) {
  const { tags, suggest, isInRow, onLeave } = props;
  const id = useId();
  const field = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const chips = useRef<HTMLUListElement>(null);
  const typing = useTyping(props);
  const { typed, problem } = typing;
  const list = useOpenList(
    typed,
    useSuggestions(typed, suggest).filter((tag) => !tags.includes(tag)),
  );
  useEffect(() => {
    if (isInRow) input.current?.focus();
  }, [isInRow]);
  const givenUp = useGivenUp(input);
  const focusField = (): void => input.current?.focus();
  const choose = (tag: string): void => {
    typing.choose(tag);
    focusField();
  };
  // Who expects two tags of two words sees it before they are one.
  const hint = problem === null && /\S\s+\S/.test(typed) ? { id: `${id}-hint`, words: text.space } : null;
  const said = problem === null ? null : { id: `${id}-problem`, words: problem };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    // Another window is no other place in this one.
    if (currentTarget.contains(relatedTarget) || !document.hasFocus()) return;
    list.close();
    // What is whole is kept; what is no tag is still read where one can still see it.
    const isTaken = givenUp.current === typed || typing.end();
    if (isInRow && (isTaken || relatedTarget !== null)) onLeave(false);
  };
  return { id, field, box, input, chips, typing, list, hint, said, choose, focusField, onBlur };
}

function TagInput({
  editing: { id, input, chips, typing, list, hint, said, choose },
  ...editor
}: TagEditorProps & { editing: ReturnType<typeof useTagEditing> }) {
  const { label, tags, isDisabled = false, isInRow, placeholder, isTabStop = true, onLeave, onEscape } = editor;
  const isOpen = list.tags.length > 0;
  const focusLastChip = (): void => [...(chips.current?.querySelectorAll('button') ?? [])].at(-1)?.focus();
  const leave = (): void => onLeave(true);
  const escape = isInRow ? leave : onEscape;
  return (
    <input
      ref={input}
      id={`${id}-input`}
      className={classNames(surface.bare, styles.input)}
      value={typing.typed}
      placeholder={tags.length === 0 ? placeholder : undefined}
      disabled={isDisabled}
      tabIndex={isTabStop || isInRow ? 0 : -1}
      role="combobox"
      aria-label={isInRow ? label : undefined}
      aria-autocomplete="list"
      aria-expanded={isOpen}
      aria-controls={isOpen ? `${id}-list` : undefined}
      aria-activedescendant={list.active === null ? undefined : `${id}-list-${list.active}`}
      aria-invalid={said !== null || undefined}
      aria-describedby={(said ?? hint)?.id}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => typing.type(event.target.value)}
      onPaste={(event) => takePasted(typing, event)}
      onKeyDown={(event) => takeKey({ typing, list, tags, isInRow, choose, focusLastChip, leave, escape }, event)}
    />
  );
}

/** What is typed was given up with Escape. A table around takes that key before the field would hear of it. */
function useGivenUp(input: RefObject<HTMLInputElement | null>): RefObject<string | null> {
  const givenUp = useRef<string | null>(null);
  useEffect(() => {
    const note = ({ key, target }: KeyboardEvent): void => {
      // The first one closes the list.
      if (key === 'Escape' && target === input.current && input.current?.ariaExpanded !== 'true')
        givenUp.current = input.current?.value ?? null;
    };
    const forget = (): void => {
      givenUp.current = null;
    };
    const stop = new AbortController();
    document.addEventListener('keydown', note, { capture: true, signal: stop.signal });
    document.addEventListener('input', forget, { capture: true, signal: stop.signal });
    return () => stop.abort();
  }, [input]);
  return givenUp;
}
