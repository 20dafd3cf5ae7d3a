import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';
import { readUnitReport, skippedTests } from './unit-report.ts';

const file = (assertionResults: object[], rest: object = {}): object => ({
  name: join(root, 'shared', 'a.test.ts'),
  status: 'failed',
  assertionResults,
  ...rest,
});
const unit = (counts: object, files: object[] = []): string =>
  JSON.stringify({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: files,
    ...counts,
  });

test.each([
  [
    'counts as reported',
    1,
    unit({ numPassedTests: 5, numFailedTests: 2, numPendingTests: 1 }),
    { passed: 5, failed: 2, skipped: 1 },
  ],
  ['a file that did not load', 1, unit({}, [file([])]), { passed: 0, failed: 1, skipped: 0 }],
  [
    'a failed test once, not also its file',
    1,
    unit({ numFailedTests: 1 }, [file([{ status: 'failed', fullName: 'a test' }])]),
    { passed: 0, failed: 1, skipped: 0 },
  ],
  ['a bad end without a failed test', 1, unit({ numPassedTests: 5 }), { passed: 5, failed: 1, skipped: 0 }],
  ['no report', 0, '', { passed: 0, failed: 1, skipped: 0 }],
])('unit test report: %s', (_what, code, text, tally) => {
  expect(readUnitReport(code, text).tally).toEqual(tally);
});

test('the unit test report names a skipped test', () => {
  const results = ['passed', 'skipped', 'failed', 'pending', 'todo'].map((status) => ({
    status,
    fullName: `a ${status} test`,
  }));
  expect(skippedTests(unit({}, [file(results)]))).toEqual(['a skipped test', 'a pending test', 'a todo test']);
  expect(skippedTests('')).toEqual([]);
});

test('the unit test report shows a failed test with its file and the first line of its error', () => {
  const results = [
    { status: 'passed', fullName: 'holds' },
    {
      status: 'failed',
      fullName: 'breaks',
      failureMessages: ['\u001b[31mError: expected 1\u001b[39m\n    at somewhere'],
    },
  ];
  expect(readUnitReport(1, unit({ numFailedTests: 1 }, [file(results)])).failures).toEqual([
    'shared/a.test.ts › breaks: Error: expected 1',
  ]);
});

test('the unit test report lists a file that did not load once, and a passed file never', () => {
  const files = [file([], { message: 'Cannot find module' }), file([], { status: 'passed' })];
  expect(readUnitReport(1, unit({}, files)).failures).toEqual(['shared/a.test.ts › did not load: Cannot find module']);
});

test('the unit test report lists an error outside of every test and a missing report', () => {
  expect(readUnitReport(1, unit({ numPassedTests: 5 })).failures).toEqual([
    'unit tests › an error outside of a test: look for "Unhandled" above',
  ]);
  expect(readUnitReport(1, '').failures).toEqual(['unit tests: there is no report']);
  expect(readUnitReport(0, unit({ numPassedTests: 5 })).failures).toEqual([]);
});

test('the unit test report counts a skipped long test without its name', () => {
  const results = [
    ['skipped', 'long'],
    ['skipped', 'other'],
    ['passed', 'long'],
  ].map(([status, tag]) => ({ status, fullName: `${status} ${tag}`, tags: [tag] }));
  const text = unit({ numPassedTests: 1, numPendingTests: 2 }, [file(results, { status: 'passed' })]);
  expect(skippedTests(text)).toEqual(['skipped other']);
  expect(readUnitReport(0, text)).toMatchObject({ tally: { skipped: 2 }, leftOut: 1 });
});
