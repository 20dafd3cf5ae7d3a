import { createHash, getCipherInfo, getCiphers } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { algorithmProblems, checkAlgorithms } from './check-algorithms.ts';
import { ciphers, digests } from './electron-algorithms.ts';
import { PlantedTree } from './planted-tree.ts';

const problemsOf = (text: string): string[] => algorithmProblems('electron/vault/sum.ts', text);
const withImport = (name: string, rest: string): string => `import { ${name} } from 'node:crypto';\n${rest}\n`;

describe('an algorithm that Electron lacks', () => {
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
    [
      'pbkdf2',
      "import { promisify } from 'node:util'; const derive = promisify(pbkdf2); await derive(password, salt, 1," +
        " 32, 'sha3-256');",
    ],
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
    [
      'generateKeyPairSync',
      "generateKeyPairSync('ed25519', { privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: " +
        "'camellia-256-cbc', passphrase } });",
    ],
    ['generateKeySync', "generateKeySync('kmac', { length: 128 });"],
    ['createECDH', "createECDH('brainpoolP256r1');"],
    ['argon2Sync', "argon2Sync('argon2id', options);"],
    ['webcrypto', "await webcrypto.subtle.digest('SHA3-256', bytes);"],
    ['createHash', "createHash('SHA-256');"],
    ['createHash', "createHash('Sha256');"],
    ['createSign', "createSign('RSA-RIPEMD160');"],
    ['createSign', "createSign('rsa-sha256');"],
    ['createHash', 'createHash(`shake256`);'],
    ['createHash', "createHash(('md5') ?? ('shake256'));"],
    ['createPublicKey', "createPublicKey({ key: { kty: 'OKP', crv: 'Ed448', x }, format: 'jwk' });"],
    ['createPublicKey', "const key = { 'crv': 'Ed448' }; createPublicKey({ key, format: 'jwk' });"],
    ['createPublicKey', "const key = {}; key.crv = 'Ed448'; createPublicKey({ key, format: 'jwk' });"],
    ['createPrivateKey', "createPrivateKey(pem).export({ cipher: 'camellia-256-cbc' });"],
    ['type KeyObject', "export const textOf = (key: KeyObject) => key.export({ cipher: 'camellia-256-cbc' });"],
    ['createHash', "namespace Sums { createHash('shake256'); }"],
    ['Hash', "new Hash('shake256');"],
    ['Hmac', "new Hmac('sha3-256', key);"],
    ['Cipheriv', "new Cipheriv('camellia-256-cbc', key, iv);"],
  ])('is refused when %s is imported: %s', (name, use) => {
    const problems = problemsOf(withImport(name, use));
    expect(problems[0]).toMatch(
      /^electron\/vault\/sum\.ts:\d+: Electron (has no [\w-]+: its crypto|may have no \w+; if it has)/,
    );
  });
});

