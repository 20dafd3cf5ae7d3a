import { assertNever } from './assert-never.ts';
import type { Failure } from './failure.ts';
import type { FailureSentence } from './failure-sentences.ts';

type EndedKind =
  | 'scan-memory'
  | 'scan-rule-left-out'
  | 'scan-engine-failed'
  | 'native-engine-missing'
  | 'native-engine-refused'
  | 'worker-ended'
  | 'lab-down'
  | 'lab-failed';
type EndedFailure = Extract<Failure, { kind: EndedKind }>;

const say = (what: string, then: string): FailureSentence => ({ what, then });
const leftOutBecause = {
  endless: 'It kept the engine from ending in time.',
  deadly: 'It ended the engine.',
  memory: 'It took more memory than an engine may have.',
} as const;
const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** What a person reads when a process or a thread of Vitrine ended, or could not start. */
export function endedSentence(failure: EndedFailure): FailureSentence {
  switch (failure.kind) {
    case 'scan-memory':
      return say(
        `The scan of ${failure.name} took too much memory`,
        `The engine was stopped at ${failure.mebibytes.toLocaleString('en')} MiB. The limit is in Settings, under Scans.`,
      );
    case 'scan-rule-left-out':
      return say(
        `The rule ${failure.rule} was left out`,
        `${leftOutBecause[failure.reason]} The scan went on without it; its hits are not known.`,
      );
    case 'scan-engine-failed':
      return say('The scan engine failed', `${failure.engine}: ${failure.text}`);
    case 'native-engine-missing': {
      const why = failure.text === '' ? '' : `${failure.text}. `;
      return say(
        'The native engine does not run on this machine',
        `${why}Choose the portable engine in Settings, under Scans.`,
      );
    }
    case 'native-engine-refused':
      return say(
        'The native engine does not take this package',
        `${failure.text}. The portable engine was used instead.`,
      );
    case 'worker-ended':
      return say(
        `A part of Vitrine stopped while it was ${failure.task}`,
        `Nothing half-written was kept; try again (${failure.code}).`,
      );
    case 'lab-down':
      if (failure.restarts === 0) return say('The lab is still starting', 'Try again in a moment.');
      return say(
        'The lab is not running',
        `It stopped ${times(failure.restarts)} and is being started again. Try again in a moment.`,
      );
    case 'lab-failed': {
      const why = failure.text === '' ? '' : `: “${failure.text}”`;
      return say(
        'The lab failed to start',
        `It ended ${times(failure.attempts)} in a row (${failure.end})${why}. Start it again, or see ${failure.log}.`,
      );
    }
    default:
      return assertNever(failure);
  }
}
