import type { UploadDraft } from '../../../shared/domain/upload.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { TickBox } from '../../components/data-grid/grid-row.tsx';
import { useToast } from '../../components/toasts.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import { type Draft, useWrites } from './draft-desk.tsx';
import { pressedOnce } from './pressed-once.ts';
import { text } from './text.ts';
import styles from './upload.module.css';

export interface FlagTickedProps {
  draft: Draft;
  summary: UploadDraft;
  flag: 'virusTotal' | 'sandbox';
}

/** One box for all ticked files: those whose TLP forbids it stay shut, and it says how many. */
export function FlagTicked({ draft: { workspace, writes: given }, summary, flag }: FlagTickedProps) {
  const toast = useToast();
  const writes = useWrites(given);
  const receiver = visibleText(workspace.options.receivers[flag]);
  const state = flagState(summary, flag, writes.flagsTicked(flag, summary));
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
      className={classNames(layout.inline6, surface.control, styles.fill)}
      disabled={summary.tickedSamples === 0}
      onKeyDown={pressedOnce}
      onClick={() => void fill()}
    >
      <TickBox state={state} />
      <bdi className={typography.cut}>{receiver}</bdi>
    </button>
  );
}

/** `said`: what a press set it to that the numbers do not know of yet; the next press takes it back. */
function flagState(summary: UploadDraft, flag: FlagTickedProps['flag'], said: boolean | null): 'all' | 'some' | 'none' {
  const [on, able] = [summary[flag].files, summary.toSend.files - summary.closed];
  if (said !== null && able > 0) return said ? 'all' : 'none';
  if (on === 0) return 'none';
  return on >= able ? 'all' : 'some';
}