describe('an algorithm name that the check cannot resolve', () => {
  test.each([
    ['a parameter', withImport('createHash', 'export const sumOf = (name: string) => createHash(name);')],
    [
      'a parameter that has the name of a constant',
      withImport('createHash', "const name = 'md5'; export const sumOf = (name: string) => createHash(name);"),
    ],
    ['a variable', withImport('createHash', "let name = 'md5'; createHash(name);")],
    ['a template', withImport('createHash', 'createHash(`sha${bits}`);')],
    ['spread arguments', withImport('createHash', 'createHash(...given);')],
    ['options that are elsewhere', withImport('generateKeyPairSync', "generateKeyPairSync('ec', options);")],
    ['no argument', withImport('createHash', 'createHash();')],
    ['a function that is passed on', withImport('createHash', "run(createHash, 'shake256');")],
    ['a function with another name', withImport('createHash', "const made = createHash; made('shake256');")],
    ['a function in an object', withImport('createHash', 'export const tools = { createHash };')],
    [
      'a promise of it that gets no name',
      withImport('pbkdf2', "await promisify(pbkdf2)(password, salt, 1, 32, 'sha3-256');"),
    ],
    ['the whole module', "import * as crypto from 'node:crypto';"],
    ['its default', "import crypto from 'node:crypto';"],
    ['the module without its prefix', "import * as crypto from 'crypto';"],
    ['an export of it', "export { createHash } from 'node:crypto';"],
    ['an export of all of it', "export * from 'node:crypto';"],
    ['a dynamic import', "const { createHash } = await import('node:crypto');"],
    ['a built-in module', "const { createHash } = process.getBuiltinModule('node:crypto');"],
    ['a dynamic import of a template', 'await import(`node:crypto`);'],
    ['a dynamic import of two strings', "await import('node:' + 'crypto');"],
    ['a dynamic import of a constant', "const m = 'node:crypto'; await import(m);"],
    ['a dynamic import of what another file says', "import { m } from './m.ts'; await import(m);"],
    ['a require', "createRequire(import.meta.url)('node:crypto');"],
    ['an import that is a require', "import crypto = require('node:crypto');"],
    ['an escaped string', "createRequire(import.meta.url)('node:\\u0063rypto');"],
    ['a built-in module by a string', "process['getBuiltinModule']('node:crypto');"],
    ['a built-in module by a variable', 'process.getBuiltinModule(name);'],
    ['a built-in module by another name', 'const { getBuiltinModule } = process;'],
    ['an import of the built-in modules', "import { getBuiltinModule } from 'node:process';"],
    ['a constant of another function', withImport('createHash', "function g() { const a = 'md5'; } createHash(a);")],
    [
      'an import that has the name of a constant elsewhere',
      withImport('createHash', "import { a } from './a.ts'; function g() { const a = 'md5'; } createHash(a);"),
    ],
    [
      'a constant that a function hides',
      withImport('createHash', "const a = 'md5'; function g() { function a() {} createHash(a); }"),
    ],
    [
      'an option',
      withImport(
        'createPublicKey',
        "export const keyOf = (crv: string) => createPublicKey({ key: { crv }, format: 'jwk' });",
      ),
    ],
    [
      'an option of an export',
      withImport(
        'type KeyObject',
        'export const textOf = (key: KeyObject, name: string) => key.export({ cipher: name });',
      ),
    ],
    ['options that are spread', withImport('generateKeyPairSync', "generateKeyPairSync('ec', { ...options });")],
    ['an exported promise of it', withImport('pbkdf2', 'export const derive = promisify(pbkdf2);')],
    [
      'a promise of it within a function',
      withImport('pbkdf2', "function f() { const derive = promisify(pbkdf2); derive(p, s, 1, 32, 'sha3-256'); }"),
    ],
    [
      'a call beside a function that hides it',
      withImport('hash', 'rows.map(({ hash }) => hash.length); hash(name, bytes);'),
    ],
    [
      'a call beside a block that hides it',
      withImport('hash', 'if (row) { const { hash } = row; } hash(name, bytes);'),
    ],
    ['a default value of a parameter', withImport('createHash', 'export const f = (made = createHash) => made(name);')],
    ["the web's crypto, destructured", 'const { subtle } = crypto;'],
    ["the web's crypto by a string", "crypto['subtle'];"],
    ["the web's crypto with another name", 'const { crypto: { subtle: s } } = globalThis;'],
    ["the web's crypto by a string of the global object", "globalThis['crypto'];"],
    ["the web's crypto", "await crypto.subtle.digest('SHA-256', bytes);"],
    ["the web's crypto by the global object", 'const { digest } = globalThis.crypto.subtle;'],
  ])('is refused when it is in %s', (_what, text) => {
    expect(problemsOf(text)).not.toEqual([]);
  });
});

