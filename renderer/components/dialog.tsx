import { type ReactNode, useLayoutEffect } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import { KeepsFocus } from './button.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  /** The question it asks. */
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
  /** Repeats the verb; the safe choice first. */
  actions?: ReactNode;
  wide?: boolean;
  /** As wide as the window allows: for a table. */
  full?: boolean;
  /** What was written in it would be lost. */
  staysOnClickBeside?: boolean;
  /** `alertdialog`: what it asks about is lost for good. */
  role?: 'dialog' | 'alertdialog';
}

/** For actions that send data from this computer or cannot be undone; all others run at once. Escape closes it. */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  actions,
  wide = false,
  full = false,
  staysOnClickBeside = false,
  role = 'dialog',
}: DialogProps) {
  useOpener(isOpen);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose()}
      isDismissable={!staysOnClickBeside}
      className={classNames(layout.middle, styles.veil)}
    >
      <Modal className={classNames(styles.modal, wide && styles.wide, full && styles.full)}>
        <AriaDialog role={role} className={classNames(layout.stack12, styles.dialog)}>
          <Heading slot="title" className={classNames(typography.viewTitle)}>
            {title}
          </Heading>
          <KeepsFocus value>
            {children}
            {actions !== undefined && <div className={classNames(layout.wrap8, styles.actions)}>{actions}</div>}
          </KeepsFocus>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/**
 * What had the focus before the first of several dialogs in a row: the library gives it back to the one before only.
 */
let opener: HTMLElement | null = null;

const dialogs = '[role=dialog], [role=alertdialog]';

/** Gives the focus back to where a dialog was opened from, also when other dialogs came between. */
function useOpener(isOpen: boolean): void {
  // Before the dialog takes the focus itself.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const before = document.activeElement;
    if (before instanceof HTMLElement && before !== document.body && before.closest(dialogs) === null) opener = before;
    return () => void requestAnimationFrame(() => requestAnimationFrame(giveBack));
  }, [isOpen]);
}

function giveBack(): void {
  const isFree = document.activeElement === document.body && document.querySelector(dialogs) === null;
  if (isFree && opener?.isConnected === true) opener.focus();
}
