import { expect, test } from 'vitest';
import { endedSentence } from './failure-sentences-ended.ts';

test('a lab that has not stopped is called starting, and one that has is counted', () => {
  expect(endedSentence({ kind: 'lab-down', restarts: 0 })).toEqual({
    what: 'The lab is still starting',
    then: 'Try again in a moment.',
  });
  expect(endedSentence({ kind: 'lab-down', restarts: 1 })).toEqual({
    what: 'The lab is not running',
    then: 'It stopped once and is being started again. Try again in a moment.',
  });
});
