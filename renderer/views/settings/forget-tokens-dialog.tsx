import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useReportedAction } from '../../state/reported-action.ts';
import styles from './settings.module.css';
import { text } from './text.ts';

/** For a passphrase that nobody knows any more: without it there is no other way on. */
export function ForgetTokensDialog({ onClose }: { onClose(): void }) {
  const toast = useToast();
  const report = (): void => toast({ meaning: 'ok', text: text.tokensForgotten });
  const { mutate, isPending, error } = useReportedAction('secrets.forget', {
    report,
    failureText: text.tokensNotForgotten,
    onClose,
  });
  return (
    <Dialog
      title={text.forgetTokensTitle}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} takesFocus>
            {text.keepTokens}
          </Button>
          <Button look="danger" isDisabled={isPending} onPress={() => mutate({})}>
            {text.forgetTokensVerb}
          </Button>
        </>
      }
    >
      <p className={styles.sentence}>{text.forgetTokensSentence}</p>
      {error && <FailureNotice failure={error} />}
    </Dialog>
  );
}
