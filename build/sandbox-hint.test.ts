import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sandboxFacts, sandboxHint, sandboxObstacle } from './sandbox-hint.ts';

const electron = '/runtime/electron';

test('the sandbox hint is empty when the program may create namespaces or root owns the helper', () => {
  expect(sandboxHint(electron, { mayMakeNamespaces: true, isForbiddenByKernel: false, hasHelper: false })).toBeNull();
  expect(sandboxHint(electron, { mayMakeNamespaces: false, isForbiddenByKernel: true, hasHelper: true })).toBeNull();
});

test('the sandbox hint explains the helper’s set-up, and what runs without it, when neither is possible', () => {
  const hint = sandboxHint(electron, { mayMakeNamespaces: false, isForbiddenByKernel: false, hasHelper: false });
  expect(hint).toContain(`sudo chmod 4755 '/runtime/chrome-sandbox'`);
  expect(hint).toContain('npm run start:web');
});

test('a missing helper, or one as npm unpacks it, does not count as owned by root', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-runtime-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(sandboxFacts(join(folder, 'electron')).hasHelper).toBe(false);
  writeFileSync(join(folder, 'chrome-sandbox'), '', { mode: 0o755 });
  expect(sandboxFacts(join(folder, 'electron')).hasHelper).toBe(false);
});

test.each([
  [
    'forbids namespaces and the helper is not set up',
    { mayMakeNamespaces: false, isForbiddenByKernel: true, hasHelper: false },
    'does not let programs create user namespaces',
  ],
  [
    'forbids namespaces and the helper is set up',
    { mayMakeNamespaces: false, isForbiddenByKernel: true, hasHelper: true },
    null,
  ],
  ['leaves it to a profile', { mayMakeNamespaces: false, isForbiddenByKernel: false, hasHelper: false }, null],
])('the sandbox is an obstacle only when the kernel %s', (_when, facts, states) => {
  expect(sandboxObstacle(facts)).toEqual(states === null ? null : expect.stringContaining(states));
});
