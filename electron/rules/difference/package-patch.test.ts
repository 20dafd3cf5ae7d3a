import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageOf, ruleText, type Texts } from '../library/package.fixture.ts';
import { filePatch, packagePatch } from './package-patch.ts';

/** The files after git applied the patch to those before. */
async function applied(before: Texts, patch: string): Promise<Texts> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-patch-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(before)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const { status, stderr } = spawnSync('git', ['apply', '--whitespace=nowarn', '-'], {
    cwd: folder,
    input: patch,
    encoding: 'utf8',
    env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) },
  });
  expect([status, stderr]).toEqual([0, '']);
  const after: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) after[path.slice(folder.length + 1)] = await readFile(path, 'utf8');
  }
  return after;
}

test('git applies the patch of two packages with changed, new, removed and empty files and odd names', async () => {
  const many = Array.from({ length: 40 }, (_, at) => ruleText(`r${at}`)).join('');
  const before = {
    'a.yar': many,
    'gone/b.yar': ruleText('b'),
    'open.yar': 'rule o { condition: true }',
    'crlf.yar': ruleText('c'),
    'emptied.yar': ruleText('e'),
    'same.yar': ruleText('same'),
    'was-empty.yar': '',
  };
  const after = {
    'a.yar': many
      .replace('rule r3 {', 'rule r3 : tag {')
      .replace('rule r20 {\n', '')
      .replace('rule r39 {', 'rule last {'),
    'new "dir"/ü.yar': ruleText('n'),
    'open.yar': 'rule o { condition: false }\n',
    'crlf.yar': ruleText('c').replaceAll('\n', '\r\n'),
    'emptied.yar': '',
    'same.yar': ruleText('same'),
    'brand-new.yar': '',
  };
  const { text, next } = packagePatch(packageOf(before), packageOf(after), 0);
  expect(next).toBeNull();
  expect(await applied(before, text)).toEqual(after);
});

test('every file is new without an earlier package', async () => {
  const after = { 'a.yar': ruleText('a') };
  expect(await applied({}, packagePatch(null, packageOf(after), 0).text)).toEqual(after);
});

test('a large patch is read in windows', () => {
  const texts = (meta: string) =>
    packageOf(
      Object.fromEntries(
        ['a', 'b', 'c'].map((name) => [`${name}.yar`, ruleText(name, { meta: meta.repeat(600_000) })]),
      ),
    );
  const windows: string[] = [];
  for (let at: number | null = 0; at !== null;) {
    const window = packagePatch(texts('1'), texts('2'), at);
    windows.push(window.text);
    at = window.next;
  }
  expect(windows.map((text) => text.split('\n')[0])).toEqual(
    ['a', 'b', 'c'].map((name) => `diff --git a/${name}.yar b/${name}.yar`),
  );
});

test('equal files give no patch', () => {
  expect(filePatch('a', 'x\n', 'x\n')).toBe('');
});
