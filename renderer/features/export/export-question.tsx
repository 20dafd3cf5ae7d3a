import type { ExportSelection } from '../../../shared/domain/export.ts';
import type { LateQuestion } from '../../state/app-dialogs.tsx';
import { text } from '../../state/strings.ts';
import { ExportSelectionDialog } from './export-selection-dialog.tsx';

/** How samples are to be exported, once it is known which. */
export const exportQuestion = (selection: ExportSelection, count: number): LateQuestion => ({
  draw: (close) => <ExportSelectionDialog selection={selection} count={count} onClose={close} />,
  words: text.exportRead(count),
  verb: text.exportNow,
});
