import type { ReactNode } from 'react';
import type { Failure } from '../../../shared/failure.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import styles from './mute-form.module.css';
import { text } from './text.ts';

export interface MuteFormProps {
  title: string;
  /** On the button that does it. */
  verb: string;
  isPending: boolean;
  failure: Failure | null;
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
}

/** The dialog around the fields of a mute. Enter in a field does it. */
export function MuteForm({ title, verb, isPending, failure, onSubmit, onClose, children }: MuteFormProps) {
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        {failure !== null && <FailureNotice failure={failure} />}
        <div className={styles.formActions}>
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button type="submit" look="primary" isDisabled={isPending}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
