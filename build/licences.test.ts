import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLicences } from './licences.ts';
import { root } from './paths.ts';
import { sourceImports } from './source-imports.ts';

const { packages, texts } = readLicences();

/**
 * Named by what is shipped, wherever it is listed: types go with the build, Vite only lends the page its types, and the
 * team lab is run from its sources.
 */
function importedPackages(): string[] {
  const files = globSync('{electron,shared,renderer}/**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !/\.(test|fixture|setup|fuzz)\.tsx?$|[\\/](test(ing)?|fuzz)[\\/]|\.d\.ts$|[\\/]team-lab[\\/.]/.test(path),
  );
  const specifiers = files.flatMap((path) =>
    (sourceImports(path, readFileSync(join(root, path), 'utf8')) ?? []).map(({ specifier }) => specifier ?? ''),
  );
  const names = specifiers
    .filter((specifier) => /^[@a-z]/.test(specifier) && !/^(node|virtual):/.test(specifier))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return [...new Set(names)].filter((name) => name !== 'vite').toSorted();
}

test('the licence list names every imported package with its licence', () => {
  const imported = importedPackages();
  expect(imported).toContain('react');
  expect(packages.filter(({ licence }) => licence !== '').map(({ name }) => name)).toEqual(
    expect.arrayContaining(imported),
  );
});

test('the licence list leaves out what only the team lab is made with', () => {
  const names = packages.map(({ name }) => name);
  for (const library of ['pg', 'pg-boss', 'aws4fetch', 'prom-client']) expect(names).not.toContain(library);
});

test('the licence list includes all transitive dependencies', () => {
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['scheduler', '@tanstack/query-core', 'react-stately', 'token-types']));
  expect(packages.filter(({ licence, version }) => licence === '' || version === '')).toEqual([]);
});

test('the licence list leaves out build tools', () => {
  const names = packages.map(({ name }) => name);
  for (const tool of ['typescript', 'vite', 'vitest', 'electron-builder', '@testing-library/react', '@electron/get'])
    expect(names).not.toContain(tool);
});

test('the licence list holds each text once, and no text for a package without one', () => {
  expect(new Set(texts).size).toBe(texts.length);
  for (const { name, text } of packages.filter((each) => each.text !== null))
    expect(texts[text ?? -1], name).toMatch(/\w{3}/);
  const without = packages.filter(({ text }) => text === null).map(({ name }) => name);
  expect(
    without.every((name) => !/^(react|react-dom|zod|dexie|electron|@fontsource-variable\/.*)$/.test(name)),
    without.join(' '),
  ).toBe(true);
});
