import type { Failure, FailureKind } from '../../shared/failure-kinds.ts';
import { useAction, useOperation } from '../bridge/operations.ts';
import { Button } from '../components/button.tsx';
import { FailureNotice } from '../components/failure-notice.tsx';
import { useNavigation } from './navigation.tsx';
import { text } from './strings.ts';

const mendedInWorkspaces: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'token-missing',
  'token-refused',
  'token-for-other-host',
  'service-not-set',
  'not-trusted',
  'client-certificate',
  'client-certificate-unreadable',
  'front-login',
  'http-not-allowed',
  'html-reply',
  'redirected',
  'workspace-missing',
  'timed-out',
  'unreachable',
]);
/** These are answers and no breakage. */
const answers: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'unknown-hash',
  'unknown-behind-warning',
  'needs-md5',
  'forbidden',
  'forbidden-or-unknown',
  'lab-down',
]);

export const meaningOf = ({ kind }: Failure): 'warn' | 'bad' => (answers.has(kind) ? 'warn' : 'bad');

/** The way to the place where this failure is mended, if there is one. */
export function FailureRemedy({ failure: { kind } }: { failure: Failure }) {
  const { openSettings, openPublications } = useNavigation();
  if (kind === 'secrets-locked' || kind === 'secrets-damaged')
    return (
      <Button size="small" onPress={() => openSettings('tokens')}>
        {text.openTokens}
      </Button>
    );
  if (kind === 'lab-failed') return <StartLab />;
  if (kind === 'no-package')
    return (
      <Button size="small" onPress={() => openPublications('updates')}>
        {text.openUpdates}
      </Button>
    );
  if (kind === 'native-engine-missing')
    return (
      <Button size="small" onPress={() => openSettings('scans')}>
        {text.openScanSettings}
      </Button>
    );
  return mendedInWorkspaces.has(kind) ? (
    <Button size="small" onPress={() => openSettings('workspaces')}>
      {text.openWorkspaces}
    </Button>
  ) : null;
}

/** Why the lab stopped; null while it runs, or is about to. */
export function useLabFailure(): Failure | null {
  const { data: host } = useOperation('host.describe', {});
  return host?.lab.state === 'stopped' ? host.lab.failure : null;
}

/** Why the lab stopped, with a button that starts it again. Nothing while it runs. */
export function LabFailure() {
  const failure = useLabFailure();
  return failure === null ? null : <FailureNotice failure={failure} action={<StartLab />} />;
}

/** What comes of it is in the lab's state, which is shown where this is. */
function StartLab() {
  const { mutate, isPending } = useAction('lab.start');
  return (
    <Button size="small" isPending={isPending} onPress={() => mutate({})}>
      {isPending ? text.startingLab : text.startLab}
    </Button>
  );
}