test.each([
  withImport('createHash, type Hash', "let sum: Hash = createHash('sha256');"),
  withImport('createHash', "const name = 'sha512-256'; createHash(name); type Made = ReturnType<typeof createHash>;"),
  withImport('createCipheriv', "createCipheriv(key.length === 16 ? 'aes-128-ecb' : 'aes-256-ecb', key, null);"),
  withImport('pbkdf2', "const derive = promisify(pbkdf2); await derive(password, salt, 1000, 66, 'sha1');"),
  withImport(
    'generateKeyPairSync, sign, verify',
    "generateKeyPairSync('ed25519'); sign(null, bytes, key); verify(null, bytes, { key: { kty: 'OKP', crv: " +
      "'Ed25519', x } }, signature);",
  ),
  withImport('hash', "const facts = { hash: row.hash, sha256: hash('sha256', bytes) };"),
  withImport('hash', "const facts = rows.map(({ hash }) => hash.length); hash('sha256', bytes);"),
  withImport('hash', 'function sizeOf(hash: string) { return hash.length; } for (const hash of hashes) add(hash);'),
  withImport('hash', 'function f() { const { hash } = row; return hash; } try { f(); } catch (hash) { add(hash); }'),
  withImport('hash', "import { hash as other } from './other.ts'; hash('sha256', JSON.stringify({ cipher: name }));"),
  withImport('createHash, createSign', "createHash('SHA256'); createHash('SHA512-256'); createSign('RSA-SHA256');"),
  withImport('createHash', "createHash(`sha256`); createHash(('sha1')); createHash(null ? 'md5' : ('sha1' ?? 'md5'));"),
  withImport('createHash', "export const name = 'sha256'; type Kind = 'shake256'; createHash(name satisfies string);"),
  withImport(
    'createCipheriv',
    "createCipheriv('AES-256-GCM', key, nonce); const { cipher } = row; export const found = { cipher };",
  ),
  withImport(
    'createPrivateKey, createPublicKey',
    "createPublicKey(key); createPrivateKey(pem).export({ cipher: 'aes-256-cbc' });",
  ),
  withImport('KeyObject, randomUUID', 'export const id = randomUUID; key instanceof KeyObject;'),
  "import type { Cipheriv } from 'node:crypto'; import { type Hash } from 'node:crypto'; export type { Hmac } " +
    "from 'node:crypto';",
  "type Crypto = typeof import('node:crypto'); const { cipher } = { cipher: 'camellia-256-cbc' };",
  "await import('./reader.ts'); createRequire(import.meta.url)('@litko/yara-x'); const kind = 'zipcrypto';",
  "const { createServer } = process.getBuiltinModule('node:http'); crypto.randomUUID();",
])('an algorithm that Electron has and the check can resolve passes: %#', (text) => {
  expect(problemsOf(text)).toEqual([]);
});

test.each(digests)('digest %s also works on Node', (name) => {
  expect(createHash(name).digest().length).toBeGreaterThan(0);
});

test.each(ciphers)('cipher %s also works on Node', (name) => {
  expect(getCipherInfo(name)?.name).toBe(getCipherInfo(name.toLowerCase())?.name);
  expect(getCiphers()).toContain(name.toLowerCase());
});

test('the algorithm check reads host files of every extension', () => {
  const text = withImport('createHash', "export const sum = createHash('shake256');");
  const paths = [
    'electron/sum.js',
    'electron/sum.mjs',
    'electron/vault/sum.ts',
    'electron/windows/sum.tsx',
    'shared/sum.ts',
  ];
  using tree = new PlantedTree(Object.fromEntries(paths.map((path) => [path, text])));
  const { passed, report } = checkAlgorithms(tree.path);
  expect(passed).toBe(false);
  expect(report.split('\n').toSorted()).toEqual(
    paths.map((path) => `${path}:2: Electron has no shake256: its crypto is BoringSSL (build/electron-algorithms.ts)`),
  );
});

test('the algorithm check skips tests', () => {
  const text = withImport('createHash', "export const sum = createHash('shake256');");
  const paths = ['sum.test.ts', 'sum.test.tsx', 'sum.fixture.ts', 'testing/sum.ts', 'fuzz/sum.ts'];
  using tree = new PlantedTree(Object.fromEntries(paths.map((path) => [`electron/vault/${path}`, text])));
  expect(checkAlgorithms(tree.path)).toEqual({ name: 'algorithms', passed: true, report: '' });
});

test('the algorithm check names a file that does not parse', () => {
  expect(problemsOf("import { createHash from 'node:crypto'")).toEqual(['electron/vault/sum.ts: does not parse']);
});
