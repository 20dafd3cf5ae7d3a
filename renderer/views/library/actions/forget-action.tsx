import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { OperationInput } from '../../../../shared/contract.ts';
import type { LibraryRow, LibrarySelection, SelectionMark } from '../../../../shared/domain/library.ts';
import { type Failure, type Result, success } from '../../../../shared/failure.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { failureWords } from '../../../components/failure-words.ts';
import { KeyCap } from '../../../components/key-cap.tsx';
import { RadioChoice } from '../../../components/radio-choice.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { type LibraryPlace, useLibraryPlaces } from '../../../features/library/library-place.tsx';
import { useIsMounted } from '../../../state/presence.ts';
import { shownName } from '../shown-name.ts';
import { text } from '../text.ts';
import type { MeantSamples } from './meant-samples.ts';
import { useJobNews } from './use-job-news.ts';
import { useMark } from './use-mark.ts';
import { withoutForgotten } from './without-forgotten.ts';

type What = OperationInput<'library.forget'>['what'];
const choices: readonly { value: What; text: string }[] = [
  { value: 'bytes', text: text.forgetBytes },
  { value: 'all', text: text.forgetAll },
];

export interface ForgetActionProps {
  meant: MeantSamples;
  /** The sample that alone is meant; null where there are several, or none. */
  one: LibraryRow | null;
}

/** As it was when the question was asked. */
interface AskedAbout extends ForgetActionProps {
  place: LibraryPlace;
}

export function ForgetAction({ meant, one }: ForgetActionProps) {
  const places = useLibraryPlaces();
  const [asked, ask] = useState<AskedAbout | null>(null);
  return (
    <>
      <Button
        look="quiet"
        isDisabled={meant.count === 0}
        onPress={() => ask({ meant, one, place: places.snapshot() })}
        data-forget
      >
        <Trash2 size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.forget}
        <KeyCap>{text.forgetKey}</KeyCap>
      </Button>
      {asked !== null && <ForgetDialog {...asked} onClose={() => ask((now) => (now === asked ? null : now))} />}
    </>
  );
}

function ForgetDialog({
  meant: { selections, count: atFirst },
  one,
  place,
  onClose,
}: AskedAbout & { onClose(): void }) {
  const bridge = useBridge();
  const places = useLibraryPlaces();
  const isHere = useIsMounted();
  const toast = useToast();
  const tellJob = useJobNews();
  const asked = useMark(selections);
  const [lastCount, setLastCount] = useState(atFirst);
  // As many as the person is told.
  const count = asked.mark?.samples ?? lastCount;
  const [what, setWhat] = useState<What>('bytes');
  const [failure, setFailure] = useState<Failure | null>(null);
  const shownFailure = failure ?? asked.failure;
  const [isBusy, setBusy] = useState(false);
  const askAgain = (found: number): void => {
    setLastCount(found);
    asked.askAgain();
  };
  const tellFailure = (why: Failure): void => {
    if (!isHere()) return toast({ meaning: 'bad', text: text.notForgotten(failureWords(why).what), failure: why });
    setBusy(false);
    setFailure(why);
    if (why.kind === 'selection-changed') askAgain(why.found);
  };
  const forget = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    const done = await forgetEach(bridge, selections, { what, mark: asked.mark });
    if (!done.ok) return tellFailure(done.failure);
    const { forgotten, job } = done.value;
    if (job === undefined) toast({ meaning: 'ok', text: text.forgotten(forgotten) });
    else tellJob(job);
    if (what === 'all') places.note(withoutForgotten(places.snapshot(), place, selections));
    onClose();
  };
  return (
    <Dialog
      title={text.forgetTitle(count, one === null ? null : shownName(one))}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} takesFocus>
            {text.forgetKeep}
          </Button>
          <Button look="danger" isDisabled={isBusy || !asked.isKnown || count === 0} onPress={() => void forget()}>
            {isBusy ? text.forgetsNow : text.forgetDo(count)}
          </Button>
        </>
      }
    >
      <RadioChoice label={text.forgetWhat} value={what} options={choices} onChange={(chosen) => setWhat(chosen)} />
      <p>{text.forgetSentence}</p>
      {asked.mark !== null && <p>{text.forgetMeant(count)}</p>}
      {shownFailure !== null && <FailureNotice failure={shownFailure} />}
    </Dialog>
  );
}

interface Forgotten {
  forgotten: number;
  /** The job that does it, where it takes long. */
  job: number | undefined;
}

async function forgetEach(
  bridge: Bridge<File>,
  selections: readonly LibrarySelection[],
  { what, mark }: { what: What; mark: SelectionMark | null },
): Promise<Result<Forgotten>> {
  let forgotten = 0;
  let job: number | undefined;
  for (const selection of selections) {
    const expected = selection.kind === 'named' ? null : mark;
    const answer = await bridge.call('library.forget', { selection, what, expected });
    if (!answer.ok) return answer;
    forgotten += answer.value.forgotten;
    job = answer.value.job;
  }
  return success({ forgotten, job });
}
