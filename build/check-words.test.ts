import { describe, expect, test } from 'vitest';
import { checkWords, codeIn, found, paragraphsIn, sentencesIn } from './check-words.ts';
import { PlantedTree } from './planted-tree.ts';
import { retiredWords, wordExceptions } from './retired-words.ts';

const problems = (source: string): string[] => found('renderer/view.tsx', sentencesIn('renderer/view.tsx', source));

describe('the word check', () => {
  test.each([
    ['a string', "export const text = 'Kept on this desk';\n"],
    ['a string of one word with a capital', "export const text = 'Desk';\n"],
    ['a template', 'export const text = (name: string) => `${name} is kept on this desk`;\n'],
    ['a text of JSX', 'export const view = <p>on this desk</p>;\n'],
    ['an attribute', 'export const view = <p aria-label="on this desk" />;\n'],
  ])('finds a retired word in %s', (_, source) => {
    const [problem, ...more] = problems(source);
    expect(problem?.toLowerCase()).toContain('view.tsx:1: "desk" is retired: write "vitrine", "this computer"');
    expect(more).toEqual([]);
  });

  test.each([
    ['a key', "export const place = 'desk';\n"],
    ['an import', "import { one } from './the desk.ts';\nexport const two = one;\n"],
    ['a type', "export type Place = 'the desk';\n"],
    ['a statement of SQL', 'export const text = `\n-- of the desk\nCREATE TABLE one (id)`;\n'],
    ['the name of an option', "export const text = 'use --desk or --room';\n"],
  ])('ignores %s', (_, source) => {
    expect(problems(source)).toEqual([]);
  });

  test.each([
    ['a variable', 'export const openDesk = 1;\n'],
    ['a private member', 'export class One {\n  readonly #desks = 1;\n}\n'],
    ['a type', 'export type WebDesk = string;\n'],
    ['a constant', 'export const DESK_KEY = 1;\n'],
    ['a comment', '// The desk is open.\nexport const one = 1;\n'],
    ['a docstring of two lines', '/**\n * The\n * desk.\n */\nexport const one = 1;\n'],
    ['the title of a test', "test('the desk opens', () => {});\n"],
    ['the title of a table of tests', "describe.each([1])('the desk', () => {});\n"],
  ])('finds a retired word in %s of a test', (_, source) => {
    using tree = new PlantedTree({ 'electron/a.test.ts': source });
    const { passed, report } = checkWords(tree.path, []);
    expect([passed, report.split('\n').length]).toEqual([false, 1]);
    expect(report).toMatch(/^electron\/a\.test\.ts:\d: "desks?" is retired: write "/);
  });

  test.each([
    ['a name with the letters of a retired word', 'export const desktop = 1, saying = 2;\n'],
    ['code within a comment', '// `openDesk` opens it.\nexport const one = 1;\n'],
    ['data of a test', "test('it opens', () => open('the desk'));\n"],
  ])('passes %s', (_, source) => {
    expect(codeIn('electron/a.test.ts', source).prose.some(({ text }) => text.includes('desk'))).toBe(false);
    using tree = new PlantedTree({ 'electron/a.test.ts': source });
    expect(checkWords(tree.path, [])).toMatchObject({ passed: true, report: '' });
  });

  test('names the replacement word and the line', () => {
    expect(problems("export const a = 1;\nexport const text = 'Ask again later';\n")).toEqual([
      'renderer/view.tsx:2: "Ask again" is retired: write "refresh" or "fetch"',
    ]);
  });

  test('reports a source that does not parse', () => {
    for (const read of [sentencesIn, codeIn])
      expect(() => read('electron/a.ts', 'export const = 1;')).toThrow('electron/a.ts does not parse');
  });

  test('reads a document by paragraphs and ignores its code and addresses', () => {
    const document = [
      '# Head',
      '',
      'It is at',
      'hand, in `the desk`,',
      'see [it](docs/desk.md).',
      '```',
      'desk',
      '```',
      '- a desk',
      '- b',
    ].join('\n');
    expect(found('docs/a.md', paragraphsIn(document))).toEqual([
      'docs/a.md:3: "at hand" is retired: write "available"',
      'docs/a.md:9: "desk" is retired: write "Vitrine", "this computer", "local" or "you"',
    ]);
  });

  test('allows an exception in its own file only', () => {
    const exceptions = [{ path: 'docs/a.md', containing: /desk id/, why: 'it is data' }];
    const prose = [{ line: 1, text: 'the desk id' }];
    expect(found('docs/a.md', prose, retiredWords, exceptions)).toEqual([]);
    expect(found('docs/b.md', prose, retiredWords, exceptions)).toHaveLength(1);
  });

  test('fails for a tree with a retired word and passes without one', () => {
    using tree = new PlantedTree({
      'README.md': 'On this desk.\n',
      'electron/a.test.ts': "export const a = 'a desk';\n",
    });
    expect(checkWords(tree.path)).toMatchObject({ name: 'words', passed: false });
    using plain = new PlantedTree({ 'README.md': 'On this computer.\n' });
    expect(checkWords(plain.path)).toEqual({ name: 'words', passed: true, report: '' });
  });

  test('has no unused exception', () => {
    expect(unneeded()).toEqual([]);
  });
});

/** Exceptions whose sentence is no longer there, or has no retired word. */
function unneeded(): string[] {
  const all = checkWords(undefined, []).report;
  return wordExceptions.filter(({ path }) => !all.includes(`${path}:`)).map(({ path }) => path);
}
