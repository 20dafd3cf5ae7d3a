import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { OperationInput } from '../../../../shared/contract.ts';
import type { LibraryRow } from '../../../../shared/domain/library.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { KeyCap } from '../../../components/key-cap.tsx';
import { RadioChoice } from '../../../components/radio-choice.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { shownName } from '../shown-name.ts';
import { text } from '../text.ts';
import type { MeantSamples } from './meant-samples.ts';
import { useJobNews } from './use-job-news.ts';
import { useMark } from './use-mark.ts';

type What = OperationInput<'library.forget'>['what'];
const choices: readonly { value: What; text: string }[] = [{ value: 'bytes', text: text.forgetBytes }, { value: 'all', text: text.forgetAll }];

export interface ForgetActionProps {
  meant: MeantSamples;
  /** The sample that alone is meant; null where there are several, or none. */
  one: LibraryRow | null;
  /** They are no more. */
  onForgotten(): void;
}

export function ForgetAction({ meant, one, onForgotten }: ForgetActionProps) {
  // As it was when the question was asked.
  const [asked, ask] = useState<Pick<ForgetActionProps, 'meant' | 'one'> | null>(null);
  return (
    <>
      <Button look="quiet" isDisabled={meant.count === 0} onPress={() => ask({ meant, one })} data-forget>
        <Trash2 size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.forget}
        <KeyCap>{text.forgetKey}</KeyCap>
      </Button>
      {asked !== null && <ForgetDialog {...asked} onForgotten={onForgotten} onClose={() => ask(null)} />}
    </>
  );
}

function ForgetDialog({ meant: { selections, count: atFirst }, one, onForgotten, onClose }: ForgetActionProps & { onClose(): void }) {
  const bridge = useBridge();
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
  const forget = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    let forgotten = 0;
    let job: number | undefined;
    for (const selection of selections) {
      const answer = await bridge.call('library.forget', { selection, what, expected: selection.kind === 'named' ? null : asked.mark });
      if (!answer.ok) {
        setBusy(false);
        setFailure(answer.failure);
        return answer.failure.kind === 'selection-changed' ? askAgain(answer.failure.found) : undefined;
      }
      forgotten += answer.value.forgotten;
      job = answer.value.job;
    }
    if (job === undefined) toast({ meaning: 'ok', text: text.forgotten(forgotten) });
    else tellJob(job);
    if (what === 'all') onForgotten();
    onClose();
  };
  return (
    <Dialog
      title={text.forgetTitle(count, one === null ? null : shownName(one))}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={<><Button onPress={onClose} takesFocus>{text.forgetKeep(count)}</Button><Button look="danger" isDisabled={isBusy || !asked.isKnown || count === 0} onPress={() => void forget()}>{isBusy ? text.forgetsNow : text.forgetDo(count)}</Button></>}
    >
      <RadioChoice label={text.forgetWhat} value={what} options={choices} onChange={(chosen) => setWhat(chosen)} />
      <p>{text.forgetSentence}</p>
      {asked.mark !== null && <p>{text.forgetMeant(count)}</p>}
      {shownFailure !== null && <FailureNotice failure={shownFailure} />}
    </Dialog>
  );
}
