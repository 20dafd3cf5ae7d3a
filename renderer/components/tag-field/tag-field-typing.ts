import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { normalTag, tag as tagSchema, type TlpLevel, tlpLevels, tlpOf } from '../../../shared/domain/tag.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';

interface Typing {
  typed: string;
  /** Why what is typed is no tag. */
  problem: string | null;
  /** What was done, for those who do not see it. */
  news: string;
  /** Takes the tags that ended and keeps the rest in the field. */
  type(value: string): void;
  /** Takes what is typed as a whole tag; false when it is none. */
  end(): boolean;
  choose(tag: string): void;
  remove(tag: string): void;
}

/** What is typed until it is a tag. Text that is no tag stays in the field, with the reason. */
export function useTyping({ tags, onAdd, onRemove, onTlp }: TagFieldProps): Typing {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [news, setNews] = useState('');

  /** @returns why it was not taken */
  const take = (part: string, taken: Set<string>): string | null => {
    const read = readTag(part);
    if (read.kind === 'invalid') return read.reason;
    if (read.kind === 'tlp' && onTlp === undefined) return text.tlpElsewhere;
    if (read.kind === 'tlp') onTlp?.(read.level);
    if (read.kind !== 'tag' || taken.has(read.tag)) return null;
    taken.add(read.tag);
    onAdd(read.tag);
    setNews(text.added(visibleText(read.tag)));
    return null;
  };
  const type = (value: string): void => {
    const { ended, rest, isCut } = splitTyped(value);
    const taken = new Set(tags);
    const refused = ended.map((part) => ({ part, reason: take(part, taken) })).find(({ reason }) => reason !== null);
    setTyped(refused === undefined ? rest : refused.part);
    setProblem(refused?.reason ?? (isCut ? text.tooMany(mostAtOnce) : null));
  };
  const end = (): boolean => {
    const reason = take(typed, new Set(tags));
    setProblem(reason);
    if (reason === null) setTyped('');
    return reason === null;
  };
  return {
    typed,
    problem,
    news,
    type,
    end,
    choose: (tag) => {
      take(tag, new Set(tags));
      setTyped('');
      setProblem(null);
    },
    remove: (tag) => {
      onRemove(tag);
      setNews(text.removed(visibleText(tag)));
    },
  };
}

interface KeyedField {
  typing: Typing;
  list: OpenList;
  tags: readonly string[];
  isInRow: boolean;
  choose(tag: string): void;
  focusLastChip(): void;
  leave(): void;
  /** Out of the field by Escape; undefined: the surrounding element gets the key. */
  escape: (() => void) | undefined;
}

type InputEvent = KeyboardEvent<HTMLInputElement>;

