import { ListFilter } from 'lucide-react';
import {
  type ClipboardEvent,
  Fragment,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Popover } from 'react-aria-components/Popover';
import { isOperator, type QueryRun, queryRuns } from '../../../../shared/domain/query-completion.ts';
import { longestQuery, queryFields } from '../../../../shared/domain/query-fields.ts';
import {
  isUnfinished,
  type QueryProblem,
  queryProblemSentence,
  repaired,
} from '../../../../shared/domain/query-problems.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { cutMiddle } from '../../../components/format.ts';
import { KeyCap } from '../../../components/key-cap.tsx';
import { QueryHelp, QueryProblemLine } from '../../../components/query-parts.tsx';
import { brokenHash } from '../../../features/lookup/hash-text.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import surface from '../../../styles/surface.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from '../strings.ts';
import { type Completion, useCompletion } from './completion.ts';
import styles from './query-field.module.css';

/** What is wrong is quoted as far as so many characters. */
const longestQuoted = 40;
/** Enough to see that it is too long. */
const longestTyped = longestQuery + 1000;

interface QueryFieldProps {
  query: string;
  problem: QueryProblem | null;
  /** The query whose samples are shown; null: there are none. */
  shown: string | null;
  /** How long the last search took; null: there was none. */
  elapsedMs: number | null;
  /** These are the same functions from drawing to drawing. */
  onType(query: string): void;
  /** On to what was found. */
  onDown(): void;
  /** On to that, or a search elsewhere. */
  onEnter(): void;
}

/** What the library is searched by, coloured as it is typed, with what may follow below it. */
function Field({ query, problem, shown, elapsedMs, onType, onDown, onEnter }: QueryFieldProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const completion = useCompletion();
  const { take, paste, repair, acts } = useFieldActs({ query, onType, onDown, onEnter }, input, completion);
  const isOpen = completion.at !== null;
  const [isTyping, setTyping] = useState(false);
  const isCalm = problem === null || isOpen || (isTyping && isUnfinished(query, problem));
  const reported =
    problem === null ? null : (
      <Problem
        id={`${id}-problem`}
        query={query}
        problem={problem}
        shown={shown}
        isCalm={isCalm}
        onRepair={isCalm ? null : repair}
      />
    );
  return (
    <div
      className={classNames(layout.stack4, layout.widest, layout.relative)}
      onFocus={({ target }) => setTyping(target === input.current)}
      onBlur={() => setTyping(false)}
    >
      <div ref={box} className={classNames(layout.row8, surface.input, styles.box, !isCalm && styles.invalid)}>
        <ListFilter className={typography.faint} size={14} strokeWidth={1.6} aria-hidden="true" />
        <QueryInput
          id={id}
          input={input}
          query={query}
          problem={problem}
          isCalm={isCalm}
          completion={completion}
          onType={onType}
          onPaste={paste}
          onKeyDown={(event) => pressed(event, completion, acts)}
        />
        {query === '' && (
          <span className={styles.key}>
            <KeyCap>/</KeyCap>
          </span>
        )}
        {elapsedMs !== null && (
          <span className={classNames(typography.smallHint, layout.fixed)} data-figures>
            {text.elapsed(elapsedMs)}
          </span>
        )}
        <QueryHelp
          title={text.help}
          sentence={text.helpSentence}
          columns={text.helpColumns}
          operators={operatorHelp}
          fields={queryFields}
        />
      </div>
      {!isOpen && reported}
      {/* What may follow covers what is below the field: what is wrong is said at its foot then. */}
      <ChoiceList id={`${id}-list`} anchor={box} completion={completion} onChoose={take}>
        {reported}
      </ChoiceList>
    </div>
  );
}

export const QueryField = memo(Field);

/** What keys, the clipboard and presses do to the text of the field. */
function useFieldActs(
  { query, onType, onDown, onEnter }: Pick<QueryFieldProps, 'query' | 'onType' | 'onDown' | 'onEnter'>,
  input: RefObject<HTMLInputElement | null>,
  completion: Completion,
) {
  const placeCaret = useCaret(input);
  const put = (whole: string, caret: number): void => {
    placeCaret(caret);
    onType(whole);
  };
  const take = (choice: string): void => {
    const next = completion.taken(choice);
    put(next.text, next.caret);
    // A field is worth nothing without its value: those are offered next.
    if (next.text[next.caret - 1] === ':') completion.open(next.text, next.caret);
    else completion.close();
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const hash = brokenHash(event.clipboardData.getData('text'));
    if (hash === null) return;
    event.preventDefault();
    const from = input.current?.selectionStart ?? query.length;
    put(`${query.slice(0, from)}${hash}${query.slice(input.current?.selectionEnd ?? from)}`, from + hash.length);
  };
  const repair = (whole: string, caret: number): void => {
    input.current?.focus();
    put(whole, caret);
  };
  const openHere = (): void => completion.open(query, input.current?.selectionStart ?? query.length);
  return { take, paste, repair, acts: { take, openHere, clear: () => onType(''), onDown, onEnter } };
}

