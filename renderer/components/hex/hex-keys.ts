import type { KeyboardEvent } from 'react';
import { letterKeyOf, shortcutKeyOf } from '../shortcut-key.ts';
import { rowBytes } from './hex-mark.ts';

interface HexActs {
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
  else if (isCommand && shortcutKeyOf(event) === 'a') acts.selectAll();
  else if (isCommand && shortcutKeyOf(event) === 'c') acts.copy();
  else if (event.key !== 'Escape' || !acts.selectNothing()) return;
  event.preventDefault();
}

interface ViewActs {
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

function actOf(event: KeyboardEvent, acts: ViewActs, letters: boolean): (() => void) | null {
  const { key, ctrlKey, metaKey, shiftKey } = event;
  if (ctrlKey || metaKey) return shortcutKeyOf(event) === 'f' ? acts.openFind : null;
  if (key === 'F3') return () => acts.findAgain(shiftKey);
  if (key === 'Escape') return acts.leaveFind;
  return letters ? letterOf(letterKeyOf(event), acts) : null;
}

const isField = (target: EventTarget): boolean => target instanceof Element && target.closest(fields) !== null;

function letterOf(key: string, acts: ViewActs): (() => void) | null {
  switch (key) {
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

interface CursorPlace {
  cursor: number;
  sizeBytes: number;
  /** Rows that a page key passes. */
  page: number;
}

/** The byte that a key leads to; null when the key moves nowhere. `isFar`: with Ctrl. */
export function cursorForKey(key: string, isFar: boolean, { cursor, sizeBytes, page }: CursorPlace): number | null {
  const last = sizeBytes - 1;
  /** Up and down keep the column: no row, no move. */
  const byRows = (rows: number): number => {
    const to = cursor + rows * rowBytes;
    if (to < 0) return cursor % rowBytes;
    return to > last ? lastInColumn(cursor % rowBytes, last) : to;
  };
  const rowStart = cursor - (cursor % rowBytes);
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, cursor - 1);
    case 'ArrowRight':
      return Math.min(last, cursor + 1);
    case 'ArrowUp':
      return byRows(-1);
    case 'ArrowDown':
      return byRows(1);
    case 'PageUp':
      return byRows(-page);
    case 'PageDown':
      return byRows(page);
    case 'Home':
      return isFar ? 0 : rowStart;
    case 'End':
      return isFar ? last : Math.min(last, rowStart + rowBytes - 1);
    default:
      return null;
  }
}

/** Of the last row, or the byte at the very end when that row is too short. */
function lastInColumn(column: number, last: number): number {
  return Math.min(last, last - (last % rowBytes) + column);
}
