import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkShape, graph, measure } from './measure.ts';
import { PlantedTree } from './planted-tree.ts';

/** The files whose imports are followed. */
const services = Object.fromEntries(
  ['samples.ts', 'downloads/bulk/bulk-downloads.ts', 'publications/publications.ts'].map((path) => [
    `electron/services/${path}`,
    'export {};\n'.repeat(30),
  ]),
);

const fileOf = (lines: number, imports: readonly string[] = []): string =>
  [
    ...imports,
    ...Array.from({ length: lines - imports.length }, (_, line) => `export const line${line} = ${line};`),
    '',
  ].join('\n');

test('the shape check reports a cycle of value and type imports with its files', () => {
  using tree = new PlantedTree({
    ...services,
    'shared/a.ts': fileOf(40, ["import { line9 } from './b.ts';"]),
    'shared/b.ts': fileOf(40, ["import type { C } from './c.ts';"]),
    'shared/c.ts': fileOf(40, ["import { line8 } from './a.ts';"]),
    'shared/d.ts': fileOf(40, ["import { line8 } from './a.ts';"]),
  });
  expect(checkShape(tree.path)).toEqual({
    name: 'shape',
    passed: false,
    report: 'import cycle: shared/a.ts, shared/b.ts, shared/c.ts',
  });
});

test('the shape check reports too many imports and too many small files', () => {
  using tree = new PlantedTree({
    ...services,
    'shared/a.ts': fileOf(
      12,
      ["import { line1 } from './b.ts';", "import { line2 } from './c.ts';"].flatMap((one) => [one, one, one]),
    ),
    'shared/b.ts': fileOf(10, ["import { line3 } from './c.ts';", "import { line4 } from './c.ts';"]),
    'shared/c.ts': fileOf(8),
    'shared/c.test.ts': fileOf(2),
  });
  expect(checkShape(tree.path).report.split('\n')).toEqual([
    '66.7 imports per 1,000 lines; at most 60',
    '50.0 % of files have 25 lines or fewer; at most 10 %',
  ]);
});

test('the shape check reports a service that loads too many files', () => {
  const names = Array.from({ length: 60 }, (_, at) => `part-${at}`);
  using tree = new PlantedTree({
    ...services,
    'electron/services/samples.ts': fileOf(
      1000,
      names.map((name) => `import { line1 as line${name.slice(5)}of } from './${name}.ts';`),
    ),
    ...Object.fromEntries(names.map((name) => [`electron/services/${name}.ts`, fileOf(30)])),
  });
  expect(checkShape(tree.path).report).toBe('look-up loads 61 files; at most 45');
});

test('a graph of a folder has its files, its neighbours, and the number of imports between them', () => {
  using tree = new PlantedTree({
    'shared/domain/a.ts': fileOf(30, ["import { line1 } from './b.ts';"]),
    'shared/domain/b.ts': fileOf(30),
    'electron/jobs/one.ts': fileOf(30, ["import { line1 } from '../../shared/domain/a.ts';"]),
    'electron/jobs/two.ts': fileOf(30, ["import { line1 } from '../../shared/domain/a.ts';"]),
  });
  expect(graph('shared/domain', tree.path)).toBe(
    [
      'flowchart LR',
      '  n0["electron/jobs"]',
      '  n1["a.ts"]',
      '  n2["b.ts"]',
      '  n0 -->|2| n1',
      '  n1 -->|1| n2',
      '',
    ].join('\n'),
  );
});

test('the measures of a tree leave out tests and count the lines of its styles', () => {
  using tree = new PlantedTree({
    'shared/a.ts': fileOf(30),
    'shared/a.test.ts': fileOf(99),
    'renderer/a.module.css': '.one {\n  gap: 0;\n}\n',
  });
  expect(measure(tree.path)).toMatchObject({ files: 1, lines: 30, cssLines: 3, crumbs: 0, cycles: [] });
});

test('the shape check fails for a tree without product files and for a service that moved', () => {
  using empty = new PlantedTree({});
  expect(checkShape(empty.path)).toMatchObject({ passed: false, report: expect.stringContaining('no product files') });
  using moved = new PlantedTree({ ...services, 'shared/a.ts': fileOf(30) });
  expect(checkShape(moved.path).passed).toBe(true);
  rmSync(join(moved.path, 'electron/services/samples.ts'));
  expect(checkShape(moved.path).report).toBe('the file of look-up is not there: build/measure.ts names it');
});
