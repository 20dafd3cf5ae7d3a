import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import { featuresOff } from './browser-features.ts';

/**
 * `npm run e2e` names the browser in VITRINE_CHROMIUM and, where there is one, the Electron runtime in
 * VITRINE_ELECTRON, or there `stand-in` for its stand-in. The same specs run on both hosts; the desktop project exists
 * only where it can run, and that of the packed program only where VITRINE_PACKED and VITRINE_PACKED_INSPECTABLE name
 * one. Labs that tests start keep their data on the servers that VITRINE_TEAM_SERVERS names, where it does.
 */
const out = fileURLToPath(new URL('../.out/test/', import.meta.url));
const chromium = process.env.VITRINE_CHROMIUM;
const electron = process.env.VITRINE_ELECTRON;
const isRoot = process.getuid?.() === 0;

const projects: PlaywrightTestConfig['projects'] = [{ name: 'web', testDir: 'specs' }];
if (electron) projects.push({ name: 'desktop', testDir: 'specs' });
// Keys are typed into whatever window has the focus: there is one program at a time.
if (process.env.VITRINE_PACKED) projects.push({ name: 'packed', testDir: 'packed', workers: 1 });

export default defineConfig({
  outputDir: join(out, 'e2e'),
  // A loaded machine with two cores is the rule; what must be fast is measured by the bench, not here. A lab on the
  // servers of a team is five programs more, from their sources.
  timeout: process.env.VITRINE_TEAM_SERVERS === undefined ? 90_000 : 180_000,
  // A run in which much fails still ends; one that is merely slow, on a machine that others use, is not cut off.
  globalTimeout: 2_400_000,
  expect: { timeout: 20_000 },
  // As many as the processors: each has a browser, a host and a lab. A third one made all of them wait for each other.
  workers: 2,
  // Each test has a program of its own; a file with long ones would else keep one worker busy after all others are
  // done.
  fullyParallel: true,
  retries: 0,
  forbidOnly: true,
  reporter: [['list'], ['json']],
  use: {
    actionTimeout: 20_000,
    screenshot: 'only-on-failure',
    viewport: { width: 1280, height: 800 },
    // A browser with windows lets a page write there when its button is pressed; one without has no one to ask.
    permissions: ['clipboard-write'],
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      // The machine's own browser: no sandbox for root, no traffic of its own, and no compiler of what runs often:
      // nothing runs long enough here to be worth it.
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-component-update',
        '--no-first-run',
        '--js-flags=--no-opt,--no-maglev',
        `--disable-features=${featuresOff.join(',')}`,
      ],
    },
  },
  projects,
});
