import { expect, test } from 'vitest';
import { foundWords } from './job.ts';

test.each([
  [{ added: 3, samples: 2, lost: 1 }, '3 new hits in 2 samples, 1 hit lost'],
  [{ added: 1, samples: 1, lost: 0 }, '1 new hit in 1 sample'],
  [{ added: 0, samples: 0, lost: 1200 }, 'no new hits, 1,200 hits lost'],
  [{ added: 0, samples: 0, lost: 0 }, 'no new hits'],
])('the findings of a hunt are shown in counts', (found, words) => {
  expect(foundWords(found)).toBe(words);
});
