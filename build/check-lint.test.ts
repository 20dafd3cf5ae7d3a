import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLint } from './check-lint.ts';
import { PlantedTree } from './planted-tree.ts';

const longFunction = (lines: number): string =>
  `export function list(): number[] {\n  return [\n${'    1,\n    // one\n\n'.repeat(lines - 4)}  ];\n}\n`;

const planted = {
  'electron/services/any.ts': 'export const anything: any = 1;\n',
  'electron/services/floating.ts': 'export function begin(work: () => Promise<void>): void {\n  work();\n}\n',
  'electron/services/module.ts': "import { app } from 'electron';\nexport const name = app;\n",
  'electron/services/module-main.ts': "import { app } from 'electron/main';\nexport const name = app;\n",
  'electron/services/module-type.ts': "import type { App } from 'electron';\nexport type Mine = App;\n",
  'electron/services/default.ts': 'export default function start(): number {\n  return 1;\n}\n',
  'electron/services/console.ts': "export const say = (): void => console.log('text');\n",
  'electron/services/bang.ts': 'export const first = (list: readonly string[]): string => list[0]!;\n',
  'electron/services/cast.ts':
    'export const read = (text: string): { a: number } => JSON.parse(text) as { a: number };\n',
  'electron/services/exhaustive.ts':
    "export function say(kind: 'a' | 'b'): string {\n  switch (kind) {\n    case 'a':\n      return 'A';\n  }\n" +
    "  return '';\n}\n",
  'electron/services/focused.test.ts':
    "import { expect, test } from 'vitest';\ntest.only('one', () => expect(1).toBe(1));\n",
  'electron/main.ts': "import { app } from 'electron';\nexport const name = app;\n",
  'electron/windows/menu.ts': "import type { Menu } from 'electron';\nexport type Mine = Menu;\n",
  'electron/platform/electron-platform.ts': "import type { App } from 'electron';\nexport type Mine = App;\n",
  'build/vite.planted.ts': 'export default { root: 1 };\n',
  'electron/services/long-function.ts': longFunction(71),
  'electron/services/function-within-limit.ts': longFunction(70),
  'electron/services/long-function.fixture.ts': longFunction(71),
};

describe('lint of a planted violation', () => {
  let tree: PlantedTree;
  let report = '';
  beforeAll(async () => {
    tree = new PlantedTree(planted);
    report = (await checkLint(tree.path, ['electron', 'build'])).report;
  });
  afterAll(() => tree[Symbol.dispose]());

  const rulesFor = (path: string): string[] =>
    report
      .split('\n')
      .filter((line) => line.startsWith(`${path}:`))
      .map((line) => /\(([^()]+)\)\]$/.exec(line)?.[1] ?? '');

  test.each([
    ['electron/services/any.ts', 'no-explicit-any'],
    ['electron/services/floating.ts', 'no-floating-promises'],
    ['electron/services/module.ts', 'no-restricted-imports'],
    ['electron/services/module-main.ts', 'no-restricted-imports'],
    ['electron/services/module-type.ts', 'no-restricted-imports'],
    ['electron/services/default.ts', 'no-default-export'],
    ['electron/services/console.ts', 'no-console'],
    ['electron/services/bang.ts', 'no-non-null-assertion'],
    ['electron/services/cast.ts', 'no-unsafe-type-assertion'],
    ['electron/services/exhaustive.ts', 'switch-exhaustiveness-check'],
    ['electron/services/focused.test.ts', 'no-focused-tests'],
    ['electron/services/long-function.ts', 'max-lines-per-function'],
  ])('reports for %s: %s', (path, rule) => {
    expect(rulesFor(path)).toContain(rule);
  });

  test.each([
    'electron/main.ts',
    'electron/windows/menu.ts',
    'electron/platform/electron-platform.ts',
    'build/vite.planted.ts',
    'electron/services/function-within-limit.ts',
    'electron/services/long-function.fixture.ts',
  ])('reports nothing for %s', (path) => {
    expect(rulesFor(path)).toEqual([]);
  });
});

test('lint passes a tree without violations', async () => {
  using tree = new PlantedTree({ 'electron/clean.ts': 'export const one = 1;\n' });
  expect(await checkLint(tree.path, ['electron'])).toEqual({ name: 'lint', passed: true, report: '' });
});
