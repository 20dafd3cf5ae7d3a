import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBrowserReport } from './browser-report.ts';
import { buildHost } from './build-host.ts';
import { ensureChromium } from './chromium.ts';
import { desktopForTests, readTestArguments, type TestDesktop } from './desktop-for-tests.ts';
import { packageBin } from './package-bin.ts';
import { hostOut, out, root } from './paths.ts';
import { runNode } from './run-command.ts';
import type { TestRun } from './tally.ts';
import { startTeamServers } from './team-servers.ts';

const report = join(out, 'test', 'e2e.json');

/**
 * Runs Playwright: the `web` project in a Chromium, the `desktop` project where an Electron runtime is, the `packed`
 * project on request. All programs are those of the host's build: a test starts two to four, and from the sources each
 * takes twice as long to load.
 */
export async function runBrowserTests(given: readonly string[] = [], { isWhole = true } = {}): Promise<TestRun> {
  const chromium = await ensureChromium();
  if (!chromium.found) return notRun(chromium.reason);
  if (!(await buildHost())) return notRun('the host did not build');
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const asked = readTestArguments(given);
  const desktop = await desktopForTests(asked);
  if (typeof desktop === 'string' && asked.isDesktopRequired) return notRun(desktop);
  const servers = asked.isTeamLab ? await startTeamServers() : null;
  if (typeof servers === 'string') return notRun(servers);
  const env = {
    ...process.env,
    ...servers?.env,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    VITRINE_CHROMIUM: chromium.path,
    VITRINE_BUILT_HOST: hostOut,
    ...(isWhole ? {} : { VITRINE_LEAVES_OUT_LONG: '1' }),
  };
  const args = ['test', '-c', join(root, 'e2e', 'playwright.config.ts'), ...asked.args];
  try {
    return await runOn(desktop, args, env);
  } finally {
    await servers?.end();
  }
}

async function runOn(desktop: TestDesktop | string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<TestRun> {
  if (typeof desktop !== 'string') return runOnDesktop(desktop, args, env);
  const { code } = await runNode(playwright(), args, { env });
  const run = readBrowserReport(code, readReport());
  process.stdout.write(`○ SKIPPED: the desktop project: ${desktop}.\n`);
  return { ...run, tally: { ...run.tally, skipped: run.tally.skipped + 1 } };
}

async function runOnDesktop(desktop: TestDesktop, args: readonly string[], env: NodeJS.ProcessEnv): Promise<TestRun> {
  try {
    const { code } = await desktop.runTests(playwright(), args, { ...env, ...desktop.env });
    return readBrowserReport(code, readReport());
  } finally {
    await desktop.end();
  }
}

const playwright = (): string => packageBin('@playwright/test', 'playwright');

function notRun(reason: string): TestRun {
  return {
    tally: { passed: 0, failed: 1, skipped: 0 },
    failures: [`the browser tests did not run: ${reason}`],
    leftOut: 0,
  };
}

function readReport(): string {
  try {
    return readFileSync(report, 'utf8');
  } catch {
    return '';
  }
}
