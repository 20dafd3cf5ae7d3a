import { expect, test } from 'vitest';
import { readBrowserReport } from './browser-report.ts';

const browser = (stats: object, rest: object = {}): string =>
  JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats }, ...rest });

test.each([
  ['counts as reported', 1, browser({ expected: 5, unexpected: 2, skipped: 1 }), { passed: 5, failed: 2, skipped: 1 }],
  ['flaky is failed', 0, browser({ expected: 5, flaky: 1 }), { passed: 5, failed: 1, skipped: 0 }],
  ['a bad end without a failed test', 1, browser({ expected: 5 }), { passed: 5, failed: 1, skipped: 0 }],
  ['no report', 1, '', { passed: 0, failed: 1, skipped: 0 }],
])('browser test report: %s', (_what, code, text, tally) => {
  expect(readBrowserReport(code, text).tally).toEqual(tally);
});

test('a failed browser test is listed with its line, in nested suites and even if a retry passed', () => {
  const spec = (title: string, errors: object[]): object => ({
    title,
    file: 'a.spec.ts',
    line: 7,
    tests: [{ status: 'flaky', results: [{ errors }, { errors: [] }] }],
  });
  const suites = [{ suites: [{ specs: [spec('flaky', [{ message: 'Error: not seen' }]), spec('sound', [])] }] }];
  expect(
    readBrowserReport(1, browser({ expected: 1, flaky: 1 }, { suites, errors: [{ message: 'the time was up' }] }))
      .failures,
  ).toEqual(['a.spec.ts:7 › flaky: Error: not seen', 'browser tests › an error outside of a test: the time was up']);
});

test('a missing browser test report counts as a failure', () => {
  expect(readBrowserReport(1, '').failures).toEqual(['browser tests: there is no report']);
});

test('the browser test report counts skipped long tests separately', () => {
  const spec = (status: string, tags: string[]): object => ({
    title: 'a test',
    file: 'a.spec.ts',
    line: 7,
    tags,
    tests: [{ status, results: [{ errors: [] }] }],
  });
  const suites = [
    {
      specs: [spec('skipped', ['long']), spec('skipped', [])],
      suites: [{ specs: [spec('expected', ['long']), spec('skipped', ['long', 'slow'])] }],
    },
  ];
  expect(readBrowserReport(0, browser({ expected: 1, skipped: 3 }, { suites }))).toEqual({
    tally: { passed: 1, failed: 0, skipped: 3 },
    failures: [],
    leftOut: 2,
  });
});
