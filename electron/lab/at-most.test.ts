import { expect, test } from 'vitest';
import { atMost } from './action.ts';

const refusal = { code: 'busy', message: 'Two at a time.', headers: { 'Retry-After': '5' } };

test('a call beyond the limit is refused as busy, until one has ended, successfully or not', async () => {
  const answer = atMost(2, 'Two at a time.', (call: Promise<void>) => call);
  const [good, bad] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answers = [answer(good.promise), answer(bad.promise)];
  await expect(answer(Promise.resolve())).rejects.toMatchObject(refusal);
  bad.reject(new Error('no form'));
  await expect(answers[1]).rejects.toThrow('no form');
  await answer(Promise.resolve());
  good.resolve();
  await answers[0];
  await Promise.all([answer(Promise.resolve()), answer(Promise.resolve())]);
});
