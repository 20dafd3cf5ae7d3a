import { ShieldCheck } from 'lucide-react';
import type { Failure } from '../../../shared/failure.ts';
import { useAction } from '../../bridge/use-action.ts';
import { Button } from '../../components/button.tsx';
import { useJournalPlace } from './journal-place.tsx';
import { text } from './text.ts';

/** How a check is begun, and why one could not be. What it came to is in the journal's place. */
export interface Verifying {
  isPending: boolean;
  failure: Failure | null;
  begin(): void;
}

export function useVerifying(): Verifying {
  const { note } = useJournalPlace();
  const { mutate, isPending, error } = useAction('journal.verify');
  const begin = (): void => {
    note({ verification: null });
    mutate({}, { onSuccess: (verification) => note({ verification }) });
  };
  return { isPending, failure: error, begin };
}

/** Runs when asked: it reads the whole chain. */
export function VerifyButton({
  verifying: { isPending, begin },
  words,
  letter,
}: {
  verifying: Verifying;
  words: string;
  letter?: string;
}) {
  return (
    <Button letter={letter} isDisabled={isPending} onPress={begin}>
      <ShieldCheck size={14} strokeWidth={1.6} aria-hidden="true" />
      {isPending ? text.verifying : words}
    </Button>
  );
}