const operatorHelp = [
  ...Object.entries(text.operators).map(([name, help]) => ({ ...help, name: name === '(' ? text.parentheses : name })),
  text.wildcards,
];

interface QueryInputProps extends Pick<QueryFieldProps, 'query' | 'problem' | 'onType'> {
  /** The problem is not shown as a mistake. */
  isCalm: boolean;
  id: string;
  input: RefObject<HTMLInputElement | null>;
  completion: Completion;
  onPaste(event: ClipboardEvent<HTMLInputElement>): void;
  onKeyDown(event: KeyboardEvent<HTMLInputElement>): void;
}

function QueryInput({ id, input, query, problem, isCalm, completion, onType, onPaste, onKeyDown }: QueryInputProps) {
  const painted = useRef<HTMLDivElement>(null);
  const isOpen = completion.at !== null;
  return (
    <div className={classNames(layout.widest, styles.line)}>
      <input
        ref={input}
        type="text"
        dir="ltr"
        className={classNames(surface.bare, styles.input)}
        value={query}
        maxLength={longestTyped}
        placeholder={text.placeholder}
        role="combobox"
        aria-label={text.query}
        aria-keyshortcuts="/"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={completion.active === null ? undefined : `${id}-list-${completion.active}`}
        aria-invalid={!isCalm || undefined}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        data-query
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={({ target }) => {
          onType(target.value);
          completion.offer(target.value, target.selectionStart ?? target.value.length);
        }}
        onPaste={onPaste}
        onScroll={({ currentTarget }) => painted.current?.scrollTo({ left: currentTarget.scrollLeft })}
        onKeyDown={onKeyDown}
        onBlur={completion.close}
      />
      {/* Above the field's own letters, which are not painted: what is selected there would cover it. */}
      <div ref={painted} className={classNames(surface.bare, styles.painted)} aria-hidden="true">
        <QueryText query={query} problem={isCalm ? null : problem} />
      </div>
    </div>
  );
}

interface ProblemProps extends Pick<QueryFieldProps, 'query' | 'shown'> {
  id: string;
  problem: QueryProblem;
  isCalm: boolean;
  /** Puts in the repaired query; null: not while the person is typing. */
  onRepair: ((whole: string, caret: number) => void) | null;
}

function Problem({ id, query, problem, shown, isCalm, onRepair }: ProblemProps) {
  const whole = repaired(query, problem);
  const where = query.slice(problem.at, problem.at + Math.min(problem.length, longestQuoted));
  const quoted = where !== '' && (
    <>
      <code className={styles.quoted}>
        <bdi>{visibleText(where)}</bdi>
      </code>{' '}
    </>
  );
  return (
    <QueryProblemLine
      id={id}
      problem={queryProblemSentence(problem)}
      quoted={quoted}
      shown={shown}
      allShown={text.allShown}
      isCalm={isCalm}
      action={
        whole !== null &&
        onRepair !== null && (
          <Button size="small" onPress={() => onRepair(whole, problem.at + (problem.fix?.length ?? 0))}>
            {text.applyFix(visibleText(cutMiddle(repairedPart(whole, problem), longestQuoted)))}
          </Button>
        )
      }
    />
  );
}

/** With the rest of its word: a field with its value. */
function repairedPart(whole: string, { at, fix = '' }: QueryProblem): string {
  const [rest = ''] = /^\S*/.exec(whole.slice(at + fix.length)) ?? [];
  return `${fix}${rest}`;
}

/** Where to put the caret once an inserted text is drawn. */
function useCaret(input: RefObject<HTMLInputElement | null>): (at: number) => void {
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    input.current?.setSelectionRange(wanted.current, wanted.current);
    wanted.current = null;
  });
  return (at) => {
    wanted.current = at;
  };
}

interface FieldActs {
  take(choice: string): void;
  /** Opens the list where the caret is. */
  openHere(): void;
  clear(): void;
  onDown(): void;
  onEnter(): void;
}

function pressed(event: KeyboardEvent<HTMLInputElement>, completion: Completion, acts: FieldActs): void {
  // An input method's own keys are not ours.
  if (event.nativeEvent.isComposing || event.metaKey) return;
  const isTaken = event.ctrlKey
    ? pressedWithCtrl(event, acts)
    : completion.at === null
      ? pressedAlone(event, acts)
      : pressedInList(event, completion, acts);
  if (!isTaken) return;
  event.preventDefault();
  event.stopPropagation();
}

