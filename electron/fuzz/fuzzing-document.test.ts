import { expect, test } from 'vitest';
import { figuresPart } from './fuzzing-document.ts';

const figures = (name: string, tried: number) => ({ name, tried, slowestMs: 1.4, peakMiB: 200, found: null });
const rowsOf = (part: string): string[] => part.split('\n').filter((line) => line.startsWith('| `'));

test('a run of one target keeps the figures of the others, in the order of the targets', () => {
  const before = figuresPart([figures('query', 10), figures('address', 20)], 600, '');
  const after = figuresPart([figures('query', 30)], 60, `# A page\n\n| \`query\` | in another table |\n\n${before}`);
  expect(rowsOf(after)).toEqual([
    '| `address` | 600 | 20 | 1 | 200 | nothing |',
    '| `query` | 60 | 30 | 1 | 200 | nothing |',
  ]);
});
