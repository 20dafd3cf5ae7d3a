import { assertNever } from './assert-never.ts';
import type { Failure } from './failure.ts';
import type { FailureSentence } from './failure-sentences.ts';

type ChangedKind = 'workspace-changed' | 'mute-changed' | 'selection-changed' | 'ticks-changed';
type ChangedFailure = Extract<Failure, { kind: ChangedKind }>;

const say = (what: string, then: string): FailureSentence => ({ what, then });
const many = (count: number): string => count.toLocaleString('en');

/** What a person reads where something was to be done to what is another by now, and was not. */
export function changedSentence(failure: ChangedFailure): FailureSentence {
  switch (failure.kind) {
    case 'workspace-changed':
      return say(
        'This workspace was changed elsewhere meanwhile',
        'Nothing was saved. Look at what is stored now, then save again.',
      );
    case 'mute-changed':
      return say('The mute has changed since', 'It stays as it is now.');
    case 'selection-changed':
      return say(
        failure.found === failure.expected
          ? 'Other samples fit now, though as many'
          : `${many(failure.found)} samples fit now, not ${many(failure.expected)}`,
        'The library changed meanwhile. Nothing was forgotten.',
      );
    case 'ticks-changed':
      return say(
        'Other files are ticked now than you were asked about',
        'None was removed. Look at what is ticked, then remove it.',
      );
    default:
      return assertNever(failure);
  }
}
