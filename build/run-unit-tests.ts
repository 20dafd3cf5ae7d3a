import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { packageBin } from './package-bin.ts';
import { out, root } from './paths.ts';
import { runNode } from './run-command.ts';
import type { Tally } from './tally.ts';

const report = join(out, 'test', 'unit.json');
const count = z.number().int().nonnegative();
const unitReport = z.object({
  numPassedTests: count,
  numFailedTests: count,
  numPendingTests: count,
  numTodoTests: count,
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

/** Runs vitest; `args` are files or its own options. */
export async function runUnitTests(args: readonly string[] = []): Promise<Tally> {
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const options = ['--config', join(root, 'build', 'vitest.config.ts'), '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await runNode(packageBin('vitest'), ['run', ...options, ...args]);
  return readUnitReport(code, readReport());
}

function readReport(): string {
  try {
    return readFileSync(report, 'utf8');
  } catch {
    return '';
  }
}

/** A file that did not load holds no failed test, and yet failed; so did a run that ends badly without a reason. */
export function readUnitReport(exitCode: number, text: string): Tally {
  if (text === '') return { passed: 0, failed: 1, skipped: 0 };
  const { testResults, ...counts } = unitReport.parse(JSON.parse(text));
  const broken = testResults.filter((file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'));
  const failed = counts.numFailedTests + broken.length;
  return {
    passed: counts.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: counts.numPendingTests + counts.numTodoTests,
  };
}
