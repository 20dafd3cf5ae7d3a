import { beforeAll, describe, expect, test } from 'vitest';
import { checkTypes } from './check-types.ts';
import { PlantedTree } from './planted-tree.ts';

/** Real tests import vitest, and with it the globals of its types: the layer must stay strict with them. */
const aTest = "import { expect, test } from 'vitest';\ntest('one is one', () => expect(1).toBe(1));\n";

/** In each project, the files that must not pass, and what is said of each. */
const planted: Record<string, readonly (readonly [path: string, text: string, complaint: string])[]> = {
  shared: [
    ['shared/path.ts', 'export const path: string = process.cwd();', "Cannot find name 'process'"],
    ['shared/title.ts', 'export const title: string = document.title;', "Cannot find name 'document'"],
  ],
  electron: [
    ['electron/title.ts', 'export const title: string = document.title;', "Cannot find name 'document'"],
    ['electron/tag.ts', 'export const tag = (element: HTMLElement): string => element.tagName;', 'HTMLElement'],
  ],
  renderer: [
    ['renderer/bytes.ts', 'export const bytes: Buffer = Buffer.alloc(1);', 'Buffer'],
    ['renderer/path.ts', 'export const path: string = process.cwd();', "Cannot find name 'process'"],
    ['renderer/read.ts', "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;", 'node:fs'],
  ],
  'electron/tsconfig.preload.json': [['electron/preload.ts', 'export const path: number = "text";', 'not assignable']],
  build: [['build/title.ts', 'export const title: string = document.title;', "Cannot find name 'document'"]],
  e2e: [['e2e/colour.ts', 'enum Colour { Red }\nexport const red = Colour.Red;', 'erasableSyntaxOnly']],
};

describe.each(Object.entries(planted))('type check of %s', (project, files) => {
  const folder = project.split('/')[0] ?? '';
  let report: readonly string[] = [];
  beforeAll(async () => {
    using tree = new PlantedTree({
      ...Object.fromEntries(files.map(([path, text]) => [path, text])),
      [`${folder}/beside.test.ts`]: aTest,
    });
    report = (await checkTypes(tree.path, [project])).flatMap((outcome) => outcome.report.split('\n'));
  });

  test.each(files)('reports a planted %s with «%s»', (path, _text, complaint) => {
    expect(report.filter((line) => line.startsWith(`${path}(`)).join('\n')).toContain(complaint);
  });
});

test('each layer accepts its own globals', async () => {
  using tree = new PlantedTree({
    'shared/a.ts': 'export const one = 1;\n',
    'electron/a.ts': 'export const path: string = process.cwd();\n',
    'electron/preload.ts': 'export const title: string = document.title;\n',
    'renderer/a.ts': 'export const title: string = document.title;\n',
    'e2e/a.ts': 'export const both = (): string => process.cwd() + document.title;\n',
    'build/a.ts': 'export const path: string = process.cwd();\n',
  });
  const outcomes = await checkTypes(tree.path);
  expect(outcomes.filter(({ passed }) => !passed)).toEqual([]);
});
