import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { root } from './paths.ts';

/** Every statement of the page of the attacks is true. */
const page = readFileSync(join(root, 'docs/security.md'), 'utf8').replaceAll('\r\n', '\n');
const flat = page.replaceAll('\n', ' ');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const where = String.raw`[^|\`“]*? in \[[^\]]+\]\(\.\./([^)]+)\)`;

interface Claim {
  said: string;
  path: string;
}
const claims = (pattern: string): Claim[] =>
  [...flat.matchAll(new RegExp(pattern + where, 'g'))].map(([, said = '', path = '']) => ({ said, path }));
const code = claims('`([^`]+)`');
const tests = claims('“([^”]+)”');

test.each(tests.map(({ said, path }) => [said, path]))('the test “%s” exists', (title, path) => {
  expect(path).toMatch(/\.(test|spec)\.tsx?$/);
  expect(
    [`'${title}'`, `"${title}"`].some((written) => textOf(path).includes(written)),
    path,
  ).toBe(true);
});

test.each(code.map(({ said, path }) => [said, path]))('`%s` is in its file', (said, path) => {
  expect(textOf(path), path).toContain(said);
});

test('each row of a table of attacks or points names code and a test', () => {
  const rows = page
    .split('\n')
    .filter((line) => /^\| .* \| .* \| .* \|$/.test(line) && !/^\| (Point|Attack|Package|`)/.test(line));
  expect(rows.filter((row) => !/` in \[/.test(row) || !/” in \[/.test(row))).toEqual([]);
  expect(rows.filter((row) => /^\| \d+\. /.test(row)).map((row) => Number(/\d+/.exec(row)?.[0]))).toEqual(
    Array.from({ length: 20 }, (_, at) => at + 1),
  );
  expect([tests.length, code.length].every((count) => count >= rows.length)).toBe(true);
});

test('each link leads to an existing file', () => {
  const paths = [...page.matchAll(/\]\((?!https:)([^)]+)\)/g)].map(([, path = '']) => join('docs', path));
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

const names = z.record(z.string(), z.string());
const lockFile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
});
const { packages: lock } = lockFile.parse(JSON.parse(textOf('package-lock.json')));

/** The registry of the lock file has never had them: npm passes over what is optional and cannot be had. */
const unpublished = ['node_modules/@litko/yara-x-darwin-arm64', 'node_modules/@litko/yara-x-darwin-x64'];

test('every package is pinned to one version and the checksum of its bytes', () => {
  const { devDependencies, optionalDependencies } = z
    .object({ devDependencies: names, optionalDependencies: names })
    .parse(JSON.parse(textOf('package.json')));
  expect(
    Object.entries({ ...devDependencies, ...optionalDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    ),
  ).toEqual([]);
  const pinned = Object.entries(lock)
    .filter(([, { integrity = '' }]) => integrity.startsWith('sha512-'))
    .map(([path]) => path);
  expect(Object.keys(lock).filter((path) => path !== '' && !pinned.includes(path))).toEqual(unpublished);
});

test('the page states the package versions in use', () => {
  const table = page
    .slice(page.indexOf('\n| Package |'))
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const said = table
    .map((line) => line.split(' | '))
    .flatMap(([first = '', , here = '']) => {
      const versions = here.split(', ');
      return [...first.matchAll(/`([^`]+)`/g)].map(([, name = ''], at) => ({ name, version: versions[at] }));
    });
  expect(said.length).toBeGreaterThan(5);
  expect(said).toEqual(said.map(({ name }) => ({ name, version: lock[`node_modules/${name}`]?.version })));
});
