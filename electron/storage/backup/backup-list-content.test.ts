import { sep } from 'node:path';
import { expect, it, onTestFinished, test, vi } from 'vitest';
import { isOfBackup } from './backup-list.ts';

const pathOf = (text: string): string => text.split('/').join(sep);

it.each([
  'vitrine.db',
  'lab/lab.db',
  'vault/aa/x',
  'a/logs',
  'a/lab/lab.lock',
  'staging/a/b/c.part',
  `${'d/'.repeat(50)}page`,
])('a backup can contain %s', (path) => expect(isOfBackup(pathOf(path))).toBe(true));

it.each([
  'vitrine.db-wal',
  'lock.db',
  'LAB/lab.LOCK',
  'logs',
  'logs/x',
  'vault/incoming',
  'Vault/Incoming/a/b/c/d',
  'lab/vault/incoming/x',
  'x.part',
  'a/b/c/d/e.part/f',
  'a/b/c/d/E.unfinished',
  'staging/a/b/c.unfinished',
  'staging.part/x',
])('a backup cannot contain %s', (path) => expect(isOfBackup(pathOf(path))).toBe(false));

test('a path with very many parts is checked with few characters joined for each part', () => {
  const path = pathOf(`${'t/'.repeat(4_000)}x`);
  const join = vi.spyOn(Array.prototype, 'join');
  onTestFinished(() => join.mockRestore());
  expect(isOfBackup(path)).toBe(true);
  const joined = join.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
  expect(joined).toBeLessThan(2 * path.length);
});
