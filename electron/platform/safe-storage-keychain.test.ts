import { expect, test } from 'vitest';
import { openKeychain, type SafeStoragePort } from './safe-storage-keychain.ts';

function safeStorage(parts: Partial<SafeStoragePort> = {}): SafeStoragePort {
  return {
    isAsyncEncryptionAvailable: async () => true,
    encryptStringAsync: async (text) => Buffer.from(text).reverse(),
    decryptStringAsync: async (sealed) => ({ result: Buffer.from(sealed).reverse().toString(), shouldReEncrypt: true }),
    getSelectedStorageBackend: () => 'gnome_libsecret',
    ...parts,
  };
}

test('a real keychain seals and opens, and reports when to seal again', async () => {
  const keychain = await openKeychain(safeStorage(), 'linux');
  const sealed = await keychain?.seal('a token');
  expect(keychain?.backend).toBe('gnome_libsecret');
  expect(await keychain?.open(new Uint8Array(sealed ?? []))).toEqual({ text: 'a token', shouldReseal: true });
});

test.each(['basic_text', 'unknown'])('the backend %s is not a keychain', async (backend) => {
  expect(await openKeychain(safeStorage({ getSelectedStorageBackend: () => backend }), 'linux')).toBeNull();
});

test('a system without encryption has no keychain', async () => {
  expect(await openKeychain(safeStorage({ isAsyncEncryptionAvailable: async () => false }), 'darwin')).toBeNull();
});

test.each([
  ['darwin', 'macOS Keychain'],
  ['win32', 'Windows DPAPI'],
] as const)('the keychain does not query the backend on %s: only Linux has several', async (system, name) => {
  const asked = (): string => {
    throw new Error('asked');
  };
  expect((await openKeychain(safeStorage({ getSelectedStorageBackend: asked }), system))?.backend).toBe(name);
});
