import { relative } from 'node:path';
import { z } from 'zod';
import { failureLine } from './failure-line.ts';
import { long } from './long-tests.ts';
import { root } from './paths.ts';
import type { TestRun } from './tally.ts';

const count = z.number().int().nonnegative();
/** What is read of vitest's JSON reporter. */
const reportFormat = z.object({
  numPassedTests: count,
  numFailedTests: count,
  numPendingTests: count,
  numTodoTests: count,
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          tags: z.array(z.string()).default([]),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** `text`: empty where there is no report. A run that ends badly without a reason failed, too. */
export function readUnitReport(exitCode: number, text: string): TestRun {
  if (text === '')
    return { tally: { passed: 0, failed: 1, skipped: 0 }, failures: ['unit tests: there is no report'], leftOut: 0 };
  const report = reportFormat.parse(JSON.parse(text));
  const failures = report.testResults.flatMap(failuresOf);
  const failed = report.numFailedTests + report.testResults.filter(isBroken).length;
  if (failed === 0 && exitCode !== 0)
    failures.push('unit tests › an error outside of a test: look for "Unhandled" above');
  return {
    tally: {
      passed: report.numPassedTests,
      failed: failed === 0 && exitCode !== 0 ? 1 : failed,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    failures,
    leftOut: skippedIn(report).filter(({ tags }) => tags.includes(long)).length,
  };
}

type TestFile = z.infer<typeof reportFormat>['testResults'][number];

/** A file that did not load holds no failed test, and yet failed. */
const isBroken = ({ status, assertionResults }: TestFile): boolean =>
  status === 'failed' && !assertionResults.some((test) => test.status === 'failed');

function failuresOf(file: TestFile): string[] {
  const place = relative(root, file.name);
  if (isBroken(file)) return [failureLine(place, 'did not load', file.message)];
  const failed = file.assertionResults.filter(({ status }) => status === 'failed');
  return failed.map(({ fullName, failureMessages }) => failureLine(place, fullName, failureMessages?.[0]));
}

/**
 * By name, which states what they need; long ones are counted instead. A missing report gives nothing: that is a
 * failure of its own.
 */
export function skippedTests(text: string): string[] {
  if (text === '') return [];
  return skippedIn(reportFormat.parse(JSON.parse(text)))
    .filter(({ tags }) => !tags.includes(long))
    .map(({ fullName }) => fullName);
}

const skippedIn = ({ testResults }: z.infer<typeof reportFormat>): TestFile['assertionResults'] =>
  testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'failed');
