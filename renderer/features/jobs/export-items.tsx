import { useRef } from 'react';
import type { ExportSelection } from '../../../shared/domain/export.ts';
import { isFinalJob, type ItemState, type JobKind } from '../../../shared/domain/job.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { failed, type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { isTicked } from '../../components/data-grid/row-selection.ts';
import { Dialog } from '../../components/dialog.tsx';
import { describeFailure } from '../../components/failure-format.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { type AppDialog, useDialogWhenReady } from '../../state/app-dialogs.tsx';
import { caseAppDialog, type CaseRequest } from '../case/case-dialog.tsx';
import { titleOfJob } from '../export/export-menu.tsx';
import type { ExportChoice } from '../export/save-list-menu.tsx';
import { exportDialog } from '../export/selection-dialog.tsx';
import { text as appText } from '../export/strings.ts';
import { type ItemsTarget, readItems } from './item-windows.ts';
import { text } from './strings.ts';

const withSample: readonly ItemState[] = ['done', 'already-here'];

type Offer =
  | { kind: 'offer'; selection: ExportSelection; count: number; without: number }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'none' }
  | { kind: 'too-many' };
type NotOffered = Exclude<Offer, { kind: 'offer' }>;

/** Exports the samples of the meant items; which they are is read first. null: the job fetches none. */
export function useZipOfItems(meant: ItemsTarget): ExportChoice | null {
  const bridge = useBridge();
  const beginAsking = useDialogWhenReady();
  const isReading = useRef(false);
  const begin = async (): Promise<void> => {
    if (isReading.current) return;
    isReading.current = true;
    const ask = beginAsking();
    const read = await offerOf(bridge, meant);
    isReading.current = false;
    ask(questionOf(read.ok ? read.value : { kind: 'failed', failure: read.failure }));
  };
  const { task, counts } = meant.job;
  if (task.kind !== 'bulk-download') return null;
  return {
    id: 'zip',
    text: text.asZip,
    isDisabled: counts.done + counts['already-here'] === 0,
    onChoose: () => void begin(),
  };
}

function questionOf(offer: Offer): AppDialog {
  if (offer.kind === 'offer') return exportDialog(offer.selection, offer.count, { of: 'items', count: offer.without });
  return {
    draw: (close) => <NoOfferDialog offer={offer} onClose={close} />,
    words: wordsOf(offer),
    verb: appText.showWhy,
  };
}

function wordsOf(offer: NotOffered): string {
  if (offer.kind === 'failed') return describeFailure(offer.failure).what;
  return offer.kind === 'none' ? text.nothingPicked : text.tooManyPicked(mostPicked);
}

function NoOfferDialog({ offer, onClose }: { offer: NotOffered; onClose(): void }) {
  return (
    <Dialog
      title={text.exportSamples}
      isOpen
      onClose={onClose}
      actions={
        <Button onPress={onClose} takesFocus>
          {text.close}
        </Button>
      }
    >
      <NoOffer offer={offer} />
    </Dialog>
  );
}

function NoOffer({ offer }: { offer: NotOffered }) {
  if (offer.kind === 'failed') return <FailureNotice failure={offer.failure} />;
  if (offer.kind === 'none')
    return (
      <Notice meaning="info" title={text.nothingPicked}>
        {text.nothingPickedThen}
      </Notice>
    );
  return (
    <Notice meaning="warn" title={text.tooManyPicked(mostPicked)}>
      {text.tooManyPickedThen}
    </Notice>
  );
}

async function offerOf(
  bridge: Bridge<File>,
  { job, question, selection, ticked, total }: ItemsTarget,
): Promise<Result<Offer>> {
  const states =
    question.filter.states.length === 0
      ? withSample
      : question.filter.states.filter((state) => withSample.includes(state));
  if (states.length === 0) return success({ kind: 'none' });
  const filter = { ...question.filter, states: [...states] };
  if (ticked === 0 || ticked === total) return offerOfJob(bridge, job.id, filter, total);
  const order = { column: 'position', descending: false } as const;
  const read = await readItems(
    bridge,
    { id: job.id, filter, sort: order },
    ({ position, sha256 }) => sha256 !== null && isTicked(selection, position),
    mostPicked + 1,
  );
  if (!read.ok) return read;
  const sha256s = [...new Set(read.value.flatMap(({ sha256 }) => sha256 ?? []))];
  if (sha256s.length > mostPicked) return success({ kind: 'too-many' });
  return success(
    sha256s.length === 0
      ? { kind: 'none' }
      : {
          kind: 'offer',
          selection: { kind: 'samples', sha256s },
          count: sha256s.length,
          without: ticked - sha256s.length,
        },
  );
}

/** Without a ticked item it is a question to the job: however many there are, none is named. */
async function offerOfJob(
  bridge: Bridge<File>,
  id: number,
  filter: ItemsTarget['question']['filter'],
  asked: number,
): Promise<Result<Offer>> {
  const answer = await bridge.call('jobs.items', {
    id,
    filter,
    sort: { column: 'position', descending: false },
    offset: 0,
    limit: 1,
  });
  if (!answer.ok) return answer;
  return success(
    answer.value.total === 0
      ? { kind: 'none' }
      : {
          kind: 'offer',
          selection: { kind: 'job', id, filter },
          count: answer.value.total,
          without: Math.max(0, asked - answer.value.total),
        },
  );
}

/** Their items are samples of the library once they are over. */
const withCase: readonly JobKind[] = ['bulk-download', 'scan', 'hunt', 'upload'];

/** Exports the samples of the meant items as a case, once the job is over; null: its items are no samples. */
export function useCaseOfItems(meant: ItemsTarget): ExportChoice | null {
  const bridge = useBridge();
  const beginAsking = useDialogWhenReady();
  const isReading = useRef(false);
  const begin = async (): Promise<void> => {
    if (isReading.current) return;
    isReading.current = true;
    const ask = beginAsking();
    const read = await caseOf(bridge, meant);
    isReading.current = false;
    ask(read.ok ? caseAppDialog(read.value) : noCase(read.failure));
  };
  if (!withCase.includes(meant.job.task.kind)) return null;
  return {
    id: 'case',
    text: text.asCase,
    isDisabled: meant.total === 0 || !isFinalJob(meant.job),
    onChoose: () => void begin(),
  };
}

const noCase = (failure: Failure): AppDialog => ({
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
  words: describeFailure(failure).what,
  verb: appText.showWhy,
});

/** Without a ticked item it is a question to the job: however many there are, none is named. */
async function caseOf(
  bridge: Bridge<File>,
  { job, question: { filter }, selection, ticked, total }: ItemsTarget,
): Promise<Result<CaseRequest>> {
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

/** As many samples as can be named one by one. */
const mostPicked = 5000;
