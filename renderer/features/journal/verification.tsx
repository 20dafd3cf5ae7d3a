import { ShieldCheck, X } from 'lucide-react';
import type { JournalVerification } from '../../../shared/domain/journal.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useAction } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { useJournalPlace, useShowRow } from './journal-place.tsx';
import { text } from './strings.ts';

interface VerificationNoticeProps {
  verification: JournalVerification;
  /** Dismisses it. */
  onClose?: () => void;
}

/** What a check of the journal came to: that it holds and what that proves, or what is broken and where. */
export function VerificationNotice({ verification: { rows, assurance, broken }, onClose }: VerificationNoticeProps) {
  const show = useShowRow();
  const close = onClose && (
    <Button size="small" look="quiet" onPress={onClose}>
      <X size={14} strokeWidth={1.6} aria-hidden="true" />
      {text.putAway}
    </Button>
  );
  if (broken === null && (assurance === 'locked' || assurance === 'key-missing'))
    return (
      <Notice meaning="warn" title={text.notProven(rows)} actions={close}>
        {text.assurance[assurance]}
      </Notice>
    );
  if (broken === null)
    return (
      <Notice meaning="ok" title={text.holds(rows)} actions={close}>
        {text.assurance[assurance]}
      </Notice>
    );
  const { number } = broken;
  return (
    <Notice
      meaning="bad"
      title={text.brokenTitle(broken, rows)}
      actions={
        <>
          {number !== null && (
            <Button size="small" onPress={() => void show(number)}>
              {text.show(broken)}
            </Button>
          )}
          {close}
        </>
      }
    >
      {text.brokenMeaning[broken.reason]}
    </Notice>
  );
}

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
