import type { FoundHash } from '../../../shared/domain/hash.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useLookupDesk } from '../../app/lookup-desk.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import { AskedHash } from './asked-hash.tsx';
import { FailureRemedy, meaningOf } from '../../app/failure-remedy.tsx';
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
  const { again } = useLookupDesk();
  const retry = { name: 'samples.lookup', input: { workspaceId, hash: hash.value } } as const;
  return (
    <div className={classNames(layout.stack12, layout.scroll, styles.body)} data-pane>
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
