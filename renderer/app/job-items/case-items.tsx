import { useRef } from 'react';
import type { Bridge } from '../../../shared/bridge.ts';
import { isFinalJob, type JobKind } from '../../../shared/domain/job.ts';
import { failed, type Failure, type Result, success } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { isTicked } from '../../components/data-grid/row-selection.ts';
import { Dialog } from '../../components/dialog.tsx';
import { failureWords } from '../../components/failure-format.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import type { AskedCase } from '../case/case-dialog.tsx';
import { caseQuestion } from '../case/case-question.tsx';
import { titleOfJob } from '../case/case-title.ts';
import type { ExportChoice } from '../export/save-list-menu.tsx';
import { type LateQuestion, useLateQuestion } from '../late-questions.tsx';
import { text as appText } from '../text.ts';
import type { MeantItems } from './items-footer.tsx';
import { mostPicked } from './most-picked.ts';
import { readItems } from './read-items.ts';
import { text } from './text.ts';

/** Their items are samples of the library once they are over. */
const withCase: readonly JobKind[] = ['bulk-download', 'scan', 'hunt', 'upload'];

/** Exports the samples of the meant items as a case, once the job is over; null: its items are no samples. */
export function useCaseOfItems(meant: MeantItems): ExportChoice | null {
  const bridge = useBridge();
  const beginAsking = useLateQuestion();
  const isReading = useRef(false);
  const begin = async (): Promise<void> => {
    if (isReading.current) return;
    isReading.current = true;
    const ask = beginAsking();
    const read = await caseOf(bridge, meant);
    isReading.current = false;
    ask(read.ok ? caseQuestion(read.value) : noCase(read.failure));
  };
  if (!withCase.includes(meant.job.task.kind)) return null;
  return {
    id: 'case',
    text: text.asCase,
    isDisabled: meant.total === 0 || !isFinalJob(meant.job),
    onChoose: () => void begin(),
  };
}

const noCase = (failure: Failure): LateQuestion => ({
  draw: (close) => (
    <Dialog
      title={text.exportSamples}
      isOpen
      onClose={close}
      actions={
        <Button onPress={close} takesFocus>
          {text.close}
        </Button>
      }
    >
      <FailureNotice failure={failure} />
    </Dialog>
  ),
  words: failureWords(failure).what,
  verb: appText.showWhy,
});

/** Without a ticked item it is a question to the job: however many there are, none is named. */
async function caseOf(
  bridge: Bridge<File>,
  { job, question: { filter }, selection, ticked, total }: MeantItems,
): Promise<Result<AskedCase>> {
  const title = titleOfJob(job.id);
  if (ticked === 0 || ticked === total)
    return success({ selection: { kind: 'job', id: job.id, filter }, count: total, title });
  const order = { column: 'position', descending: false } as const;
  const read = await readItems(
    bridge,
    { id: job.id, filter, sort: order },
    ({ position }) => isTicked(selection, position),
    mostPicked + 1,
  );
  if (!read.ok) return read;
  const hashes = [...new Set(read.value.map(({ sha256, md5, hash }) => sha256 ?? md5 ?? hash))];
  if (hashes.length > mostPicked) return failed({ kind: 'case-too-large', found: ticked, limit: mostPicked });
  return success({ selection: { kind: 'named', hashes }, count: hashes.length, title });
}
