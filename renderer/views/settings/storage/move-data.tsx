import { isFinalJob } from '../../../../shared/domain/job.ts';
import type { StorageMove } from '../../../../shared/domain/storage.ts';
import { useJobs } from '../../../app/jobs.tsx';
import { useAction } from '../../../bridge/use-action.ts';
import { Button } from '../../../components/button.tsx';
import { sizeWords } from '../../../components/byte-words.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from '../settings.module.css';
import storage from './storage.module.css';
import { text } from './text.ts';

/** Has all of it moved: the host asks for the folder, and the page for the second word. */
export function MoveData() {
  const { mutate, data, reset, isPending, error } = useAction('storage.planMove');
  const plan = data?.plan ?? null;
  const choose = (): void => mutate({});
  return (
    <>
      <Button isPending={isPending} onPress={choose}>
        {text.move}
      </Button>
      {error && (
        <div className={storage.ownLine}>
          <FailureNotice failure={error} retry={{ name: 'storage.planMove', input: {} }} onRetry={choose} />
        </div>
      )}
      {plan !== null && <MoveDialog plan={plan} onClose={reset} />}
    </>
  );
}

function MoveDialog({ plan, onClose }: { plan: StorageMove; onClose(): void }) {
  const running = useJobs().filter((job) => !isFinalJob(job)).length;
  const { mutate, isPending, isSuccess, error } = useAction('storage.move');
  // The host that was told to end does: there is no way back from here.
  const isEnding = isPending || isSuccess;
  return (
    <Dialog
      title={text.moveTitle}
      isOpen
      wide
      onClose={() => isEnding || onClose()}
      actions={
        <>
          <Button isDisabled={isEnding} onPress={onClose} takesFocus>
            {text.stay}
          </Button>
          <Button look="primary" isPending={isEnding} onPress={() => mutate({})}>
            {isEnding ? text.restarting : text.restartAndMove}
          </Button>
        </>
      }
    >
      <dl className={classNames(layout.stack, typography.body, styles.facts)}>
        <div>
          <dt>{text.from}</dt>
          <dd className={styles.path}>
            <bdi>{plan.from}</bdi>
          </dd>
        </div>
        <div>
          <dt>{text.to}</dt>
          <dd className={styles.path}>
            <bdi>{plan.to}</bdi>
          </dd>
        </div>
        <div>
          <dt>{text.size}</dt>
          <dd>{text.sizeOfMove(sizeWords(plan.bytes), plan.files)}</dd>
        </div>
      </dl>
      <p className={typography.sentence}>{text.moveSentence}</p>
      <p className={typography.sentence}>{text.jobsGoOn(running)}</p>
      {error && <FailureNotice failure={error} />}
    </Dialog>
  );
}
