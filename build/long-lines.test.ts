import { expect, test } from 'vitest';
import { longLines } from './long-lines.ts';
import { PlantedTree } from './planted-tree.ts';

const advice = 'Break these lines by hand: Prettier does not break strings and comments.\n';
/** A statement in one line of this many characters. */
const lineOf = (length: number, filler = 'a'): string => `export const a = '${filler.repeat(length - 20)}';`;

test('the line check lists a line over 120 characters with its file, number and length', async () => {
  using tree = new PlantedTree({
    'electron/long.ts': `\n${lineOf(121)}\n${lineOf(120)}\n${lineOf(200)}\n`,
    'renderer/app/page.tsx': `/* ${'word '.repeat(30)}*/\n`,
    'renderer/app/page.css': `a {\n  background: url(${'b'.repeat(120)});\n}\n`,
    'build/run.mjs': `${lineOf(130)}\n`,
    'build/list.json': `{\n  "a": "${'c'.repeat(120)}"\n}\n`,
  });
  expect(await longLines(tree.path)).toBe(
    'build/list.json:2: 129 characters, at most 120\n' +
      'build/run.mjs:1: 130 characters, at most 120\n' +
      'electron/long.ts:2: 121 characters, at most 120\n' +
      'electron/long.ts:4: 200 characters, at most 120\n' +
      'renderer/app/page.css:2: 140 characters, at most 120\n' +
      'renderer/app/page.tsx:1: 155 characters, at most 120\n' +
      advice,
  );
});

test('the line check counts a character outside the basic plane once and ignores the line end', async () => {
  using tree = new PlantedTree({ 'shared/wide.ts': `${lineOf(120, '🗝')}\r\n` });
  expect(await longLines(tree.path)).toBe('');
});

test('the line check ignores files in .prettierignore and documents', async () => {
  using tree = new PlantedTree({
    '.prettierignore': 'package-lock.json\nelectron/fuzz/corpus/\n',
    'package-lock.json': `${'a'.repeat(500)}\n`,
    'electron/fuzz/corpus/address.json': `${'a'.repeat(500)}\n`,
    'electron/fuzz/corpus.ts': `${lineOf(121)}\n`,
    'README.md': `${'a'.repeat(500)}\n`,
  });
  expect(await longLines(tree.path)).toBe(`electron/fuzz/corpus.ts:1: 121 characters, at most 120\n${advice}`);
});
