import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { AnchoredMenu, type MenuChoice } from '../components/menu.tsx';
import { pressInPlace } from '../keyboard/view-keys.ts';
import { spokenName } from '../state/commands.tsx';
import { classNames } from '../styles/class-names.ts';
import typography from '../styles/typography.module.css';
import styles from './row-menu.module.css';

/** Marks what acts on the rows of the tables of a view; its value is what it acts on, in words. */
const bars = '[data-row-actions]';
const rows = '[role=grid] [role=row][data-index]';
const fields = 'input, textarea, select, [contenteditable]';

interface RowAction {
  name: string;
  /** The key that does the same, as the button shows it. */
  keys: string | null;
  /** Why it cannot be chosen now; null: it can. */
  obstacle: string | null;
  button: HTMLButtonElement;
}

interface ShownMenu {
  /** CSS pixels in the window. */
  left: number;
  top: number;
  /** What the actions are done with. */
  target: string;
  actions: readonly RowAction[];
}

/**
 * The context menu of every row: by the right button of a mouse, by Shift F10 or by the menu key. It offers the actions
 * of the view's bars, in their words and with their letters, and a choice presses the button.
 */
export function RowMenu() {
  const [menu, setMenu] = useState<ShownMenu | null>(null);
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const onContextMenu = (event: MouseEvent): void => {
      const row = rowOf(event.target);
      if (row === null || barsOf(row).length === 0) return;
      event.preventDefault();
      const place = placeOf(event, row);
      // The row under the pointer becomes the current one, as by a click: the bars are drawn for it before the menu.
      if (row !== document.activeElement) row.click();
      requestAnimationFrame(() => {
        setMenu(menuOf(row, place));
        setOpen(true);
      });
    };
    document.addEventListener('contextmenu', onContextMenu);
    return () => document.removeEventListener('contextmenu', onContextMenu);
  }, []);
  const choose = (action: RowAction): void => {
    flushSync(() => setOpen(false));
    // At once: what the button opens notes where the focus is when it is drawn, which is on the row again by then.
    if (action.button.isConnected) flushSync(() => pressInPlace(action.button));
  };
  return (
    <>
      <span ref={anchor} className={styles.anchor} style={{ left: menu?.left ?? 0, top: menu?.top ?? 0 }} />
      {menu !== null && (
        <AnchoredMenu
          anchor={anchor}
          label={menu.target}
          isOpen={isOpen}
          onOpenChange={setOpen}
          above={
            <p className={classNames(typography.smallHint, typography.cut, styles.target)} aria-hidden="true">
              <bdi>{menu.target}</bdi>
            </p>
          }
          choices={menu.actions.map(choiceOf)}
          onChoose={(at) => {
            const action = menu.actions[Number(at)];
            if (action !== undefined) choose(action);
          }}
        />
      )}
    </>
  );
}

const choiceOf = ({ name, keys, obstacle, button }: RowAction, at: number): MenuChoice => ({
  id: String(at),
  text: name,
  icon: <ButtonIcon of={button} />,
  ...(keys !== null && { aside: keys }),
  ...(obstacle !== null && { isDisabled: true }),
  ...(obstacle !== null && obstacle !== '' && { obstacle }),
});

/** The icon that the button has, at the same place of each line. */
function ButtonIcon({ of }: { of: HTMLButtonElement }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const icon = of.querySelector('svg')?.cloneNode(true);
    place.current?.replaceChildren(...(icon === undefined ? [] : [icon]));
  }, [of]);
  return <span ref={place} className={styles.icon} aria-hidden="true" />;
}

function rowOf(target: EventTarget | null): HTMLElement | null {
  if (!(target instanceof Element) || target.closest(fields) !== null) return null;
  return target.closest<HTMLElement>(rows);
}

const barsOf = (row: HTMLElement): HTMLElement[] => [
  ...(row.closest('main') ?? document.body).querySelectorAll<HTMLElement>(bars),
];

/** Where the pointer is; for a key, below the beginning of the row. */
function placeOf({ button, ctrlKey, clientX, clientY }: MouseEvent, row: HTMLElement): { left: number; top: number } {
  if (button === 2 || ctrlKey) return { left: clientX, top: clientY };
  const { left, bottom } = row.getBoundingClientRect();
  return { left: left + 36, top: bottom };
}

function menuOf(row: HTMLElement, place: { left: number; top: number }): ShownMenu | null {
  const shown = barsOf(row);
  const actions = shown.flatMap((bar) => [...bar.querySelectorAll<HTMLButtonElement>('button')].map(read));
  const target = shown.map(({ dataset }) => dataset['rowActions'] ?? '').find((words) => words !== '') ?? '';
  return actions.length === 0 ? null : { ...place, target, actions };
}

function read(button: HTMLButtonElement): RowAction {
  const { letter, why = '' } = button.dataset;
  return {
    name: spokenName(button),
    keys: letter ?? button.querySelector('kbd')?.textContent ?? null,
    obstacle: button.disabled || button.getAttribute('aria-disabled') === 'true' ? why : null,
    button,
  };
}
