import { QueryClientContext, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { type ReactNode, useContext } from 'react';
import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { Failure } from '../../shared/failure-kinds.ts';
import { canBeRetried } from '../../shared/failure-retry.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { detailsOf, describeFailure } from './failure-format.ts';
import { words } from './format.ts';
import { Notice } from './notice.tsx';

/** The operation to retry, as data: the component that shows the notice decides how it is sent. */
export type Retry = { [N in OperationName]: { name: N; input: OperationInput<N> } }[OperationName];

interface FailureNoticeProps {
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
  /** Shows only its first remedy, where there is little space. */
  isSmall?: boolean;
  /** The single letter that tries again, where the view around it listens to letters. */
  retryLetter?: string;
}

/** What happened and what it means, where it happened. The details can be copied for the maintainer of the service. */
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
  const { what, then } = describeFailure(failure);
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

interface ReadFailureProps {
  failure: Failure;
  /** Which operation could not be read. */
  of: OperationName;
  after?: string;
  /** Where there is little space. */
  isSmall?: boolean;
}

/**
 * Why something cannot be shown, in its place. Trying again reads whatever of that operation is on the screen and
 * failed.
 */
export function ReadFailure({ failure, of, after, isSmall = false }: ReadFailureProps) {
  const client = useQueryClient();
  const again = (): void =>
    void client.refetchQueries({ queryKey: [of], type: 'active', predicate: ({ state }) => state.status === 'error' });
  return <FailureNotice failure={failure} after={after} onAgain={again} isSmall={isSmall} />;
}

/**
 * The facts of a failure, for the maintainer of the service. The version is the host's, as far as it is known: there
 * may be no host behind a failure.
 */
export function CopyDetails({ failure }: { failure: Failure }) {
  const client = useContext(QueryClientContext);
  const version = (): string | null =>
    client?.getQueryData<OperationOutput<'host.describe'>>(['host.describe', {}])?.version ?? null;
  return <CopyButton text={() => detailsOf(failure, version())} label={words.copyDetails} />;
}
