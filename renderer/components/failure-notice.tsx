import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { OperationInput, OperationName } from '../../shared/contract.ts';
import type { Failure } from '../../shared/failure.ts';
import { canBeRetried } from '../../shared/failure-retry.ts';
import { Button } from './button.tsx';
import { CopyDetails } from './copy-details.tsx';
import { failureWords } from './failure-words.ts';
import { Notice } from './notice.tsx';
import { words } from './words.ts';

/** What to do again, as data: whoever shows the notice decides how it is sent. */
export type Retry = { [N in OperationName]: { name: N; input: OperationInput<N> } }[OperationName];

export interface FailureNoticeProps {
  failure: Failure;
  /** Offered only where trying again can help. */
  retry?: Retry | undefined;
  onRetry?: ((retry: Retry) => void) | undefined;
  /** Reads again what could not be read, instead of `retry`. */
  onAgain?: (() => void) | undefined;
  /** One more way on, such as the page where the token is put in. */
  action?: ReactNode;
  /** What it means here, after the failure's own words. */
  after?: string | undefined;
  meaning?: 'bad' | 'warn';
  /** With its first way on alone, where there is little room. */
  isSmall?: boolean;
  /** The single letter that tries again, where the view around it listens to letters. */
  retryLetter?: string;
}

/** What happened and what it means, where it happened. The details can be copied for whoever keeps the service. */
export function FailureNotice({
  failure,
  retry,
  onRetry,
  onAgain,
  action,
  after,
  meaning = 'bad',
  isSmall = false,
  retryLetter,
}: FailureNoticeProps) {
  const { what, then } = failureWords(failure);
  const asked = retry !== undefined && onRetry !== undefined ? () => onRetry(retry) : onAgain;
  const again = canBeRetried(failure) ? asked : undefined;
  return (
    <Notice
      meaning={meaning}
      title={what}
      size={isSmall ? 'small' : 'normal'}
      isAlert
      actions={
        <>
          {again !== undefined && (
            <Button size="small" letter={retryLetter} onPress={again}>
              <RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />
              {words.tryAgain}
            </Button>
          )}
          {action}
          {!(isSmall && again !== undefined) && <CopyDetails failure={failure} />}
        </>
      }
    >
      <bdi dir="ltr">{then}</bdi>
      {after !== undefined && ` ${after}`}
    </Notice>
  );
}
