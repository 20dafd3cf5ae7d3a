import { X } from 'lucide-react';
import type { JournalVerification } from '../../../shared/domain/journal.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { text } from './text.ts';
import { useShowRow } from './use-show-row.ts';

export interface VerificationNoticeProps {
  verification: JournalVerification;
  /** Puts it away. */
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
