import type { Failure } from '../../shared/failure.ts';
import { useAction } from '../bridge/use-action.ts';
import { useOperation } from '../bridge/use-operation.ts';
import { Button } from '../components/button.tsx';
import { FailureNotice } from '../components/failure-notice.tsx';
import { text } from './strings.ts';

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
export function StartLab() {
  const { mutate, isPending } = useAction('lab.start');
  return (
    <Button size="small" isPending={isPending} onPress={() => mutate({})}>
      {isPending ? text.startingLab : text.startLab}
    </Button>
  );
}
