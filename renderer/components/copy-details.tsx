import { QueryClientContext } from '@tanstack/react-query';
import { useContext } from 'react';
import type { OperationOutput } from '../../shared/contract.ts';
import type { Failure } from '../../shared/failure.ts';
import { CopyButton } from './copy-button.tsx';
import { detailsOf } from './failure-details.ts';
import { words } from './words.ts';

/**
 * The facts of a failure, for whoever keeps the service. The version is the host's, as far as it was told: there may be
 * no host behind a failure.
 */
export function CopyDetails({ failure }: { failure: Failure }) {
  const client = useContext(QueryClientContext);
  const version = (): string | null =>
    client?.getQueryData<OperationOutput<'host.describe'>>(['host.describe', {}])?.version ?? null;
  return <CopyButton text={() => detailsOf(failure, version())} label={words.copyDetails} />;
}
