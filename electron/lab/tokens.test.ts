import { expect, test } from 'vitest';
import { readerToken, storeOf } from './tokens.fixture.ts';
import { createCallerOf, mintToken, tokenDigest } from './tokens.ts';

test('a stored token has its rights and no others', async () => {
  const callerOf = createCallerOf(storeOf([readerToken('one'), readerToken('two')]), null);
  expect(await callerOf('one')).toEqual({ token: 0, name: 'of one', rights: new Set(['read']) });
  expect(await callerOf('three')).toBeNull();
});

test('a digest is refused in place of its token', async () => {
  const callerOf = createCallerOf(storeOf([readerToken('one')]), null);
  expect(await callerOf(tokenDigest('one'))).toBeNull();
});

test('the session token is accepted beside the stored ones', async () => {
  const callerOf = createCallerOf(storeOf([readerToken('one')]), { token: 'session', rights: ['read', 'download'] });
  expect(await callerOf('session')).toEqual({ token: null, name: 'vitrine', rights: new Set(['read', 'download']) });
  expect(await callerOf('one')).toEqual({ token: 0, name: 'of one', rights: new Set(['read']) });
});

test('a revoked token is refused at the next call', async () => {
  const issued = [readerToken('one')];
  const callerOf = createCallerOf(storeOf(issued), null);
  expect(await callerOf('one')).not.toBeNull();
  issued.pop();
  expect(await callerOf('one')).toBeNull();
});

test('a revoked token is refused once the time is over for which it is remembered', async () => {
  const issued = [readerToken('one')];
  const callerOf = createCallerOf(storeOf(issued), null, 50);
  expect(await callerOf('one')).not.toBeNull();
  issued.pop();
  await expect.poll(() => callerOf('one')).toBeNull();
});

test('the use of a token is noted once a day', async () => {
  const store = storeOf([readerToken('one')]);
  const callerOf = createCallerOf(store, null);
  await callerOf('one');
  await callerOf('one');
  await callerOf('three');
  expect(store.uses).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]);
});

test('each token is new', () => {
  expect(new Set(Array.from({ length: 100 }, mintToken)).size).toBe(100);
  expect(mintToken()).toMatch(/^[0-9a-f]{64}$/);
});
