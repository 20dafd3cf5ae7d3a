import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useAction } from '../../bridge/use-action.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { canBeRetried, FailureRemedy, meaningOf } from '../failure-remedy.tsx';
import styles from './sample.module.css';
import { text } from './text.ts';

/** Asks a repository for its record once more. What it says is kept by the library, and shown from there. */
export function AskAgain({ workspaceId, hash }: { workspaceId: string; hash: string }) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useAction('samples.lookup');
  const input = { workspaceId, hash };
  const ask = (): void => mutate(input, {
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['library.sample'] });
      void client.invalidateQueries({ queryKey: ['comments.thread'] });
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['samples.history'] }),
  });
  return (
    <div className={styles.askAgain}>
      <Button size="small" look="quiet" letter="R" isDisabled={isPending} onPress={ask}><RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />{text.again}</Button>
      {error && <FailureNotice failure={error} meaning={meaningOf(error)} retry={canBeRetried(error) ? { name: 'samples.lookup', input } : undefined} onRetry={ask} action={<FailureRemedy failure={error} />} />}
    </div>
  );
}
