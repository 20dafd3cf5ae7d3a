import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { Failure, Result } from '../../../../shared/failure.ts';
import { sentenceFor } from '../../../../shared/failure-sentences.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { text } from '../text.ts';
import type { Changed } from './change-samples.ts';

export interface ChangeWords {
  done(count: number): string;
  nothing: string;
}

/** Says what a change came to, with the way back where there is one. @returns whether it was done */
export function useChangeNews(): (result: Result<Changed>, words: ChangeWords) => boolean {
  const bridge = useBridge();
  const toast = useToast();
  const why = (failure: Failure): string => visibleText(sentenceFor(failure).what);
  const takeBack = async ({ undo }: Changed): Promise<void> => {
    for (const step of undo) {
      const answer = await bridge.call('library.change', step);
      if (!answer.ok) return toast({ meaning: 'bad', text: text.notUndone(why(answer.failure)) });
    }
  };
  return (result, words) => {
    if (!result.ok) {
      toast({ meaning: 'bad', text: text.notDone(why(result.failure)) });
      return false;
    }
    const { changed, leftOut, undo } = result.value;
    const told = [changed === 0 ? words.nothing : words.done(changed), ...(leftOut === 0 ? [] : [text.leftOut(leftOut)])];
    const canUndo = changed > 0 && undo.length > 0;
    toast({ meaning: changed === 0 ? 'info' : 'ok', text: (changed === 0 && leftOut > 0 ? told.slice(1) : told).join('. '), ...(canUndo ? { action: { text: text.undo, act: () => void takeBack(result.value) } } : {}) });
    return true;
  };
}
