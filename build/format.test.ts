import { expect, test } from 'vitest';
import { checkFormat } from './format.ts';
import { PlantedTree } from './planted-tree.ts';

const config = { '.prettierrc.json': '{ "printWidth": 120, "singleQuote": true }\n' };

test('the format check passes a tree that Prettier has formatted', async () => {
  using tree = new PlantedTree({ ...config, 'shared/one.ts': "export const one = 'one';\n" });
  expect(await checkFormat(tree.path)).toEqual({ name: 'format', passed: true, report: '' });
});

test('the format check reports an unformatted file and a long comment together', async () => {
  using tree = new PlantedTree({
    ...config,
    'shared/one.ts': 'export const one="one"\n',
    'shared/two.ts': `// ${'word '.repeat(30)}end\nexport const two = 2;\n`,
  });
  const { passed, report } = await checkFormat(tree.path);
  expect(passed).toBe(false);
  expect(report).toContain('shared/one.ts');
  expect(report).toContain('"npm run format" formats them.\nshared/two.ts:1: 156 characters, at most 120\n');
});