function pressedWithCtrl({ key }: KeyboardEvent, { openHere }: FieldActs): boolean {
  if (key !== ' ') return false;
  openHere();
  return true;
}

function pressedAlone({ key, altKey, currentTarget }: KeyboardEvent<HTMLInputElement>, acts: FieldActs): boolean {
  if (key === 'ArrowDown' && altKey) acts.openHere();
  else if (key === 'ArrowDown') acts.onDown();
  else if (key === 'Enter') acts.onEnter();
  else if (key === 'Escape' && currentTarget.value !== '') acts.clear();
  else return false;
  return true;
}

function pressedInList(
  { key, shiftKey }: KeyboardEvent,
  { choices, active, at, move, close }: Completion,
  acts: FieldActs,
): boolean {
  // Tab completes a begun word; in a list that opened by itself nothing was begun.
  const choice = choices[active ?? (key === 'Tab' && at?.beginning !== '' ? 0 : -1)];
  if (key === 'ArrowDown' || key === 'ArrowUp') move(key === 'ArrowDown' ? 1 : -1);
  else if (key === 'Escape') close();
  else if ((key === 'Enter' || (key === 'Tab' && !shiftKey)) && choice !== undefined) acts.take(choice);
  else if (key === 'Enter') close();
  else return false;
  return true;
}

interface ChoiceListProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  completion: Completion;
  onChoose(choice: string): void;
  /** Further content, below them. */
  children: ReactNode;
}

/** Valid completions at the caret. The focus stays in the field. */
function ChoiceList({ id, anchor, completion, onChoose, children }: ChoiceListProps) {
  const { choices, active, at, close } = completion;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active !== null) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  if (at === null) return null;
  return (
    <Popover
      className={classNames(surface.popover, styles.popover)}
      triggerRef={anchor}
      isOpen
      isNonModal
      onOpenChange={close}
      placement="bottom start"
      offset={4}
      containerPadding={8}
    >
      <div ref={list} id={id} role="listbox" aria-label={text.choices} className={styles.choices}>
        {choices.map((choice, index) => (
          // The field has the keys and the focus.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={choice}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            className={classNames(layout.flex12, surface.option, styles.choice)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(choice)}
          >
            <bdi className={classNames(typography.cut, styles.choiceWord)}>
              {isField(at, choice) ? `${choice}:` : visibleText(choice)}
            </bdi>
            {at.kind === 'field' && <span className={typography.smallNote}>{doesOf(choice)}</span>}
          </div>
        ))}
      </div>
      {children !== null && <div className={styles.foot}>{children}</div>}
    </Popover>
  );
}

const isField = ({ kind }: { kind: string }, choice: string): boolean =>
  kind === 'field' && !isOperator(choice) && choice !== '(';

const operatorTexts: ReadonlyMap<string, { does: string }> = new Map(Object.entries(text.operators));

const doesOf = (choice: string): string | undefined =>
  operatorTexts.get(choice)?.does ?? queryFields.find(({ name }) => name === choice)?.does;

/** What is typed, coloured, above a field whose own text is not painted: letter for letter in the same place. */
function QueryText({ query, problem }: { query: string; problem: QueryProblem | null }) {
  return (
    <>
      {queryRuns(query).map((run) => (
        <Fragment key={run.at}>
          {cutAt(run, problem).map((piece) => (
            <span key={piece.at} className={classNames(styles[kindOf(run, problem)], piece.isWrong && styles.wrong)}>
              {piece.text}
            </span>
          ))}
        </Fragment>
      ))}
    </>
  );
}

/** What may be a mistake is a word until it is said to be one. */
const kindOf = ({ kind }: QueryRun, problem: QueryProblem | null): QueryRun['kind'] =>
  kind === 'problem' && problem === null ? 'word' : kind;

interface Piece {
  at: number;
  text: string;
  isWrong: boolean;
}

/** A run in pieces: what the problem is about, and what is beside that. */
export function cutAt({ text: run, at }: QueryRun, problem: QueryProblem | null): Piece[] {
  const end = at + run.length;
  const [from, until] = problem === null ? [end, end] : [problem.at, problem.at + problem.length];
  const edges = [at, ...[from, until].filter((edge) => edge > at && edge < end), end];
  return edges.slice(0, -1).map((edge, index) => ({
    at: edge,
    text: run.slice(edge - at, (edges[index + 1] ?? end) - at),
    isWrong: edge >= from && edge < until,
  }));
}
