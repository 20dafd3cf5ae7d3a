import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SecretsState } from '../../../shared/domain/host.ts';
import { makeTestFolder, type TestFolder } from '../testing/database.fixture.ts';
import type { Keychain } from './keychain.ts';
import { masterKeyFor, opensWith, readSealedTokens } from './sealed-tokens.ts';
import { openTokenStore, type TokenStore } from './token-store.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder.remove());

const token = 'a-recognisable-token-0123456789';
const passphrase = 'correct horse';
/** A key of the usual rounds takes a third of a second. */
const rounds = 2 ** 10;
const open = (keychain: Keychain | null = null): Promise<TokenStore> =>
  openTokenStore({ directory: folder.path, keychain, rounds });
const sealedPath = (): string => join(folder.path, 'tokens.sealed');
const keychainPath = (): string => join(folder.path, 'tokens.keychain');
const failing = (kind: string): unknown => expect.objectContaining({ failure: expect.objectContaining({ kind }) });

/** A keychain that keeps what it was given and hands out a number for it: nothing of the text is in the seal. */
function testKeychain(): Keychain & { refuse: boolean; reseal: boolean; seals: number } {
  const texts: string[] = [];
  return {
    backend: 'test',
    refuse: false,
    reseal: false,
    seals: 0,
    async seal(text) {
      if (this.refuse) throw new Error(`locked, was given ${text}`);
      this.seals += 1;
      return Buffer.from(String(texts.push(text) - 1));
    },
    async open(sealed) {
      const text = texts[Number(Buffer.from(sealed).toString())];
      if (this.refuse || text === undefined) throw new Error(`locked, with ${token}`);
      return { text, shouldReseal: this.reseal };
    },
  };
}

function expectNowhereOnDisk(): void {
  const forms = [
    token,
    Buffer.from(token).toString('hex'),
    Buffer.from(token).toString('base64').slice(0, -4),
    token.toUpperCase(),
    passphrase,
  ];
  for (const name of readdirSync(folder.path)) {
    const text = readFileSync(join(folder.path, name), 'latin1');
    for (const form of forms) expect(text).not.toContain(form);
  }
}

test('without a keychain or a passphrase, tokens are in memory and no file is created', async () => {
  const store = await open();
  await store.set('a', token);
  expect(await store.get('a')).toBe(token);
  expect([await store.get('b'), store.names(), store.state()]).toEqual([
    null,
    ['a'],
    { store: 'memory', state: 'open', backend: null },
  ]);
  await store.delete('a');
  expect(await store.get('a')).toBeNull();
  expect(readdirSync(folder.path)).toEqual([]);
  expect(await (await open()).get('a')).toBeNull();
});

test('a passphrase seals the tokens in memory and opens them after a restart', async () => {
  const store = await open();
  await store.set('a', token);
  const states: SecretsState[] = [];
  store.onChange((state) => states.push(state));
  const unlocked = { store: 'sealed-file', state: 'open', backend: null };
  expect(await store.create(passphrase)).toEqual(unlocked);
  await store.set('b', 'another');
  expect(await store.get('a')).toBe(token);
  expect(statSync(sealedPath()).mode & 0o777).toBe(0o600);
  expectNowhereOnDisk();

  const later = await open();
  expect(later.state()).toEqual({ ...unlocked, state: 'locked' });
  expect(later.names()).toEqual(['a', 'b']);
  await expect(later.get('a')).rejects.toEqual(failing('secrets-locked'));
  await expect(later.set('c', 'x')).rejects.toEqual(failing('secrets-locked'));
  await expect(later.create(passphrase)).rejects.toEqual(failing('secrets-locked'));
  await expect(later.unlock('correct h0rse')).rejects.toEqual(failing('passphrase-wrong'));
  expect(later.state().state).toBe('locked');
  expect(await later.unlock(passphrase)).toEqual(unlocked);
  expect([await later.get('a'), await later.get('b')]).toEqual([token, 'another']);
  expect(states).toEqual([unlocked]);
});

test(
  'the store derives and opens the key with the file version’s rounds when given none',
  { tags: ['long'] },
  async () => {
    const store = await openTokenStore({ directory: folder.path, keychain: null });
    await store.set('a', token);
    await store.create(passphrase);
    const sealed = readSealedTokens(readFileSync(sealedPath(), 'utf8')) ?? expect.fail('it cannot be read');
    expect(opensWith(sealed, await masterKeyFor(passphrase, sealed.salt))).toBe(true);
    const later = await openTokenStore({ directory: folder.path, keychain: null });
    await later.unlock(passphrase);
    expect(await later.get('a')).toBe(token);
  },
);

