import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fewerCases, long } from './long-tests.ts';
import { packageBin } from './package-bin.ts';
import { root, unitReport } from './paths.ts';
import { runNode } from './run-command.ts';
import type { TestRun } from './tally.ts';
import { readUnitReport, skippedTests } from './unit-report.ts';

/** Folders of what was built; null: it was not. */
interface UnitRun {
  /** Its programs and threads are those that the tests start, instead of those of the sources. */
  host: string | null;
  page: string | null;
  /** The long tests as well. */
  isWhole: boolean;
}

/** Runs vitest. A test that looks at what was built makes what is not there itself. */
export async function runUnitTests({ host, page, isWhole }: UnitRun): Promise<TestRun> {
  rmSync(unitReport, { force: true });
  const options = [
    '--config',
    join(root, 'build', 'vitest.config.ts'),
    '--reporter=default',
    '--reporter=json',
    ...(isWhole ? [] : [`--tags-filter=!${long}`]),
  ];
  const env = {
    ...process.env,
    ...(isWhole ? {} : { [fewerCases]: '1' }),
    ...(host === null ? {} : { VITRINE_BUILT_HOST: host }),
    ...(page === null ? {} : { VITRINE_BUILT_PAGE: page }),
  };
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
