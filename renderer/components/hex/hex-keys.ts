import type { KeyboardEvent } from 'react';
import { cursorForKey, type CursorPlace } from './cursor-keys.ts';

export interface HexActs {
  moveTo(offset: number, extend: boolean): void;
  selectAll(): void;
  /** False where nothing was selected. */
  selectNothing(): boolean;
  copy(): void;
}

/** Keys that are the rows' own. */
export function pressInRows(event: KeyboardEvent, place: CursorPlace, acts: HexActs): void {
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.altKey) return;
  const to = cursorForKey(event.key, isCommand, place);
  if (to !== null) acts.moveTo(to, event.shiftKey);
  else if (isCommand && event.key.toLowerCase() === 'a') acts.selectAll();
  else if (isCommand && event.key.toLowerCase() === 'c') acts.copy();
  else if (event.key !== 'Escape' || !acts.selectNothing()) return;
  event.preventDefault();
}

export interface ViewActs {
  goToMark(step: 1 | -1): void;
  openGoTo(): void;
  openFind(): void;
  findAgain(backwards: boolean): void;
  /** null while there is no search. */
  leaveFind: (() => void) | null;
}

const fields = 'input, select';

/** Keys of the whole view; single letters are none in a field, or where they are switched off. */
export function pressInView(event: KeyboardEvent, acts: ViewActs, letters: boolean): void {
  const act = event.defaultPrevented || event.altKey ? null : actOf(event, acts, letters && !isField(event.target));
  if (act === null) return;
  event.preventDefault();
  act();
}

function actOf(
  { key, ctrlKey, metaKey, shiftKey }: KeyboardEvent,
  acts: ViewActs,
  letters: boolean,
): (() => void) | null {
  if (ctrlKey || metaKey) return key.toLowerCase() === 'f' ? acts.openFind : null;
  if (key === 'F3') return () => acts.findAgain(shiftKey);
  if (key === 'Escape') return acts.leaveFind;
  return letters ? letterOf(key, acts) : null;
}

const isField = (target: EventTarget): boolean => target instanceof Element && target.closest(fields) !== null;

function letterOf(key: string, acts: ViewActs): (() => void) | null {
  switch (key.toLowerCase()) {
    case 'n':
      return () => acts.goToMark(1);
    case 'p':
      return () => acts.goToMark(-1);
    case 'g':
      return acts.openGoTo;
    default:
      return null;
  }
}