test('a token deleted while the store is locked is gone at once and for good', async () => {
  const store = await open();
  await store.set('a', token);
  await store.set('b', 'another');
  await store.create(passphrase);
  const before = readFileSync(sealedPath(), 'utf8');
  const locked = await open();
  await locked.delete('a');
  expect(readFileSync(sealedPath(), 'utf8').length).toBeLessThan(before.length);
  const later = await open();
  await later.unlock(passphrase);
  expect([await later.get('a'), await later.get('b')]).toEqual([null, 'another']);
});

test('a locked file with a lost passphrase is forgotten completely, and a new passphrase starts over', async () => {
  const store = await open();
  await store.set('a', token);
  await store.create(passphrase);
  await store.forget();
  expect(await store.get('a')).toBe(token);

  const locked = await open();
  const states: SecretsState[] = [];
  locked.onChange((state) => states.push(state));
  const empty = { store: 'memory', state: 'open', backend: null };
  expect(await locked.forget()).toEqual(empty);
  expect([locked.names(), states, readdirSync(folder.path)]).toEqual([[], [empty], []]);
  await locked.set('b', 'new');
  await locked.create('another passphrase');
  const later = await open();
  await later.unlock('another passphrase');
  expect([await later.get('a'), await later.get('b')]).toEqual([null, 'new']);
});

test('a passphrase is changed while the store is open, and the old one opens nothing', async () => {
  const store = await open();
  await store.create(passphrase);
  await store.set('a', token);
  await store.create('another horse');
  const later = await open();
  await expect(later.unlock(passphrase)).rejects.toEqual(failing('passphrase-wrong'));
  await later.unlock('another horse');
  expect(await later.get('a')).toBe(token);
});

test('a short passphrase is refused by its characters, and the tokens stay in memory', async () => {
  const store = await open();
  await store.set('a', token);
  await expect(store.create('1234567')).rejects.toEqual(failing('passphrase-short'));
  await expect(store.create('🔑🔑🔑🔑')).rejects.toEqual(failing('passphrase-short'));
  expect([store.state().store, await store.get('a'), existsSync(sealedPath())]).toEqual(['memory', token, false]);
});

test('a damaged file does not stop the start, is never overwritten, and can be replaced', async () => {
  const store = await open();
  await store.set('a', token);
  await store.create(passphrase);
  const damaged = readFileSync(sealedPath(), 'utf8').replace('"version":1', '"version":2');
  writeFileSync(sealedPath(), damaged);

  const later = await open();
  expect(later.state()).toEqual({ store: 'sealed-file', state: 'damaged', backend: null });
  for (const attempt of [() => later.get('a'), () => later.set('a', 'x'), () => later.unlock(passphrase)])
    await expect(attempt()).rejects.toEqual(failing('secrets-damaged'));
  await later.delete('a');
  await later.forget();
  expect(readFileSync(sealedPath(), 'utf8')).toBe(damaged);
  await later.create('a new passphrase');
  await later.set('a', 'again');
  expect(await later.get('a')).toBe('again');
  const aside =
    readdirSync(folder.path).find((name) => name.includes('.damaged-')) ?? expect.fail('the damaged file is gone');
  expect(readFileSync(join(folder.path, aside), 'utf8')).toBe(damaged);
});

test('a failed write changes nothing, neither on the disk nor in memory', async () => {
  const store = await open();
  await store.create(passphrase);
  await store.set('a', 'before');
  rmSync(sealedPath());
  mkdirSync(join(sealedPath(), 'in-the-way'), { recursive: true });
  await expect(store.set('a', 'after')).rejects.toEqual(failing('disk-failed'));
  expect(await store.get('a')).toBe('before');
  rmSync(sealedPath(), { recursive: true });
  await store.set('a', 'after');
  expect(await store.get('a')).toBe('after');
});

