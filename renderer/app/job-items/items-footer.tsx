import { RotateCcw } from 'lucide-react';
import {
  isFinalJob,
  type ItemState,
  type Job,
  retryableStates,
  triableState,
  type TriableState,
} from '../../../shared/domain/job.ts';
import { Button } from '../../components/button.tsx';
import { type RowSelection, tickedCount } from '../../components/data-grid/row-selection.ts';
import { numberWords } from '../../components/format.ts';
import { lacking, retryable } from '../../components/jobs/job-format.ts';
import type { JobActs } from '../use-job-actions.ts';
import { CopyItems } from './copy-items.tsx';
import styles from './job-items.module.css';
import { SaveList } from './save-list.tsx';
import { text } from './text.ts';
import type { ItemQuestion } from './use-item-windows.ts';

/** The items that an action means: the ticked ones, or all that are shown. */
export interface MeantItems {
  job: Job;
  question: ItemQuestion;
  selection: RowSelection<number>;
  /** How many are ticked; 0: all that are shown are meant. */
  ticked: number;
  total: number;
}

interface ItemsFooterProps extends Omit<MeantItems, 'ticked'> {
  acts: JobActs;
}

export function ItemsFooter({ job, acts, question, total, selection }: ItemsFooterProps) {
  const ticked = tickedCount(selection, total);
  const meant: MeantItems = { job, question, selection, ticked, total };
  const again = statesToRetry(question.filter.states);
  const count = again.reduce((sum, state) => sum + job.counts[state], 0);
  return (
    <footer className={styles.footer}>
      <p data-figures>
        {ticked > 0 ? <span className={styles.selected}>{text.selected(ticked)}</span> : stateWords(job)}
      </p>
      <div className={styles.actions}>
        <SaveList meant={meant} />
        <CopyItems meant={meant} />
        {count > 0 && ticked === 0 && (
          <Button letter="R" onPress={() => acts.retry(again)}>
            <RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.retry(count)}
          </Button>
        )}
      </div>
    </footer>
  );
}

/** Chosen by their outcome, any items without a sample can be tried again: a right may have been given meanwhile. */
function statesToRetry(chosen: readonly ItemState[]): readonly TriableState[] {
  return chosen.length === 0 ? retryableStates : triableState.options.filter((state) => chosen.includes(state));
}

function stateWords(job: Job): string {
  const missing = lacking(job);
  const told = missing > 0 ? [text.missing[job.task.kind](numberWords(missing))] : [];
  const again = retryable(job) > 0 ? [text.canBeRetried(numberWords(retryable(job)))] : [];
  const active = Math.min(job.active.length, job.counts.waiting);
  const ahead = isFinalJob(job) ? [] : [text.inFlight(numberWords(active), numberWords(job.counts.waiting - active))];
  return [...ahead, ...told, ...again].join(', ');
}
