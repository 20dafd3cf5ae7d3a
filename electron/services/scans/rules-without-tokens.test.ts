import { expect, test } from 'vitest';
import { rulesWithoutTokens } from './rules-without-tokens.ts';

const facts = (text: string) => ({ name: 'marked', number: 1, file: `${text}/a.yar`, line: 2, tags: ['tag', text], meta: [{ key: text, value: `by ${text}, twice ${encodeURIComponent(text)}` }], family: text });

test('a token that a server wrote into its rules is not among what is kept of them, in any form', async () => {
  const rules = { pieces: () => Promise.reject(new Error('not asked')), facts: async () => [facts('one+secret/token'), null] };
  const [kept, missing] = await rulesWithoutTokens(rules, async () => ['another-secret-token', 'one+secret/token']).facts('team', 'a'.repeat(64), ['marked', 'gone']);
  expect(JSON.stringify(kept)).not.toMatch(/secret(?!\])|token/);
  expect(kept).toMatchObject({ name: 'marked', tags: ['tag', '[secret]'], meta: [{ value: 'by [secret], twice [secret]' }] });
  expect(missing).toBeNull();
});

test('rules that tell none stay as they are', async () => {
  const rules = { pieces: () => Promise.reject(new Error('not asked')), facts: async () => [facts('plain')] };
  expect(await rulesWithoutTokens(rules, async () => ['a-secret-token']).facts('team', 'a'.repeat(64), ['marked'])).toEqual([facts('plain')]);
});
