import { TriangleAlert, X } from 'lucide-react';
import {
  type FocusEvent,
  type KeyboardEvent as ReactKeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { Popover } from 'react-aria-components/Popover';
import { normalTag } from '../../../shared/domain/tag.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import aloud from '../../styles/aloud.module.css';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import { TagChip } from '../service-text.tsx';
import { type OpenList, type TagFieldProps, takeKey, takePasted, text, useTyping } from './tag-field-typing.ts';
import styles from './tag-field.module.css';

interface TagEditorProps extends TagFieldProps {
  isInRow: boolean;
  /** Editing is over. `byKey`: the focus has nowhere else to go. */
  onLeave(byKey: boolean): void;
}

/** The chips, the field behind them, and the list of known tags below it. */
export function TagEditor(props: TagEditorProps) {
  const { label, tags, isDisabled = false, isInRow, drawChip } = props;
  const editing = useTagEditing(props);
  const { id, field, box, input, chips, typing, list, others, hint, said, choose, focusField, onBlur } = editing;
  /** Beside the chips is the field, too. */
  const onMouseDown = (event: MouseEvent): void => {
    const { target, currentTarget } = event;
    // React passes on the presses in a menu that a chip has opened, which lies elsewhere in the page.
    if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest('button, input') !== null)
      return;
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
          drawChip={drawChip}
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
        others={others}
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
  const { tags, suggest, suggestOfRepository, isInRow, onLeave } = props;
  const id = useId();
  const field = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const chips = useRef<HTMLUListElement>(null);
  const typing = useTyping(props);
  const { typed, problem } = typing;
  const local = useSuggestions(typed, suggest).filter((tag) => !tags.includes(tag));
  const atRepository = useSuggestions(typed, suggestOfRepository ?? noSuggestions);
  const others = atRepository.filter((tag) => !tags.includes(tag) && !local.includes(tag));
  const list = useOpenList(typed, [...local, ...others]);
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
  return { id, field, box, input, chips, typing, list, others, hint, said, choose, focusField, onBlur };
}

function TagInput({
  editing: { id, input, chips, typing, list, hint, said, choose },
  ...editor
}: TagEditorProps & { editing: ReturnType<typeof useTagEditing> }) {
  const { label, tags, isDisabled = false, isInRow, placeholder, isTabStop = true, onLeave, onEscape } = editor;
  const isOpen = list.tags.length > 0;
  const focusLastChip = (): void => removersIn(chips.current).at(-1)?.focus();
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

interface SuggestedTagsProps {
  id: string;
  /** What it hangs below. */
  anchor: RefObject<HTMLElement | null>;
  tags: readonly string[];
  /** Those of them that are not local. */
  others: readonly string[];
  active: number | null;
  /** Shown above them, where it does not fit into the field itself. */
  problem: { id: string; words: string } | null;
  /** Said below them. */
  hint: { id: string; words: string } | null;
  onChoose(tag: string): void;
  onClose(): void;
}

/** Known tags below the field. The focus stays in the field. */
function SuggestedTags({ id, anchor, tags, others, active, problem, hint, onChoose, onClose }: SuggestedTagsProps) {
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
              className={classNames(layout.spreadRow, surface.option, styles.option)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(tag)}
            >
              <TagChip tag={tag} isForeign={others.includes(tag)} />
              {others.includes(tag) && <span className={typography.smallHint}>{text.ofRepository}</span>}
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

function TagProblem({ id, words }: { id: string; words: string }) {
  return (
    <p id={id} role="status" className={classNames(typography.problem, styles.problem)}>
      <TriangleAlert size={14} strokeWidth={1.6} aria-hidden="true" />
      {words}
    </p>
  );
}

/** Typing is asked about when it pauses. */
const pauseMs = 150;
const none: readonly string[] = [];
const noSuggestions = async (): Promise<readonly string[]> => none;

/** Known tags for what is typed now; none while the answer is on its way, and of an answer that was overtaken. */
function useSuggestions(typed: string, suggest: (beginning: string) => Promise<readonly string[]>): readonly string[] {
  const [answer, setAnswer] = useState<{ beginning: string; tags: readonly string[] }>({ beginning: '', tags: none });
  const ask = useEffectEvent(suggest);
  const beginning = normalTag(typed);
  useEffect(() => {
    if (beginning === '') return undefined;
    let isStale = false;
    const find = async (): Promise<void> => {
      const tags = await ask(beginning);
      if (!isStale) setAnswer({ beginning, tags });
    };
    const timer = setTimeout(() => void find(), pauseMs);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [beginning]);
  return beginning !== '' && answer.beginning === beginning ? answer.tags : none;
}

/** Open with each answer until it is closed; nothing in it is active until a key goes there. */
function useOpenList(typed: string, tags: readonly string[]): OpenList {
  const [at, setAt] = useState<{ typed: string; active: number | null; isClosed: boolean }>({
    typed: '',
    active: null,
    isClosed: false,
  });
  const here = at.typed === typed ? at : { typed, active: null, isClosed: false };
  const shown = here.isClosed ? [] : tags;
  const active = here.active !== null && here.active < shown.length ? here.active : null;
  return {
    tags: shown,
    active,
    move: (by) => {
      const next = active === null ? (by === 1 ? 0 : shown.length - 1) : (active + by + shown.length) % shown.length;
      setAt({ typed, active: next, isClosed: false });
    },
    close: () => setAt({ typed, active: null, isClosed: true }),
  };
}

interface TagChipsProps {
  ref: RefObject<HTMLUListElement | null>;
  label: string;
  tags: readonly string[];
  isDisabled: boolean;
  drawChip: TagFieldProps['drawChip'];
  /** By a press, or by Delete or Backspace, which move to the next one. */
  onRemove(tag: string, next: HTMLElement | null): void;
  /** To the right of the last one. */
  onEnd(): void;
}

/** A key that is held is meant for one tag: the next one has the focus by then. */
const removing: ReadonlySet<string> = new Set(['Delete', 'Backspace', 'Enter']);

/** The buttons that remove a chip, in the order of the chips. A chip may be a button itself. */
const removersIn = (chips: HTMLElement | null): HTMLElement[] => [
  ...(chips?.querySelectorAll<HTMLElement>('button[data-remove]') ?? []),
];

/** Each chip with a button that removes it, reached by the arrow keys from the field. */
function TagChips({ ref, label, tags, isDisabled, drawChip, onRemove, onEnd }: TagChipsProps) {
  const onKeyDown = (event: ReactKeyboardEvent, at: number): void => {
    const all = removersIn(ref.current);
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
          {drawChip === undefined ? <TagChip tag={tag} /> : drawChip(tag, <TagChip tag={tag} />)}
          <button
            type="button"
            className={classNames(layout.middle, styles.remove)}
            data-remove
            aria-label={text.remove(visibleText(tag))}
            disabled={isDisabled}
            tabIndex={-1}
            onKeyDown={(event) => onKeyDown(event, at)}
            onClick={() => onRemove(tag, removersIn(ref.current)[at + 1] ?? removersIn(ref.current)[at - 1] ?? null)}
          >
            <X size={12} strokeWidth={1.6} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
