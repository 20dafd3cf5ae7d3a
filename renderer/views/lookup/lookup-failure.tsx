import type { FoundHash } from '../../../shared/domain/hash.ts';
import type { Failure } from '../../../shared/failure.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useLookupStore } from '../../features/lookup/lookup-store.tsx';
import { FailureRemedy, meaningOf } from '../../state/failure-remedy.tsx';
import { AskedHash } from './asked-hash.tsx';
import styles from './lookup.module.css';

export function LookupFailure({
  failure,
  hash,
  workspaceId,
}: {
  failure: Failure;
  hash: FoundHash;
  workspaceId: string;
}) {
  const { again } = useLookupStore();
  const retry = { name: 'samples.lookup', input: { workspaceId, hash: hash.value } } as const;
  return (
    <div className={styles.body} data-pane>
      <AskedHash hash={hash} />
      <FailureNotice
        failure={failure}
        meaning={meaningOf(failure)}
        retry={retry}
        retryLetter="R"
        onRetry={again}
        action={<FailureRemedy failure={failure} />}
      />
    </div>
  );
}
