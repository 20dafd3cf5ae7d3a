import type { ExportResult } from '../../../shared/domain/export.ts';
import { useOfferedQuestion } from '../../state/app-dialogs.tsx';
import type { ToldAction } from '../../state/reported-action.ts';
import type { ReadyWords } from './ready-download.tsx';
import { readyQuestion } from './ready-question.tsx';

interface ToldReady {
  words: ReadyWords;
  lost(why: string): string;
}

/** What is ready for the browser stands in the dialog; to who has left that it is offered where one is by then. */
export function useToldReady<Ready extends ExportResult>({ words, lost }: ToldReady): ToldAction<Ready> {
  const offer = useOfferedQuestion();
  const tell = (ready: Ready, isHere: boolean): void => {
    if (!isHere && ready.kind === 'browser') offer(readyQuestion({ ready, words }));
  };
  return { tell, lost };
}
