import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageBin } from './package-bin.ts';
import { root, unitReport } from './paths.ts';
import { runNode } from './run-command.ts';
import type { Tally } from './tally.ts';

const count = z.number().int().nonnegative();
const reportFormat = z.object({
  numPassedTests: count,
  numFailedTests: count,
  numPendingTests: count,
  numTodoTests: count,
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })) })),
});

/** Runs vitest; `args` are files or its own options. */
export async function runUnitTests(args: readonly string[] = []): Promise<Tally> {
  rmSync(unitReport, { force: true });
  const options = ['--config', join(root, 'build', 'vitest.config.ts'), '--reporter=default', '--reporter=json'];
  const { code } = await runNode(packageBin('vitest'), ['run', ...options, ...args]);
  const text = readReport();
  for (const name of skippedTests(text)) process.stdout.write(`○ SKIPPED: ${name}\n`);
  return readUnitReport(code, text);
}

function readReport(): string {
  try {
    return readFileSync(unitReport, 'utf8');
  } catch {
    return '';
  }
}

/** By name, which says what they need. Nothing is said of a report that is not there: that is a failure of its own. */
export function skippedTests(text: string): string[] {
  if (text === '') return [];
  const tests = reportFormat.parse(JSON.parse(text)).testResults.flatMap((file) => file.assertionResults);
  return tests.filter(({ status }) => status !== 'passed' && status !== 'failed').map(({ fullName }) => fullName);
}

/** A file that did not load holds no failed test, and yet failed; so did a run that ends badly without a reason. */
export function readUnitReport(exitCode: number, text: string): Tally {
  if (text === '') return { passed: 0, failed: 1, skipped: 0 };
  const { testResults, ...counts } = reportFormat.parse(JSON.parse(text));
  const broken = testResults.filter((file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'));
  const failed = counts.numFailedTests + broken.length;
  return {
    passed: counts.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: counts.numPendingTests + counts.numTodoTests,
  };
}
