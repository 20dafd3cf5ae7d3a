import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ensureChromium } from './chromium.ts';
import { findElectron } from './electron-runtime.ts';
import { packageBin } from './package-bin.ts';
import { out, root } from './paths.ts';
import { runNode } from './run-command.ts';
import type { Tally } from './tally.ts';

const report = join(out, 'test', 'e2e.json');
const count = z.number().int().nonnegative();
const browserReport = z.object({ stats: z.object({ expected: count, unexpected: count, flaky: count, skipped: count }) });

/** Runs Playwright: the `web` project in a Chromium, the `desktop` project where an Electron runtime is. */
export async function runBrowserTests(args: readonly string[] = []): Promise<Tally> {
  const chromium = await ensureChromium();
  if (!chromium.found) {
    process.stderr.write(`✗ the browser tests did not run: ${chromium.reason}\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const electron = findElectron();
  const env = {
    ...process.env,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    VITRINE_CHROMIUM: chromium.path,
    ...(electron === null ? {} : { VITRINE_ELECTRON: electron }),
  };
  const { code } = await runNode(packageBin('@playwright/test', 'playwright'), ['test', '-c', join(root, 'e2e', 'playwright.config.ts'), ...args], { env });
  const tally = readBrowserReport(code, readReport());
  if (electron !== null) return tally;
  process.stdout.write('○ SKIPPED: the desktop project. There is no Electron runtime on this machine ("npx install-electron" fetches it).\n');
  return { ...tally, skipped: tally.skipped + 1 };
}

function readReport(): string {
  try {
    return readFileSync(report, 'utf8');
  } catch {
    return '';
  }
}

/** A flaky test counts as failed: it did fail. */
export function readBrowserReport(exitCode: number, text: string): Tally {
  if (text === '') return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = browserReport.parse(JSON.parse(text)).stats;
  const failed = unexpected + flaky;
  return { passed: expected, failed: failed === 0 && exitCode !== 0 ? 1 : failed, skipped };
}
