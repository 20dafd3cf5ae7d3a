import { z } from 'zod';
import { failureLine } from './failure-line.ts';
import { long } from './long-tests.ts';
import type { TestRun } from './tally.ts';

const count = z.number().int().nonnegative();
const errors = z.array(z.object({ message: z.string().optional() })).optional();
const spec = z.object({
  title: z.string(),
  file: z.string(),
  line: z.number(),
  tags: z.array(z.string()).default([]),
  tests: z.array(z.object({ status: z.string(), results: z.array(z.object({ errors })) })),
});
const suite = z.object({
  specs: z.array(spec).optional(),
  get suites() {
    return z.array(suite).optional();
  },
});
/** What is read of Playwright's JSON reporter. */
const reportFormat = z.object({
  stats: z.object({ expected: count, unexpected: count, flaky: count, skipped: count }),
  suites: z.array(suite).optional(),
  errors,
});

/**
 * `text`: empty where there is no report. A flaky test counts as failed: it did fail. So does a run that ends badly
 * without a reason.
 */
export function readBrowserReport(exitCode: number, text: string): TestRun {
  if (text === '')
    return { tally: { passed: 0, failed: 1, skipped: 0 }, failures: ['browser tests: there is no report'], leftOut: 0 };
  const {
    stats: { expected, unexpected, flaky, skipped },
    suites = [],
    errors: outside = [],
  } = reportFormat.parse(JSON.parse(text));
  const failed = unexpected + flaky;
  return {
    tally: { passed: expected, failed: failed === 0 && exitCode !== 0 ? 1 : failed, skipped },
    failures: [
      ...suites.flatMap(failuresIn),
      ...outside.map(({ message }) => failureLine('browser tests', 'an error outside of a test', message)),
    ],
    leftOut: suites.flatMap(skippedLongIn).length,
  };
}

function skippedLongIn({ specs = [], suites = [] }: z.infer<typeof suite>): z.infer<typeof spec>['tests'] {
  const own = specs
    .filter(({ tags }) => tags.includes(long))
    .flatMap(({ tests }) => tests)
    .filter(({ status }) => status === 'skipped');
  return [...own, ...suites.flatMap(skippedLongIn)];
}

function failuresIn({ specs = [], suites = [] }: z.infer<typeof suite>): string[] {
  const own = specs.flatMap(({ title, file, line, tests }) => {
    const [first] = tests.flatMap(({ results }) => results.flatMap((result) => result.errors ?? []));
    return first === undefined ? [] : [failureLine(`${file}:${line}`, title, first.message)];
  });
  return [...own, ...suites.flatMap(failuresIn)];
}
