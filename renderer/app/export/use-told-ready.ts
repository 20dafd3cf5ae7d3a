import type { ReactNode } from 'react';
import type { ExportResult } from '../../../shared/domain/export.ts';
import { useOfferedQuestion } from '../late-questions.tsx';
import type { ToldAction } from '../use-told-action.ts';
import type { ReadyWords } from './ready-download.tsx';
import { readyQuestion } from './ready-question.tsx';

export interface ToldReady<Ready> {
  words: ReadyWords;
  lost(why: string): string;
  /** What is to be known of it before it is saved. */
  notes?(ready: Ready): ReactNode;
}

/** What is ready for the browser stands in the dialog; to who has left that it is offered where one is by then. */
export function useToldReady<Ready extends ExportResult>({ words, lost, notes }: ToldReady<Ready>): ToldAction<Ready> {
  const offer = useOfferedQuestion();
  const tell = (ready: Ready, isHere: boolean): void => {
    if (!isHere && ready.kind === 'browser') offer(readyQuestion({ ready, words, children: notes?.(ready) }));
  };
  return { tell, lost };
}
