import { expect, test } from 'vitest';
import { createRightsOf, mintToken, tokenDigest } from './tokens.ts';

const stored = (token: string) => ({ sha256: tokenDigest(token), rights: ['read' as const] });

test('a stored token has its rights and no others', async () => {
  const rightsOf = createRightsOf({ tokens: async () => [stored('one'), stored('two')] }, null);
  expect(await rightsOf('one')).toEqual(new Set(['read']));
  expect(await rightsOf('three')).toBeNull();
});

test('a digest is not accepted in place of its token', async () => {
  const rightsOf = createRightsOf({ tokens: async () => [stored('one')] }, null);
  expect(await rightsOf(tokenDigest('one'))).toBeNull();
});

test('the session token counts beside the stored ones', async () => {
  const rightsOf = createRightsOf({ tokens: async () => [stored('one')] }, { token: 'session', rights: ['read', 'download'] });
  expect(await rightsOf('session')).toEqual(new Set(['read', 'download']));
  expect(await rightsOf('one')).toEqual(new Set(['read']));
});

test('a token that was taken back is refused at the next call', async () => {
  const issued = [stored('one')];
  const rightsOf = createRightsOf({ tokens: async () => issued }, null);
  expect(await rightsOf('one')).not.toBeNull();
  issued.pop();
  expect(await rightsOf('one')).toBeNull();
});

test('a damaged digest in the store matches nothing', async () => {
  const rightsOf = createRightsOf({ tokens: async () => [{ sha256: '', rights: ['read'] }] }, null);
  expect(await rightsOf('')).toBeNull();
});

test('each token is new', () => {
  expect(new Set(Array.from({ length: 100 }, mintToken)).size).toBe(100);
  expect(mintToken()).toMatch(/^[0-9a-f]{64}$/);
});
