import { type FormEvent, useId, useRef, useState } from 'react';
import type { Failure } from '../../../shared/failure.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { failureWords } from '../../components/failure-format.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { sizeWords } from '../../components/format.ts';
import { CutName } from '../../components/service-text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useBundleDesk } from './bundle-desk.tsx';
import { BundlePicker } from './bundle-picker.tsx';
import styles from './bundle.module.css';
import { text } from './text.ts';
import { useOpenBundle } from './use-open-bundle.ts';

/** Which file, and its passphrase. What is wrong with that is said at its field. */
export function UnlockBundleDialog() {
  const { opening, file, hide } = useBundleDesk();
  const { isOpening, failure, open } = useOpenBundle();
  const [passphrase, setPassphrase] = useState('');
  const [isTyped, setTyped] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const form = useId();
  const pick = (): void => picker.current?.click();
  const type = (typed: string): void => {
    setPassphrase(typed);
    setTyped(true);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (file === null || passphrase === '' || isOpening) return;
    setTyped(false);
    open(file, passphrase);
  };
  const told = failure ?? (file !== null && file.openingId === opening?.id ? opening.failure : null);
  return (
    <Dialog
      title={text.open}
      isOpen
      onClose={hide}
      actions={
        <>
          <Button onPress={hide}>{text.close}</Button>
          {file === null ? (
            <Button look="primary" takesFocus onPress={pick}>
              {text.choose}
            </Button>
          ) : (
            <Button look="primary" type="submit" form={form} isDisabled={passphrase === '' || isOpening}>
              {isOpening ? text.opening : text.openVerb}
            </Button>
          )}
        </>
      }
    >
      <p className={styles.sentence}>
        {text.chooseSentence}
        {file === null && ` ${text.dropToo}`}
      </p>
      <BundlePicker ref={picker} />
      {file !== null && (
        <form id={form} className={styles.form} onSubmit={submit}>
          <p className={styles.file}>
            <CutName name={file.file.name} />
            <span className={styles.size}>{sizeWords(file.file.size)}</span>
            <Button size="small" isDisabled={isOpening} onPress={pick}>
              {text.chooseOther}
            </Button>
          </p>
          <TextField
            takesFocus
            label={text.passphrase}
            type="password"
            value={passphrase}
            onChange={type}
            problem={isTyped || isOpening ? null : problemOf(told)}
            maxLength={1024}
            autoComplete="off"
          />
          {told !== null && problemOf(told) === null && <FailureNotice failure={told} />}
        </form>
      )}
    </Dialog>
  );
}

function problemOf(failure: Failure | null): string | null {
  if (failure?.kind !== 'bundle-passphrase-wrong') return null;
  const { what, then } = failureWords(failure);
  return `${what}. ${then}`;
}
