import type { LateQuestion } from '../late-questions.tsx';
import { text } from '../text.ts';
import { type AskedCase, CaseDialog } from './case-dialog.tsx';

/** For whom samples are to be written down, once it is known which. */
export const caseQuestion = (asked: AskedCase): LateQuestion => ({
  draw: (close) => <CaseDialog {...asked} onClose={close} />,
  words: text.caseRead(asked.count),
  verb: text.caseNow,
});
