import type { UploadDraft } from '../../../shared/domain/upload.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { TickBox } from '../../components/data-grid/grid-row.tsx';
import { useToast } from '../../components/toasts.tsx';
import type { Draft } from './draft-desk.tsx';
import { text } from './text.ts';
import styles from './upload.module.css';

export interface FlagTickedProps {
  draft: Draft;
  summary: UploadDraft;
  flag: 'virusTotal' | 'sandbox';
}

/** One box for all ticked files: those whose TLP forbids it stay shut, and it says how many. */
export function FlagTicked({ draft: { workspace, writes }, summary, flag }: FlagTickedProps) {
  const toast = useToast();
  const receiver = visibleText(workspace.options.receivers[flag]);
  const [on, able] = [summary[flag].files, summary.toSend.files - summary.closed];
  const state = on === 0 ? 'none' : on >= able ? 'all' : 'some';
  const fill = async (): Promise<void> => {
    const outcome = await writes.change({ kind: 'ticked' }, { [flag]: state !== 'all' });
    if (outcome !== null) toast({ meaning: 'info', text: text.flagged(receiver, outcome.changed, outcome.refused) });
  };
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={state === 'some' ? 'mixed' : state === 'all'}
      aria-label={text.flagAll(receiver)}
      className={styles.fill}
      disabled={summary.ticked === 0}
      onClick={() => void fill()}
    >
      <TickBox state={state} />
      <bdi className={styles.fillWord}>{receiver}</bdi>
    </button>
  );
}
