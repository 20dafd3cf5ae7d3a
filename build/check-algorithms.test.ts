import { createHash, getCipherInfo, getCiphers } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { algorithmProblems, checkAlgorithms } from './check-algorithms.ts';
import { ciphers, digests } from './electron-algorithms.ts';
import { PlantedTree } from './planted-tree.ts';

const problemsOf = (text: string): string[] => algorithmProblems('electron/vault/sum.ts', text);
const withImport = (name: string, rest: string): string => `import { ${name} } from 'node:crypto';\n${rest}\n`;

describe('an algorithm that Electron lacks is refused', () => {
  test.each([
    ['createHash', "createHash('shake256', { outputLength: 9 });"],
    ['createHash', "const sum = 'blake2b512'; createHash(sum);"],
    ['createHash', "const sum = 'sha3-256' as const; createHash(sum);"],
    ['createHash', "createHash(isShort ? 'md5' : 'blake2s256');"],
    ['createHash as made', "made('sha3-512');"],
    ['hash', "hash('blake2b512', bytes);"],
    ['createHmac', "createHmac('sha3-256', key);"],
    ['hkdf', "hkdf('sha3-256', key, salt, info, 32, done);"],
    ['hkdfSync', "hkdfSync('sha3-256', key, salt, info, 32);"],
    ['pbkdf2', "pbkdf2(password, salt, 1, 32, 'sha3-256', done);"],
    ['pbkdf2', "import { promisify } from 'node:util'; const derive = promisify(pbkdf2); await derive(password, salt, 1, 32, 'sha3-256');"],
    ['pbkdf2Sync', "pbkdf2Sync(password, salt, 1, 32, 'sha3-256');"],
    ['createSign', "createSign('sha3-256');"],
    ['createVerify', "createVerify('sha3-256');"],
    ['sign', "sign('sha3-256', bytes, key);"],
    ['verify', "verify('sha3-256', bytes, key, signature);"],
    ['verify', "verify(null, bytes, { key: { kty: 'OKP', crv: 'Ed448', x }, format: 'jwk' }, signature);"],
    ['createCipheriv', "createCipheriv('chacha20-poly1305', key, nonce);"],
    ['createDecipheriv', "createDecipheriv('aes-256-ocb', key, nonce);"],
    ['generateKeyPair', "generateKeyPair('ed448', {}, done);"],
    ['generateKeyPairSync', "generateKeyPairSync('dsa', { modulusLength: 1024 });"],
    ['generateKeyPairSync', "generateKeyPairSync('ec', { namedCurve: 'secp256k1' });"],
    ['generateKeyPairSync', "generateKeyPairSync('ed25519', { privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'camellia-256-cbc', passphrase } });"],
    ['generateKeySync', "generateKeySync('kmac', { length: 128 });"],
    ['createECDH', "createECDH('brainpoolP256r1');"],
    ['argon2Sync', "argon2Sync('argon2id', options);"],
    ['webcrypto', "await webcrypto.subtle.digest('SHA3-256', bytes);"],
    ['createHash', "createHash('SHA-256');"],
    ['createHash', "createHash('Sha256');"],
    ['createSign', "createSign('RSA-RIPEMD160');"],
    ['createSign', "createSign('rsa-sha256');"],
  ])('when %s is imported: %s', (name, use) => {
    const problems = problemsOf(withImport(name, use));
    expect(problems[0]).toMatch(/^electron\/vault\/sum\.ts:\d+: Electron (has no [\w-]+: its crypto|may have no \w+; if it has)/);
  });
});

