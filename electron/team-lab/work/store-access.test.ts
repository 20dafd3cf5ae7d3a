import { expect, test } from 'vitest';
import { StoreAccess } from './store-access.ts';

test('access to the store is lost when a probe fails, and found when one succeeds, each reported once', async () => {
  const seen: unknown[] = [];
  const answers = { refusal: null as Error | null, probes: 0 };
  const access = new StoreAccess({
    probe: async () => {
      answers.probes += 1;
      if (answers.refusal !== null) throw answers.refusal;
    },
    lost: (why) => void seen.push(why),
    found: () => void seen.push('found'),
  });
  expect([await access.check(), access.isLost, seen]).toEqual([false, false, []]);
  answers.refusal = new Error('refused');
  expect(await Promise.all([access.check(), access.check()])).toEqual([true, true]);
  expect([await access.check(), access.isLost, answers.probes, seen]).toEqual([true, true, 3, [answers.refusal]]);
  const why = answers.refusal;
  answers.refusal = null;
  expect([await access.check(), access.isLost, seen]).toEqual([false, false, [why, 'found']]);
});
