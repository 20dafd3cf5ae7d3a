import { expect, test } from 'vitest';
import { failureExamples } from './failure-examples.fixture.ts';
import { failureKinds, readFailure } from './failure-kinds.ts';
import { sentenceFor } from './failure-sentences.ts';

test.each(['red', 'TLP:RED', 'tlp:Red'])('a TLP is shown in capitals, with its name once: %s', (tlp) => {
  expect(sentenceFor({ kind: 'third-party-refused', tlp, receiver: 'rules.example' })).toEqual({
    what: 'TLP:RED samples are not sent to rules.example',
    then: 'Nothing was sent to a third party.',
  });
});

test('a lost answer to a scan is not looked up in a record, as a scan leaves none', () => {
  const lost = { kind: 'may-have-arrived', service: 'rule-editor', address: 'https://rules.example/api.php' } as const;
  expect(sentenceFor({ ...lost, action: 'scanfile' }).then).toBe(
    'It is not sent again automatically. Scan it again to get a result.',
  );
  expect(sentenceFor({ ...lost, action: 'uploadfiles' }).then).toBe(
    '“uploadfiles” is not sent again automatically. Look up the sample to check.',
  );
});

test('a higher time limit is advised only where it helps, not against a service that is too slow', () => {
  const timedOut = {
    kind: 'timed-out',
    service: 'repository',
    address: 'https://repo.example/api.php',
    seconds: 60,
  } as const;
  expect(sentenceFor({ ...timedOut, phase: 'idle' }).then).toBe(
    'Waited 60 s for https://repo.example/api.php. Try again, or raise the time limit in the workspace.',
  );
  expect(sentenceFor({ ...timedOut, phase: 'stalled' }).then).toBe(
    'Waited 60 s for https://repo.example/api.php. Try again later; a longer time limit does not help.',
  );
});

test('a lab that has not stopped is called starting, and the stops of another are counted', () => {
  expect(sentenceFor({ kind: 'lab-down', restarts: 0 })).toEqual({
    what: 'The lab is still starting',
    then: 'Try again in a moment.',
  });
  expect(sentenceFor({ kind: 'lab-down', restarts: 1 })).toEqual({
    what: 'The lab is not running',
    then: 'It stopped once and is restarting. Try again in a moment.',
  });
});

test('the catalogue has an example of each kind', () => {
  expect(failureExamples.map(({ kind }) => kind)).toEqual(failureKinds);
});

test.each(failureExamples)('the failure $kind crosses a boundary unchanged', (failure) => {
  expect(readFailure(structuredClone(failure))).toEqual(failure);
});

test.each(failureExamples)('the failure $kind has a sentence for the event and one for its meaning', (failure) => {
  const { what, then } = sentenceFor(failure);
  expect(what).toMatch(/^[\p{Lu}\p{N}"“]/u);
  expect(what).not.toMatch(/[.!]$/);
  expect(`${what} ${then}`).not.toMatch(/undefined|\[object|please|oops|!/i);
  expect(then.length).toBeGreaterThan(3);
});

test.each([
  null,
  undefined,
  'unreachable',
  {},
  { kind: 'made-up' },
  { kind: '__proto__' },
  { kind: 'unreachable' },
  { kind: 'port-busy', port: '1' },
])('a failure outside the catalogue is refused: %j', (value) => expect(readFailure(value)).toBeNull());
