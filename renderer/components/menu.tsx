import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import surface from '../styles/surface.module.css';
import typography from '../styles/typography.module.css';
import styles from './menu.module.css';

export interface MenuChoice {
  id: string;
  text: string;
  icon?: ReactNode;
  /** Shown at the end of the line: a key, or a state in a word. */
  aside?: string;
  isDisabled?: boolean;
  /** Why it cannot be chosen. */
  obstacle?: string;
}

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactNode;
  label: string;
  choices: readonly MenuChoice[];
  onChoose(id: string): void;
  isOpen?: boolean;
  onOpenChange?(isOpen: boolean): void;
}

export function Menu({ trigger, label, choices, onChoose, isOpen, onOpenChange }: MenuProps) {
  const control = {
    ...(isOpen === undefined ? {} : { isOpen }),
    ...(onOpenChange === undefined ? {} : { onOpenChange }),
  };
  return (
    <MenuTrigger {...control}>
      {trigger}
      <Popover className={classNames(surface.popover, styles.popover)} offset={4} containerPadding={8}>
        <FocusBack />
        <Choices label={label} choices={choices} onChoose={onChoose} />
      </Popover>
    </MenuTrigger>
  );
}

interface AnchoredMenuProps extends Pick<MenuProps, 'label' | 'choices' | 'onChoose'> {
  /** What it hangs below. */
  anchor: RefObject<HTMLElement | null>;
  isOpen?: boolean;
  onOpenChange(isOpen: boolean): void;
  above?: ReactNode;
}

/** A menu that is drawn when it is opened, with its first choice focused: for what a page has hundreds of. */
export function AnchoredMenu({ anchor, isOpen = true, onOpenChange, above, ...menu }: AnchoredMenuProps) {
  return (
    <Popover
      className={classNames(surface.popover, styles.popover)}
      triggerRef={anchor}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      placement="bottom start"
      offset={4}
      containerPadding={8}
      aria-label={menu.label}
    >
      <FocusBack />
      {above}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- what a key or the pointer opened has the focus */}
      <Choices {...menu} autoFocus="first" />
    </Popover>
  );
}

interface ChoicesProps extends Pick<MenuProps, 'label' | 'choices' | 'onChoose'> {
  /** Otherwise the trigger decides, by how it was pressed. */
  autoFocus?: 'first';
}

function Choices({ label, choices, onChoose, ...focus }: ChoicesProps) {
  return (
    <AriaMenu
      aria-label={label}
      items={choices}
      onAction={(key) => onChoose(String(key))}
      className={classNames(styles.menu)}
      {...focus}
    >
      {(choice) => (
        <AriaMenuItem
          id={choice.id}
          textValue={choice.text}
          isDisabled={choice.isDisabled ?? false}
          className={classNames(layout.row8, surface.item, styles.item)}
        >
          {choice.icon}
          <span className={classNames(typography.cut, layout.grow)}>
            <bdi>{choice.text}</bdi>
            {choice.obstacle !== undefined && <span className={styles.obstacle}>{choice.obstacle}</span>}
          </span>
          {choice.aside !== undefined && <span className={styles.aside}>{choice.aside}</span>}
        </AriaMenuItem>
      )}
    </AriaMenu>
  );
}

/**
 * For elements that float above the page: gives the focus back as they close. The library does so a frame later, and a
 * key in between would be lost, also the one that opens it again.
 */
export function FocusBack() {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const floating = place.current?.parentElement;
    // What is inside takes it afterwards.
    const before = document.activeElement;
    return () => {
      const isHere = floating?.contains(document.activeElement) === true;
      if (isHere && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return <span ref={place} hidden />;
}
