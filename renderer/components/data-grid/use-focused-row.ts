import { type RefObject, useEffect, useEffectEvent } from 'react';

export interface ChosenRow<Row, Key> {
  /** The current row, by its place. */
  current: number;
  rowAt(index: number): Row | undefined;
  keyOf(row: Row): Key;
  /** undefined: nobody else chooses rows. */
  currentKey: Key | null | undefined;
  onCurrent: ((row: Row) => void) | undefined;
}

/**
 * Where another part of the view shows the row that is chosen, the row that has the focus is chosen: also when the
 * focus came by Tab, after a search, or before the row. Else a key would act on another one than the one it seems to.
 * Give what it gives the row that the focus came to.
 */
export function useFocusedRow<Row, Key>(
  table: RefObject<HTMLElement | null>,
  { current, rowAt, keyOf, currentKey, onCurrent }: ChosenRow<Row, Key>,
): (target: EventTarget) => void {
  const choose = (target: EventTarget | null): void => {
    const row =
      target instanceof HTMLElement && target.dataset['index'] !== undefined
        ? rowAt(Number(target.dataset['index']))
        : undefined;
    if (row !== undefined && currentKey !== undefined && keyOf(row) !== currentKey) onCurrent?.(row);
  };
  const isLoaded = rowAt(current) !== undefined;
  const chooseLoaded = useEffectEvent(() => {
    const { activeElement } = document;
    if (table.current?.contains(activeElement) === true) choose(activeElement);
  });
  useEffect(() => {
    if (isLoaded) chooseLoaded();
  }, [isLoaded]);
  return choose;
}
