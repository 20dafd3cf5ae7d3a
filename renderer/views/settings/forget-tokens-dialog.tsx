import { useToldAction } from '../../app/use-told-action.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useToast } from '../../components/toasts.tsx';
import typography from '../../styles/typography.module.css';
import { text } from './text.ts';

/** For a passphrase that nobody knows any more: without it there is no other way on. */
export function ForgetTokensDialog({ onClose }: { onClose(): void }) {
  const toast = useToast();
  const tell = (): void => toast({ meaning: 'ok', text: text.tokensForgotten });
  const { mutate, isPending, error } = useToldAction('secrets.forget', {
    tell,
    lost: text.tokensNotForgotten,
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
      <p className={typography.sentence}>{text.forgetTokensSentence}</p>
      {error && <FailureNotice failure={error} />}
    </Dialog>
  );
}
