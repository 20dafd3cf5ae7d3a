import { type Failure, type Result, success } from '../../../../shared/failure.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { failureWords } from '../../../components/failure-words.ts';
import { useToast } from '../../../components/toasts.tsx';
import { queueChange } from '../../../features/sample/sample-changes.ts';
import { text } from '../text.ts';
import type { Changed } from './change-samples.ts';
import { useJobNews } from './use-job-news.ts';

export interface ChangeWords {
  done(count: number): string;
  nothing: string;
  /** Said where it was done and cannot be taken back, if somebody would expect that it can. */
  noUndo?: string;
  /** All of it was taken back. */
  onUndone?(): void;
}

/** Says what a change came to, with the way back where there is one. */
export function useChangeNews(): (result: Result<Changed>, words: ChangeWords) => void {
  const bridge = useBridge();
  const toast = useToast();
  const tellJob = useJobNews();
  const tellFailure = (failure: Failure, words: (why: string) => string): void =>
    toast({ meaning: 'bad', text: words(failureWords(failure).what), failure });
  const takeBack = async ({ undo, changed }: Changed, { onUndone }: ChangeWords): Promise<void> => {
    const undone = await queueChange(bridge, () => takeBackEach(bridge, undo));
    if (!undone.ok) return tellFailure(undone.failure, text.notUndone);
    if (undone.value >= changed) onUndone?.();
    else toast({ meaning: 'info', text: text.undoneFewer(undone.value, changed) });
  };
  return (result, words) => {
    if (!result.ok) return tellFailure(result.failure, text.notDone);
    const { changed, leftOut, job, undo } = result.value;
    if (job !== undefined) return tellJob(job);
    const canUndo = changed > 0 && undo.length > 0;
    const told = [
      changed === 0 ? words.nothing : words.done(changed),
      ...(leftOut === 0 ? [] : [text.leftOut(leftOut)]),
      ...(changed === 0 || canUndo || words.noUndo === undefined ? [] : [words.noUndo]),
    ];
    toast({
      meaning: changed === 0 ? 'info' : 'ok',
      text: (changed === 0 && leftOut > 0 ? told.slice(1) : told).join('. '),
      ...(canUndo ? { undo: () => void takeBack(result.value, words) } : {}),
    });
  };
}

/** @returns how many are as they were before */
async function takeBackEach(bridge: Bridge<File>, undo: Changed['undo']): Promise<Result<number>> {
  let undone = 0;
  for (const step of undo) {
    const answer = await bridge.call('library.change', step);
    if (!answer.ok) return answer;
    undone += answer.value.changed;
  }
  return success(undone);
}
