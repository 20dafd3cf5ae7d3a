import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium as playwrightChromium } from '@playwright/test';
import { packageBin } from './package-bin.ts';
import { runCommand, runNode } from './run-command.ts';

export type Chromium = { found: true; path: string } | { found: false; reason: string };

/** The same engine without what draws a window: a test takes a fifth less of the processor in it. */
const headlessShells = ['chromium-headless-shell', 'chrome-headless-shell'];
const browsers = ['chromium', 'chromium-browser', 'google-chrome'];
const packages = ['chromium-headless-shell', 'chromium'];

/**
 * A Chromium for the browser tests: the one named in VITRINE_CHROMIUM, one of the system's, those without windows
 * first, or Playwright's own.
 */
export function findChromium(
  env: NodeJS.ProcessEnv = process.env,
  own: string = playwrightChromium.executablePath(),
): Chromium {
  const named = env.VITRINE_CHROMIUM;
  if (named !== undefined && named !== '') {
    return isExecutable(named)
      ? { found: true, path: named }
      : { found: false, reason: `VITRINE_CHROMIUM names ${named}, which cannot be run.` };
  }
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const inFolders = (commands: readonly string[]): string[] =>
    folders.flatMap((folder) => commands.map((command) => join(folder, command)));
  const path = [...inFolders(headlessShells), ...inFolders(browsers), own].find(isExecutable);
  return path === undefined ? { found: false, reason: 'There is no Chromium on this machine.' } : { found: true, path };
}

/** Finds one, or installs one: with apt-get for root on a Debian, else with Playwright. */
export async function ensureChromium(): Promise<Chromium> {
  const first = findChromium();
  if (first.found || process.env.VITRINE_CHROMIUM) return first;
  const way = isDebianRoot() ? `apt-get install ${packages.join(' or ')}` : 'playwright install chromium';
  process.stdout.write(`There is no Chromium on this machine; trying "${way}".\n`);
  const code = isDebianRoot() ? await installWithApt() : await installWithPlaywright();
  const second = findChromium();
  if (second.found) return second;
  return {
    found: false,
    reason:
      `no Chromium found, and "${way}" failed (exit code ${code}). Install one and set VITRINE_CHROMIUM to its ` +
      'path.',
  };
}

function isDebianRoot(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');
}

/** The first of the packages that this Debian has; resolves with the exit code of the last that was tried. */
async function installWithApt(): Promise<number> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update', '-qq'], { env });
  let code = 1;
  for (const name of packages) {
    ({ code } = await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env }));
    if (code === 0) break;
  }
  return code;
}

async function installWithPlaywright(): Promise<number> {
  const { code } = await runNode(packageBin('@playwright/test', 'playwright'), ['install', 'chromium']);
  return code;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
