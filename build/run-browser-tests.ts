import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBrowserReport } from './browser-report.ts';
import { buildHost } from './build-host.ts';
import { ensureChromium } from './chromium.ts';
import { asksForDesktop, desktopRuntime } from './desktop-runtime.ts';
import type { ElectronFetch } from './electron-runtime.ts';
import { packageBin } from './package-bin.ts';
import { hostOut, out, root } from './paths.ts';
import { runNode } from './run-command.ts';
import type { TestRun } from './tally.ts';

/** The desktop's own entry and preload with a stand-in for Electron: where there is none, that is the most that can be seen. */
const standIn = '--stand-in';
const standInRuntime: ElectronFetch = { ok: true, path: 'stand-in' };
const report = join(out, 'test', 'e2e.json');

/**
 * Runs Playwright: the `web` project in a Chromium, the `desktop` project where an Electron runtime is. All programs are
 * those of the host's build: a test starts two to four, and from the sources each takes twice as long to load.
 */
export async function runBrowserTests(args: readonly string[] = [], { isWhole = true } = {}): Promise<TestRun> {
  const chromium = await ensureChromium();
  if (!chromium.found) return notRun(chromium.reason);
  if (!(await buildHost())) return notRun('the host did not build');
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const isAsked = asksForDesktop(args);
  const isStandIn = args.includes(standIn);
  const desktop = isStandIn ? standInRuntime : await desktopRuntime({ isFetched: isAsked });
  if (isAsked && !desktop.ok) return notRun(desktop.reason);
  const env = {
    ...process.env,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    VITRINE_CHROMIUM: chromium.path,
    VITRINE_BUILT_HOST: hostOut,
    ...(isWhole ? {} : { VITRINE_LEAVES_OUT_LONG: '1' }),
    ...(desktop.ok ? { VITRINE_ELECTRON: desktop.path } : {}),
  };
  const { code } = await runNode(packageBin('@playwright/test', 'playwright'), ['test', '-c', join(root, 'e2e', 'playwright.config.ts'), ...(isStandIn ? desktopAlone(args) : args)], { env });
  const run = readBrowserReport(code, readReport());
  if (desktop.ok) return run;
  process.stdout.write(`○ SKIPPED: the desktop project: ${desktop.reason}.\n`);
  return { ...run, tally: { ...run.tally, skipped: run.tally.skipped + 1 } };
}

const desktopAlone = (args: readonly string[]): string[] => ['--project=desktop', ...args.filter((arg) => arg !== standIn)];

function notRun(reason: string): TestRun {
  return { tally: { passed: 0, failed: 1, skipped: 0 }, failures: [`the browser tests did not run: ${reason}`], leftOut: 0 };
}

function readReport(): string {
  try {
    return readFileSync(report, 'utf8');
  } catch {
    return '';
  }
}
