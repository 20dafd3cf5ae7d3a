import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { runCommand } from './run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-beside-'));
afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true }));

/** Prints, says in a file that it did, and prints again when another file is there. */
const talker = `
  const { existsSync, writeFileSync } = require('node:fs');
  process.stdout.write('before ', () => writeFileSync('said', ''));
  const timer = setInterval(() => existsSync('go on') && (clearInterval(timer), process.stderr.write('after')), 10);
`;

test('what runs beside another is shown when that has ended: what it said so far, and the rest as it comes', async () => {
  const shown: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => shown.push(String(text)) > 0);
  const turn = Promise.withResolvers<void>();
  const running = runCommand(process.execPath, ['-e', talker], { cwd: folder, shownAfter: turn.promise });
  await expect.poll(() => existsSync(join(folder, 'said'))).toBe(true);
  expect(shown).toEqual([]);
  turn.resolve();
  await expect.poll(() => shown.join('')).toBe('before ');
  writeFileSync(join(folder, 'go on'), '');
  expect(await running).toEqual({ code: 0, output: 'before after' });
  expect(shown.join('')).toBe('before after');
});
