import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageBin } from './package-bin.ts';
import { root, unitReport } from './paths.ts';
import { runNode } from './run-command.ts';
import type { TestRun } from './tally.ts';
import { readUnitReport, skippedTests } from './unit-report.ts';

/** Runs vitest. `builtHost`: the folder whose programs and threads the tests start; null for those of the sources. */
export async function runUnitTests(builtHost: string | null): Promise<TestRun> {
  rmSync(unitReport, { force: true });
  const options = ['--config', join(root, 'build', 'vitest.config.ts'), '--reporter=default', '--reporter=json'];
  const env = builtHost === null ? process.env : { ...process.env, VITRINE_BUILT_HOST: builtHost };
  const { code } = await runNode(packageBin('vitest'), ['run', ...options], { env });
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
