import type { ExportResult } from '../../../shared/domain/export.ts';
import { cutMiddle } from '../../components/format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useOfferedQuestion } from '../late-questions.tsx';
import type { ToldAction } from '../use-told-action.ts';
import { readyQuestion } from './ready-question.tsx';
import { text } from './text.ts';

export interface ZipWords {
  /** What the file is called in a sentence: its name may be longer than one has room for. */
  shownName(fileName: string): string;
  /** Says that it lies in a folder. */
  told(shownName: string, folder: string): string;
  lost(why: string): string;
}

const longestFolder = 48;

const folderOf = ({ path, fileName }: Extract<ExportResult, { kind: 'folder' }>): string =>
  cutMiddle(path.slice(0, -fileName.length - 1), longestFolder);

/** Where a ZIP lies is told; one for the browser stands in the dialog, and is offered to who has left that. */
export function useToldZip({ shownName, told, lost }: ZipWords, onClose: () => void): ToldAction<ExportResult> {
  const toast = useToast();
  const offer = useOfferedQuestion();
  return {
    tell: (result, isHere) => {
      if (result.kind === 'folder') toast({ meaning: 'ok', text: told(shownName(result.fileName), folderOf(result)) });
      else if (!isHere) offer(readyQuestion({ ready: result, words: text, shownName: shownName(result.fileName) }));
    },
    lost,
    onClose: ({ kind }) => {
      if (kind === 'folder') onClose();
    },
  };
}
