import type { BrokenCause, ReviewItem } from '../../../../shared/domain/rule-review.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { text } from './text.ts';

const longestSubject = 160;
const longestFile = 40;

/** Why these rules are broken, on one line. */
export function causeWords({ kind, subject }: BrokenCause): string {
  const shown = cutMiddle(subject, longestSubject);
  switch (kind) {
    case 'module':
      return text.needsModule(shown);
    case 'rule':
      return text.needsRule(shown);
    case 'strict':
      return text.refusedStrictly;
    case 'engine':
      return shown;
    default:
      return text.causes[kind];
  }
}

/** Where they are, and what would take them. */
export function causeAside({ cause, files, file }: Extract<ReviewItem, { kind: 'cause' }>): string {
  const place = files === 1 ? visibleText(cutMiddle(file, longestFile)) : text.inFiles(files);
  if (cause.kind === 'strict') return text.relaxedTakes;
  return cause.isTakenByYara ? text.yaraTakes : place;
}
