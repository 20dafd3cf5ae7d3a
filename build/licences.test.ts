import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLicences } from './licences.ts';
import { root } from './paths.ts';
import { sourceImports } from './source-imports.ts';

const { packages, texts } = readLicences();

/** Named by what is shipped, whoever lists it: types go with the build, and Vite only lends the page its types. */
function importedPackages(): string[] {
  const files = globSync('{electron,shared,renderer}/**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !/\.(test|fixture|setup|fuzz)\.tsx?$|[\\/](test(ing)?|fuzz)[\\/]|\.d\.ts$/.test(path),
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

test('every imported package is named with its licence', () => {
  const imported = importedPackages();
  expect(imported).toContain('react');
  expect(packages.filter(({ licence }) => licence !== '').map(({ name }) => name)).toEqual(
    expect.arrayContaining(imported),
  );
});

test('so is all that those need in turn', () => {
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['scheduler', '@tanstack/query-core', 'react-stately', 'token-types']));
  expect(packages.filter(({ licence, version }) => licence === '' || version === '')).toEqual([]);
});

test('tools of the build are not', () => {
  const names = packages.map(({ name }) => name);
  for (const tool of ['typescript', 'vite', 'vitest', 'electron-builder', '@testing-library/react', '@electron/get'])
    expect(names).not.toContain(tool);
});

test('each text is there once, and what has none brings none', () => {
  expect(new Set(texts).size).toBe(texts.length);
  for (const { name, text } of packages.filter((each) => each.text !== null))
    expect(texts[text ?? -1], name).toMatch(/\w{3}/);
  const without = packages.filter(({ text }) => text === null).map(({ name }) => name);
  expect(
    without.every((name) => !/^(react|react-dom|zod|dexie|electron|@fontsource-variable\/.*)$/.test(name)),
    without.join(' '),
  ).toBe(true);
});
