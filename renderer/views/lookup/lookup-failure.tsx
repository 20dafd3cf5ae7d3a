import type { FoundHash } from '../../../shared/domain/hash.ts';
import type { Failure, FailureKind } from '../../../shared/failure.ts';
import { useLookupDesk } from '../../app/lookup-desk.tsx';
import { useNavigation } from '../../app/navigation.tsx';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import styles from './lookup.module.css';
import { text } from './text.ts';

/** Asking again gives the same answer until something else has changed. */
const withoutRetry: ReadonlySet<FailureKind> = new Set<FailureKind>(['needs-md5', 'bad-input', 'service-not-set', 'workspace-missing', 'session-missing', 'link-used']);
const mendedInWorkspaces: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'token-missing', 'token-refused', 'token-for-other-host', 'service-not-set', 'not-trusted', 'http-not-allowed', 'html-reply', 'redirected', 'workspace-missing', 'timed-out',
]);
/** These are answers and no breakage. */
const answers: ReadonlySet<FailureKind> = new Set<FailureKind>(['unknown-hash', 'needs-md5', 'forbidden', 'forbidden-or-unknown', 'lab-down']);

export function LookupFailure({ failure, hash, workspaceId }: { failure: Failure; hash: FoundHash; workspaceId: string }) {
  const { again } = useLookupDesk();
  const { openSettings } = useNavigation();
  const retry = withoutRetry.has(failure.kind) ? undefined : ({ name: 'samples.lookup', input: { workspaceId, hash: hash.value } } as const);
  return (
    <div className={styles.body} data-pane>
      <p className={styles.askedHash}>{text.kinds[hash.kind]} <code>{hash.value}</code></p>
      <FailureNotice
        failure={failure}
        meaning={answers.has(failure.kind) ? 'warn' : 'bad'}
        retry={retry}
        onRetry={again}
        action={
          <>
            {mendedInWorkspaces.has(failure.kind) && <Button size="small" onPress={() => openSettings('workspaces')}>{text.openTokens}</Button>}
            {failure.kind === 'secrets-locked' && <Button size="small" onPress={() => openSettings('tokens')}>{text.unlock}</Button>}
          </>
        }
      />
    </div>
  );
}
