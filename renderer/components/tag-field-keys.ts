import type { ClipboardEvent, KeyboardEvent } from 'react';
import type { OpenList } from './tag-field-open-list.ts';
import type { Typing } from './tag-field-typing.ts';

export interface KeyedField {
  typing: Typing;
  list: OpenList;
  tags: readonly string[];
  isInRow: boolean;
  choose(tag: string): void;
  focusLastChip(): void;
  leave(): void;
  /** Out of the field by Escape; undefined: the key is for whoever is around. */
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
