import type { LateQuestion } from '../../state/app-dialogs.tsx';
import { text } from '../../state/strings.ts';
import { type AskedCase, CaseDialog } from './case-dialog.tsx';

/** For whom samples are to be written down, once it is known which. */
export const caseQuestion = (asked: AskedCase): LateQuestion => ({
  draw: (close) => <CaseDialog {...asked} onClose={close} />,
  words: text.caseRead(asked.count),
  verb: text.caseNow,
});
