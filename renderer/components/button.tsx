import { createContext, type ReactNode, useContext, useState } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { classNames } from '../styles/class-names.ts';
import styles from './button.module.css';
import { KeyCap } from './key-cap.tsx';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  children: ReactNode;
  /** One primary a view: the step that moves the work on. `inline` is for use in a sentence. */
  look?: 'default' | 'primary' | 'quiet' | 'danger' | 'inline';
  size?: 'normal' | 'small';
  /** The single letter that does the same, shown and announced. */
  letter?: string | undefined;
  /** Has the focus when it appears: the safe choice of a dialog. */
  takesFocus?: boolean;
  /** Why it cannot be pressed, while it is disabled: what menus show that offer the same. */
  why?: string | undefined;
}

export function Button({
  children,
  look = 'default',
  size = 'normal',
  letter,
  takesFocus = false,
  why,
  ...rest
}: ButtonProps) {
  const kept = useKeptOn(rest);
  return (
    <AriaButton
      {...rest}
      {...kept}
      {...(letter === undefined ? {} : { 'data-letter': letter, ref: announce(letter) })}
      {...(takesFocus ? { autoFocus: true } : {})}
      data-look={look}
      data-why={rest.isDisabled === true ? why : undefined}
      className={classNames(styles.button, styles[look], styles[size])}
    >
      {children}
      {letter !== undefined && <KeyCap>{letter}</KeyCap>}
    </AriaButton>
  );
}

/** The library lets no `aria-keyshortcuts` through, so it is put on the element itself. */
function announce(keys: string): (element: HTMLButtonElement | null) => void {
  return (element) => element?.setAttribute('aria-keyshortcuts', keys);
}

interface IconButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children' | 'aria-label'> {
  /** What it does, for those who do not see the icon. */
  label: string;
  children: ReactNode;
  /** The single letter that does the same, announced. */
  letter?: string;
}

export function IconButton({ label, children, letter, ...rest }: IconButtonProps) {
  return (
    <AriaButton
      {...rest}
      {...(letter === undefined ? {} : { 'data-letter': letter, ref: announce(letter) })}
      aria-label={label}
      className={classNames(styles.button, styles.quiet, styles.icon)}
    >
      {children}
    </AriaButton>
  );
}

/**
 * Whether buttons keep the focus that they have while they cannot be pressed. In a dialog: taken off its button, the
 * focus would be nowhere, and Escape with it.
 */
export const KeepsFocus = createContext(false);

interface KeptButton {
  isDisabled: boolean;
  isPending: boolean;
  onFocusChange(hasFocus: boolean): void;
  /** It looks as if it were disabled, and is reached all the same. */
  'data-kept': boolean | undefined;
}

/** A button that cannot be pressed, as it is drawn: disabled, unless it keeps the focus. */
function useKeptOn({
  isDisabled = false,
  isPending = false,
}: {
  isDisabled?: boolean | undefined;
  isPending?: boolean | undefined;
}): KeptButton {
  const keepsFocus = useContext(KeepsFocus);
  const [hasFocus, setHasFocus] = useState(false);
  const isKept = isDisabled && hasFocus;
  // Elsewhere the focus has no effect, and a button is not drawn again for it.
  const onFocusChange = (now: boolean): void => {
    if (keepsFocus) setHasFocus(now);
  };
  return {
    isDisabled: isDisabled && !isKept,
    isPending: isPending || isKept,
    onFocusChange,
    'data-kept': isKept || undefined,
  };
}
