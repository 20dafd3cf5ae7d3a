import { globSync, readFileSync } from 'node:fs';
import { transformWithOxc } from 'vite';
import { expect, test } from 'vitest';
import { startedFrom } from './built-host-plugin.ts';
import { root } from './paths.ts';

const source = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');
const started = (path: string): string => startedFrom('/built', path, source(path)) ?? expect.fail('it is as it was');

test('the plugin starts the built thread, platform program and test program', () => {
  expect(started('electron/storage/reading/reading-thread.ts')).toContain(
    'beside: "file:///built/electron/storage/reading/reading-thread.js"',
  );
  expect(started('electron/platform/node-platform.ts')).toContain(
    'extname("file:///built/electron/platform/node-platform.js")',
  );
  expect(started('electron/lab/running-lab.fixture.ts')).toContain(
    `new URL('../lab.js', "file:///built/electron/lab/running-lab.fixture.js")`,
  );
});

test('the plugin starts the built program for a source that Vite has transformed', async () => {
  const path = 'electron/lab/running-lab.fixture.ts';
  const { code } = await transformWithOxc(source(path), path);
  expect(startedFrom('/built', path, code)).toContain(
    `new URL('../lab.js', "file:///built/electron/lab/running-lab.fixture.js")`,
  );
});

test('the plugin leaves a thread of a test and a file outside the host unchanged', () => {
  const brings = 'electron/archive/export/export-thread-pool.test.ts';
  expect([started(brings), startedFrom('/built', 'e2e/program.ts', 'import.meta.url')]).toEqual([source(brings), null]);
});

test('every thread that a host module starts is in the build', () => {
  const modules = globSync('electron/**/*.ts', { cwd: root }).filter(
    (path) => !/\.(test|fixture)\.ts$/.test(path) && source(path).includes('beside: import.meta.url'),
  );
  const entries = modules.flatMap((path) => [...source(path).matchAll(/entry: '(.+?)'/g)].map(([, entry]) => entry));
  expect(entries).toContain('./reading-worker');
  expect(entries.filter((entry) => !entry?.endsWith('-worker'))).toEqual([]);
});
