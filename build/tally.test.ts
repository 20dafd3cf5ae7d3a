import { expect, test } from 'vitest';
import { readBrowserReport } from './run-browser-tests.ts';
import { readUnitReport, skippedTests } from './run-unit-tests.ts';
import { add, tallyLine } from './tally.ts';

test('the line names skipped tests only when there are some', () => {
  expect(tallyLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
  expect(tallyLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
});

test('tallies add up', () => {
  expect(add({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 })).toEqual({ passed: 11, failed: 22, skipped: 33 });
});

const unit = (counts: object, files: object[] = []): string =>
  JSON.stringify({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: files, ...counts });

test.each([
  ['counts as reported', 1, unit({ numPassedTests: 5, numFailedTests: 2, numPendingTests: 1 }), { passed: 5, failed: 2, skipped: 1 }],
  ['a file that did not load', 1, unit({}, [{ status: 'failed', assertionResults: [] }]), { passed: 0, failed: 1, skipped: 0 }],
  ['a failed test once, not also its file', 1, unit({ numFailedTests: 1 }, [{ status: 'failed', assertionResults: [{ status: 'failed', fullName: 'a test' }] }]), { passed: 0, failed: 1, skipped: 0 }],
  ['a bad end without a failed test', 1, unit({ numPassedTests: 5 }), { passed: 5, failed: 1, skipped: 0 }],
  ['no report', 0, '', { passed: 0, failed: 1, skipped: 0 }],
])('unit tests: %s', (_what, code, text, tally) => {
  expect(readUnitReport(code, text)).toEqual(tally);
});

test('a skipped test is told by its name', () => {
  const results = ['passed', 'skipped', 'failed', 'pending', 'todo'].map((status) => ({ status, fullName: `a ${status} test` }));
  expect(skippedTests(unit({}, [{ status: 'failed', assertionResults: results }]))).toEqual(['a skipped test', 'a pending test', 'a todo test']);
  expect(skippedTests('')).toEqual([]);
});

const browser = (stats: object): string => JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats } });

test.each([
  ['counts as reported', 1, browser({ expected: 5, unexpected: 2, skipped: 1 }), { passed: 5, failed: 2, skipped: 1 }],
  ['flaky is failed', 0, browser({ expected: 5, flaky: 1 }), { passed: 5, failed: 1, skipped: 0 }],
  ['a bad end without a failed test', 1, browser({ expected: 5 }), { passed: 5, failed: 1, skipped: 0 }],
  ['no report', 1, '', { passed: 0, failed: 1, skipped: 0 }],
])('browser tests: %s', (_what, code, text, tally) => {
  expect(readBrowserReport(code, text)).toEqual(tally);
});