/** What keys do in the field. A key that meant something here means nothing to the table around it. */
export function takeKey(field: KeyedField, event: InputEvent): void {
  // An input method is still composing: its Enter is its own.
  if (event.nativeEvent.isComposing || !act(field, event)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** A pasted list is whole: its last line is a tag, too. */
export function takePasted({ type }: Typing, event: ClipboardEvent<HTMLInputElement>): void {
  // Inside a word a semicolon is no end: services join tags by commas alone.
  const pasted = event.clipboardData.getData('text').replaceAll(/;(?=\s|$)/g, ',');
  if (!/[,\r\n\t]/.test(pasted)) return;
  event.preventDefault();
  const { selectionStart, selectionEnd, value } = event.currentTarget;
  type(`${value.slice(0, selectionStart ?? value.length)}${pasted},${value.slice(selectionEnd ?? value.length)}`);
}

/** @returns whether the key was used */
function act(
  { typing, list, tags, isInRow, choose, focusLastChip, leave, escape }: KeyedField,
  event: InputEvent,
): boolean {
  const { typed, problem } = typing;
  const chosen = list.active === null ? undefined : list.tags[list.active];
  const isAtStart = event.currentTarget.selectionStart === 0 && event.currentTarget.selectionEnd === 0;
  switch (event.key) {
    case 'Enter':
      // With Ctrl it sends: what was typed goes along.
      if (event.ctrlKey || event.metaKey) return typed !== '' && !typing.end();
      if (chosen !== undefined) return done(() => choose(chosen));
      if (typed === '') return isInRow && done(leave);
      return done(typing.end);
    case 'Tab':
      if (event.shiftKey || typed.trim() === '') return false;
      if (chosen !== undefined) return done(() => choose(chosen));
      // It is said once why that is no tag; then Tab leads on.
      return problem === null && done(typing.end);
    case 'ArrowDown':
      return list.tags.length > 0 && done(() => list.move(1));
    case 'ArrowUp':
      return list.tags.length > 0 && done(() => list.move(-1));
    case 'ArrowLeft':
      return isAtStart && tags.length > 0 && done(focusLastChip);
    case 'Backspace':
      return typed === '' && (event.repeat || removeLast(typing, tags));
    case 'Escape':
      if (list.tags.length > 0) return done(list.close);
      if (typed !== '') return done(() => typing.type(''));
      return escape !== undefined && done(escape);
    default:
      return false;
  }
}

function removeLast(typing: Typing, tags: readonly string[]): boolean {
  const last = tags.at(-1);
  if (last !== undefined) typing.remove(last);
  return last !== undefined;
}

function done(action: () => unknown): true {
  action();
  return true;
}

/** What a person typed, read as one tag. */
type TypedTag =
  | { kind: 'none' }
  | { kind: 'tag'; tag: string }
  | { kind: 'tlp'; level: TlpLevel }
  | { kind: 'invalid'; reason: string };

export function readTag(typed: string): TypedTag {
  const tag = normalTag(typed);
  if (tag === '') return { kind: 'none' };
  if (tag.startsWith('tlp:')) {
    const level = tlpOf([tag]);
    return level === null ? { kind: 'invalid', reason: text.notTlp } : { kind: 'tlp', level };
  }
  const read = tagSchema.safeParse(tag);
  if (read.success) return { kind: 'tag', tag: read.data };
  return { kind: 'invalid', reason: text.invalid(read.error.issues[0]?.message ?? 'a tag') };
}

/** As many as are taken from one pasted text. */
export const mostAtOnce = 100;
/** UTF-16 code units: as many tags as that, each as long as one may be, and their commas. */
const longestPaste = mostAtOnce * 102;

/** Commas end a tag, and so do the lines and tabs of a pasted list. What follows the last of them is not ended yet. */
export function splitTyped(typed: string): { ended: string[]; rest: string; isCut: boolean } {
  const parts = typed.slice(0, longestPaste).split(/[,\r\n\t]/);
  const rest = parts.pop() ?? '';
  const ended = parts.filter((part) => part.trim() !== '');
  const isCut = typed.length > longestPaste || ended.length > mostAtOnce;
  return { ended: ended.slice(0, mostAtOnce), rest: isCut ? '' : rest, isCut };
}

/** English of a field for tags. */
export const text = {
  none: 'no tags',
  at: (label: string, tags: string) => `${label}: ${tags}`,
  /** Beside chips; alone where no chip fits. */
  more: (count: number) => `+${count}`,
  count: (count: number) => (count === 1 ? '1 tag' : `${count} tags`),
  /** All of them in words, the visible ones as they are seen: a user of speech control speaks the visible text. */
  cut: (seen: string, rest: string, unseen: string) => `${seen} ${rest}: ${unseen}`.trim(),
  remove: (tag: string) => `Remove ${tag}`,
  added: (tag: string) => `${tag} added`,
  removed: (tag: string) => `${tag} removed`,
  suggestions: 'Known tags',
  ofRepository: 'repository',
  space: 'Tags may contain spaces. Enter or a comma ends a tag.',
  /** `what` is a tag's own schema speaking: "a tag of at most 100 characters". */
  invalid: (what: string) => `Enter ${what}`,
  notTlp: `Valid TLP levels: ${tlpLevels.join(', ')}`,
  tlpElsewhere: 'Set the TLP in its own field',
  tooMany: (count: number) => `At most ${count} tags at once. The rest was skipped`,
} as const;

export interface TagFieldProps {
  /** Whose tags they are. */
  label: string;
  tags: readonly string[];
  /** A whole tag that is not among them yet, as it is sent. */
  onAdd(tag: string): void;
  onRemove(tag: string): void;
  /** Known tags that begin so. */
  suggest(beginning: string): Promise<readonly string[]>;
  /** Tags in use at the repository that begin so. It may take long: the others do not wait for it. */
  suggestOfRepository?(beginning: string): Promise<readonly string[]>;
  isDisabled?: boolean;
  /**
   * `row`: as high as a table's row allows; the chips are a button that becomes the field. Give it the row's own `key`.
   */
  size?: 'row' | 'normal';
  placeholder?: string;
  /** A TLP that was typed as a tag. Left out, it is refused. */
  onTlp?: (level: TlpLevel) => void;
  /**
   * Escape where nothing is typed: gives the focus to something else. Left out, the surrounding element gets the key.
   * In a row it ends the editing.
   */
  onEscape?: () => void;
  /** False: reached by other keys than Tab, as in a table. */
  isTabStop?: boolean;
  /** What a chip is drawn in, such as a button of its own. Left out, and in a row at rest, it is the chip alone. */
  drawChip?: (tag: string, chip: ReactNode) => ReactNode;
}

/** The list of known tags below the field, while it is open. */
export interface OpenList {
  /** Empty: it is closed. */
  tags: readonly string[];
  /** The place of the one that Enter takes. */
  active: number | null;
  move(by: 1 | -1): void;
  close(): void;
}
