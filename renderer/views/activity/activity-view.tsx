import { Activity } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { isFinalJob } from '../../../shared/domain/job.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ReadFailure } from '../../components/read-failure.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { useLetterButtons } from '../../keyboard/view-keys.ts';
import { useKnownJobs } from '../../state/jobs.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import styles from './activity.module.css';
import { ChosenJob } from './chosen-job.tsx';
import { JobList } from './job-list.tsx';
import { text } from './text.ts';

/** Every job, running and past, and the chosen one with all its items. */
export function ActivityView() {
  const { all, byId, isKnown, failure } = useKnownJobs();
  const { chosenJob, chooseJob } = useNavigation();
  const view = useRef<HTMLDivElement>(null);
  const onKeyDown = useLetterButtons(view);
  useKeptFocus(view);
  const chosen = (chosenJob === null ? undefined : byId.get(chosenJob)) ?? all[0] ?? null;
  const chosenId = chosen?.id ?? null;
  // The job that is read stays the one that is read when a newer one begins.
  useEffect(() => {
    if (chosenId !== null && chosenId !== chosenJob) chooseJob(chosenId);
  }, [chosenId, chosenJob, chooseJob]);
  const past = all.filter(isFinalJob).length;
  const still = all.filter(({ state }) => state === 'paused');
  const halted = still.filter(({ failure: why }) => why !== null).length;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of the buttons inside
    <div ref={view} className={styles.view} onKeyDown={onKeyDown}>
      {failure && (
        <div className={styles.told}>
          <ReadFailure failure={failure} of="jobs.list" />
        </div>
      )}
      {isKnown && all.length === 0 && <NoJob />}
      {chosen !== null && (
        <div className={styles.panes}>
          <section className={styles.list} data-pane aria-label={text.list}>
            <header className={styles.listHead}>
              <h1 className={styles.title}>{text.title}</h1>
              <span className={styles.line} data-figures>
                {text.line(all.length - past - still.length, halted, still.length - halted, past)}
              </span>
            </header>
            <JobList jobs={all} chosen={chosen.id} onChoose={chooseJob} />
          </section>
          <ChosenJob key={chosen.id} job={chosen} />
        </div>
      )}
    </div>
  );
}

function NoJob() {
  const { openView } = useNavigation();
  return (
    <div data-pane>
      <header className={styles.listHead}>
        <h1 className={styles.title}>{text.title}</h1>
      </header>
      <EmptyState
        icon={<Activity size={20} strokeWidth={1.6} />}
        title={text.emptyTitle}
        sentence={text.emptySentence}
        action={
          <Button look="primary" onPress={() => openView('bulk-download')}>
            {text.emptyAction}
          </Button>
        }
      />
    </div>
  );
}
