import { Activity } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { isFinalJob } from '../../../shared/domain/job.ts';
import { useKnownJobs } from '../../app/jobs.tsx';
import { useNavigation } from '../../app/navigation.tsx';
import { useKeptFocus } from '../../app/use-kept-focus.ts';
import { useLetterButtons } from '../../app/use-letter-buttons.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ReadFailure } from '../../components/read-failure.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
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
    <div ref={view} className={layout.view} onKeyDown={onKeyDown}>
      {failure && (
        <div className={layout.inset}>
          <ReadFailure failure={failure} of="jobs.list" />
        </div>
      )}
      {isKnown && all.length === 0 && <NoJob />}
      {chosen !== null && (
        <div className={classNames(layout.panes, styles.panes)}>
          <section className={classNames(layout.pane, styles.list)} data-pane aria-label={text.list}>
            <header className={classNames(layout.wrapRow, layout.top, styles.listHead)}>
              <h1 className={classNames(layout.fixed, typography.viewTitle)}>{text.title}</h1>
              <span className={classNames(typography.cutNote, styles.line)} data-figures>
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
  const { openRoom } = useNavigation();
  return (
    <div data-pane>
      <header className={classNames(layout.wrapRow, layout.top, styles.listHead)}>
        <h1 className={classNames(layout.fixed, typography.viewTitle)}>{text.title}</h1>
      </header>
      <EmptyState
        icon={<Activity size={20} strokeWidth={1.6} />}
        title={text.emptyTitle}
        sentence={text.emptySentence}
        action={
          <Button look="primary" onPress={() => openRoom('bulk-download')}>
            {text.emptyAction}
          </Button>
        }
      />
    </div>
  );
}
