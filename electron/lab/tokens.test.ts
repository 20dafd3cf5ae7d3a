import { expect, test } from 'vitest';
import { createCallerOf, mintToken, tokenDigest } from './tokens.ts';

const stored = (token: string) => ({ name: `of ${token}`, sha256: tokenDigest(token), rights: ['read' as const] });

test('a stored token has its rights and no others', async () => {
  const callerOf = createCallerOf({ tokens: async () => [stored('one'), stored('two')] }, null);
  expect(await callerOf('one')).toEqual({ name: 'of one', rights: new Set(['read']) });
  expect(await callerOf('three')).toBeNull();
});

test('a digest is refused in place of its token', async () => {
  const callerOf = createCallerOf({ tokens: async () => [stored('one')] }, null);
  expect(await callerOf(tokenDigest('one'))).toBeNull();
});

test('the session token is accepted beside the stored ones', async () => {
  const callerOf = createCallerOf(
    { tokens: async () => [stored('one')] },
    { token: 'session', rights: ['read', 'download'] },
  );
  expect(await callerOf('session')).toEqual({ name: 'vitrine', rights: new Set(['read', 'download']) });
  expect(await callerOf('one')).toEqual({ name: 'of one', rights: new Set(['read']) });
});

test('a revoked token is refused at the next call', async () => {
  const issued = [stored('one')];
  const callerOf = createCallerOf({ tokens: async () => issued }, null);
  expect(await callerOf('one')).not.toBeNull();
  issued.pop();
  expect(await callerOf('one')).toBeNull();
});

test('a damaged digest in the store matches nothing', async () => {
  const callerOf = createCallerOf({ tokens: async () => [{ name: 'ana', sha256: '', rights: ['read'] }] }, null);
  expect(await callerOf('')).toBeNull();
});

test('each token is new', () => {
  expect(new Set(Array.from({ length: 100 }, mintToken)).size).toBe(100);
  expect(mintToken()).toMatch(/^[0-9a-f]{64}$/);
});
