import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import styles from './dialog.module.css';
import { KeepsFocus } from './use-kept-on.ts';
import { useOpener } from './use-opener.ts';

export interface DialogProps {
  /** The question it asks. */
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
  /** Repeats the verb; the safe choice first. */
  actions?: ReactNode;
  wide?: boolean;
  /** What was written in it would be lost. */
  staysOnClickBeside?: boolean;
  /** `alertdialog`: what it asks about is lost for good. */
  role?: 'dialog' | 'alertdialog';
}

/** For what leaves the desk or cannot be undone; all else is done at once. Escape closes it. */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  actions,
  wide = false,
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
      <Modal className={classNames(styles.modal, wide && styles.wide)}>
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
