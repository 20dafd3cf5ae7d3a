import { expect, test } from 'vitest';
import { checkTypes } from './check-types.ts';
import { PlantedTree } from './planted-tree.ts';

async function reportOn(project: string, files: Record<string, string>): Promise<string> {
  using tree = new PlantedTree(files);
  const [outcome] = await checkTypes(tree.path, [project]);
  return outcome?.passed === true ? 'passed' : (outcome?.report ?? 'no outcome');
}

/** Real tests pull in vitest, and with it whatever globals its types carry: the room must stay strict beside them. */
const aTest = "import { expect, test } from 'vitest';\ntest('one is one', () => expect(1).toBe(1));\n";

test.each([
  ['shared', 'shared/planted.ts', 'export const path: string = process.cwd();', "Cannot find name 'process'"],
  ['shared', 'shared/planted.ts', 'export const title: string = document.title;', "Cannot find name 'document'"],
  ['electron', 'electron/planted.ts', 'export const title: string = document.title;', "Cannot find name 'document'"],
  ['electron', 'electron/planted.ts', 'export const tag = (element: HTMLElement): string => element.tagName;', 'HTMLElement'],
  ['renderer', 'renderer/planted.ts', 'export const bytes: Buffer = Buffer.alloc(1);', 'Buffer'],
  ['renderer', 'renderer/planted.ts', 'export const path: string = process.cwd();', "Cannot find name 'process'"],
  ['renderer', 'renderer/planted.ts', "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;", 'node:fs'],
  ['electron/tsconfig.preload.json', 'electron/preload.ts', 'export const path: number = "text";', 'not assignable'],
  ['build', 'build/planted.ts', 'export const title: string = document.title;', "Cannot find name 'document'"],
  ['e2e', 'e2e/planted.ts', 'enum Colour { Red }\nexport const red = Colour.Red;', 'erasableSyntaxOnly'],
])('types in %s: a planted %s with «%s» is found', async (project, path, text, complaint) => {
  const room = project.split('/')[0] ?? '';
  expect(await reportOn(project, { [path]: text, [`${room}/beside.test.ts`]: aTest })).toContain(complaint);
});

test('each room takes its own globals', async () => {
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
