import type { ReactNode } from 'react';
import { RotateCcw } from 'lucide-react';
import type { OperationInput, OperationName } from '../../shared/contract.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import type { Failure } from '../../shared/failure.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Notice } from './notice.tsx';
import { words } from './words.ts';

/** What to do again, as data: whoever shows the notice decides how it is sent. */
export type Retry = { [N in OperationName]: { name: N; input: OperationInput<N> } }[OperationName];

export interface FailureNoticeProps {
  failure: Failure;
  retry?: Retry | undefined;
  onRetry?: ((retry: Retry) => void) | undefined;
  /** One more way on, such as the page where the token is put in. */
  action?: ReactNode;
  /** What it means here, after the failure's own words. */
  after?: string | undefined;
  meaning?: 'bad' | 'warn';
  /** The single letter that tries again, where the view around it listens to letters. */
  retryLetter?: string;
}

/** What happened and what it means, where it happened. The details can be copied for whoever keeps the service. */
export function FailureNotice({ failure, retry, onRetry, action, after, meaning = 'bad', retryLetter }: FailureNoticeProps) {
  const { what, then } = sentenceFor(failure);
  const canRetry = retry !== undefined && onRetry !== undefined;
  return (
    <Notice
      meaning={meaning}
      title={visibleText(what)}
      isAlert
      actions={
        <>
          {canRetry && (
            <Button size="small" letter={retryLetter} onPress={() => onRetry(retry)}>
              <RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />
              {words.tryAgain}
            </Button>
          )}
          {action}
          <CopyButton text={() => detailsOf(failure)} label={words.copyDetails} />
        </>
      }
    >
      <bdi>{visibleText(then)}</bdi>{after !== undefined && ` ${after}`}
    </Notice>
  );
}

/** The failure's facts as text. It never holds a token: none of its fields does. */
export function detailsOf(failure: Failure): string {
  return JSON.stringify(failure, null, 2);
}