test('simultaneous calls run one after another, and each is stored', async () => {
  const store = await open();
  const creating = store.create(passphrase);
  const names = Array.from({ length: 20 }, (_, index) => `name-${index}`);
  await Promise.all([creating, ...names.map((name) => store.set(name, name)), store.delete('name-3')]);
  const later = await open();
  await later.unlock(passphrase);
  expect(await Promise.all(names.map((name) => later.get(name)))).toEqual(
    names.map((name) => (name === 'name-3' ? null : name)),
  );
});

test('the remains of a write after a crash are removed', async () => {
  writeFileSync(join(folder.path, 'tokens.sealed.0123456789ab.unfinished'), 'half');
  await open();
  expect(readdirSync(folder.path)).toEqual([]);
});

test('a keychain is the first choice, and its seals survive a restart', async () => {
  const keychain = testKeychain();
  const store = await open(keychain);
  await store.set('a', 'first');
  await store.set('a', token);
  expect(store.state()).toEqual({ store: 'keychain', state: 'open', backend: 'test' });
  expectNowhereOnDisk();
  const later = await open(keychain);
  expect([await later.get('a'), await later.get('b'), later.names()]).toEqual([token, null, ['a']]);
  expect(await later.create(passphrase)).toMatchObject({ store: 'keychain' });
  await later.delete('a');
  expect(await (await open(keychain)).get('a')).toBeNull();
});

test('a keychain that requests resealing gets the token again', async () => {
  const keychain = testKeychain();
  const store = await open(keychain);
  await store.set('a', token);
  keychain.reseal = true;
  expect(await store.get('a')).toBe(token);
  expect(keychain.seals).toBe(2);
  keychain.reseal = false;
  expect(await (await open(keychain)).get('a')).toBe(token);
});

test('a keychain that refuses is named without its message, and nothing is written', async () => {
  const keychain = testKeychain();
  const store = await open(keychain);
  await store.set('a', token);
  const before = readFileSync(keychainPath());
  keychain.refuse = true;
  for (const attempt of [store.get('a'), store.set('b', token)]) {
    const error: unknown = await attempt.catch((thrown: unknown) => thrown);
    expect(error).toEqual(failing('keychain-failed'));
    expect(error).not.toHaveProperty('cause');
  }
  expect(readFileSync(keychainPath())).toEqual(before);
  await store.delete('a');
  expect(store.names()).toEqual([]);
});

test('a damaged keychain file is named, and set aside when a token is stored again', async () => {
  const keychain = testKeychain();
  writeFileSync(keychainPath(), '{"half');
  const store = await open(keychain);
  const states: SecretsState[] = [];
  store.onChange((state) => states.push(state));
  expect([store.names(), store.state().state]).toEqual([[], 'damaged']);
  await expect(store.get('a')).rejects.toEqual(failing('secrets-damaged'));
  await store.delete('a');
  await store.set('a', token);
  await store.set('b', token);
  expect(states).toEqual([{ store: 'keychain', state: 'open', backend: 'test' }]);
  expect(await store.get('a')).toBe(token);
  expect(readdirSync(folder.path).filter((name) => name.includes('.damaged-'))).toHaveLength(1);
});

test('a token that a keychain and a passphrase both sealed is deleted from both', async () => {
  const keychain = testKeychain();
  await (await open(keychain)).set('a', token);
  const withoutKeychain = await open();
  await withoutKeychain.create(passphrase);
  await withoutKeychain.set('a', token);
  await (await open(keychain)).delete('a');
  expect((await open(keychain)).names()).toEqual([]);
  const sealed = await open();
  await sealed.unlock(passphrase);
  expect(await sealed.get('a')).toBeNull();
});

test('a lent token precedes the stored one, also in a locked store, and is never written', async () => {
  const first = await open();
  await first.set('workspace/w-1/repository', 'the stored one');
  await first.create(passphrase);
  const store = await open();
  store.lend('workspace/w-1/repository', token);
  store.lend('workspace/w-2/repository', token);
  expect(await store.get('workspace/w-1/repository')).toBe(token);
  expect(store.names()).toEqual(['workspace/w-1/repository', 'workspace/w-2/repository']);
  await expect(store.get('workspace/w-3/repository')).rejects.toEqual(failing('secrets-locked'));
  await store.unlock(passphrase);
  await store.create('another passphrase');
  const later = await open();
  await later.unlock('another passphrase');
  expect([await later.get('workspace/w-1/repository'), later.names()]).toEqual([
    'the stored one',
    ['workspace/w-1/repository'],
  ]);
});