describe('an algorithm that cannot be read is refused', () => {
  test.each([
    ['a parameter', withImport('createHash', 'export const sumOf = (name: string) => createHash(name);')],
    ['a parameter that has the name of a constant', withImport('createHash', "const name = 'md5'; export const sumOf = (name: string) => createHash(name);")],
    ['a variable', withImport('createHash', "let name = 'md5'; createHash(name);")],
    ['a template', withImport('createHash', 'createHash(`sha${bits}`);')],
    ['spread arguments', withImport('createHash', 'createHash(...given);')],
    ['options that are elsewhere', withImport('generateKeyPairSync', "generateKeyPairSync('ec', options);")],
    ['no argument', withImport('createHash', 'createHash();')],
    ['a function that is passed on', withImport('createHash', "run(createHash, 'shake256');")],
    ['a function with another name', withImport('createHash', "const made = createHash; made('shake256');")],
    ['a function in an object', withImport('createHash', 'export const tools = { createHash };')],
    ['a promise of it that gets no name', withImport('pbkdf2', "await promisify(pbkdf2)(password, salt, 1, 32, 'sha3-256');")],
    ['the whole module', "import * as crypto from 'node:crypto';"],
    ['its default', "import crypto from 'node:crypto';"],
    ['the module without its prefix', "import * as crypto from 'crypto';"],
    ['an export of it', "export { createHash } from 'node:crypto';"],
    ['an export of all of it', "export * from 'node:crypto';"],
    ['a dynamic import', "const { createHash } = await import('node:crypto');"],
    ['a built-in module', "const { createHash } = process.getBuiltinModule('node:crypto');"],
    ['the web\'s crypto', "await crypto.subtle.digest('SHA-256', bytes);"],
    ['the web\'s crypto by the global object', "const { digest } = globalThis.crypto.subtle;"],
  ])('when it is in %s', (_what, text) => {
    expect(problemsOf(text)).not.toEqual([]);
  });
});

test.each([
  withImport('createHash, type Hash', "let sum: Hash = createHash('sha256');"),
  withImport('createHash', "const name = 'sha512-256'; createHash(name); type Made = ReturnType<typeof createHash>;"),
  withImport('createCipheriv', "createCipheriv(key.length === 16 ? 'aes-128-ecb' : 'aes-256-ecb', key, null);"),
  withImport('pbkdf2', "const derive = promisify(pbkdf2); await derive(password, salt, 1000, 66, 'sha1');"),
  withImport('generateKeyPairSync, sign, verify', "generateKeyPairSync('ed25519'); sign(null, bytes, key); verify(null, bytes, { key: { kty: 'OKP', crv: 'Ed25519', x } }, signature);"),
  withImport('hash', "const facts = { hash: row.hash, sha256: hash('sha256', bytes) };"),
  withImport('createHash, createSign', "createHash('SHA256'); createHash('SHA512-256'); createSign('RSA-SHA256');"),
  "import type { Cipheriv } from 'node:crypto';",
  "const { createServer } = process.getBuiltinModule('node:http'); crypto.randomUUID();",
])('what Electron has, and can be read, passes: %#', (text) => {
  expect(problemsOf(text)).toEqual([]);
});

test.each(digests)('digest %s works on Node, too', (name) => {
  expect(createHash(name).digest().length).toBeGreaterThan(0);
});

test.each(ciphers)('cipher %s works on Node, too', (name) => {
  expect(getCipherInfo(name)?.name).toBe(getCipherInfo(name.toLowerCase())?.name);
  expect(getCiphers()).toContain(name.toLowerCase());
});

test('the host is read and its tests are not', () => {
  const text = withImport('createHash', "export const sum = createHash('shake256');");
  using tree = new PlantedTree({ 'electron/vault/sum.ts': text, 'electron/vault/sum.test.ts': text, 'electron/vault/sum.fixture.ts': text, 'electron/vault/testing/sum.ts': text });
  expect(checkAlgorithms(tree.path)).toEqual({
    name: 'algorithms',
    passed: false,
    report: 'electron/vault/sum.ts:2: Electron has no shake256: its crypto is BoringSSL (build/electron-algorithms.ts)',
  });
});

test('a file that does not parse is named', () => {
  expect(problemsOf("import { createHash from 'node:crypto'")).toEqual(['electron/vault/sum.ts: does not parse']);
});
