import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findChromium } from './chromium.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'vitrine-chromium-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function plant(name: string, mode = 0o755): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, mode);
  return path;
}

test('the browser search prefers a configured browser over the system’s', () => {
  const named = plant('named');
  plant('bin/chromium');
  expect(findChromium({ VITRINE_CHROMIUM: named, PATH: join(folder, 'bin') }, '/nowhere')).toEqual({
    found: true,
    path: named,
  });
});

test('the browser search reports a configured browser that cannot run', () => {
  plant('bin/chromium');
  const found = findChromium({ VITRINE_CHROMIUM: '/nowhere/chromium', PATH: join(folder, 'bin') }, '/nowhere');
  expect(found).toEqual({ found: false, reason: expect.stringContaining('/nowhere/chromium') });
});

test('the browser search prefers the system’s browser over Playwright’s own', () => {
  const own = plant('own');
  const system = plant('bin/google-chrome');
  expect(findChromium({ PATH: `/nowhere:${join(folder, 'bin')}` }, own)).toEqual({ found: true, path: system });
  expect(findChromium({ PATH: '/nowhere' }, own)).toEqual({ found: true, path: own });
});

test('the browser search prefers a headless browser over one with windows, wherever they are', () => {
  plant('first/chromium');
  const shell = plant('second/chromium-headless-shell');
  expect(findChromium({ PATH: `${join(folder, 'first')}:${join(folder, 'second')}` }, '/nowhere')).toEqual({
    found: true,
    path: shell,
  });
});

test('the browser search ignores a file that is not executable', () => {
  plant('bin/chromium', 0o644);
  expect(findChromium({ PATH: join(folder, 'bin') }, '/nowhere').found).toBe(false);
});

test('the browser search reports that no browser was found', () => {
  expect(findChromium({}, '/nowhere')).toEqual({ found: false, reason: 'There is no Chromium on this machine.' });
});
