import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import threads, { type WorkerOptions } from 'node:worker_threads';
import { functionsWithNames } from '../electron-algorithms.ts';

/**
 * Loaded into a process before its entry, and into each of its threads: `node:crypto` refuses the algorithms that
 * Electron's lacks, with the errors of Electron 33.2.1. The functions are replaced in place, so imports by name get
 * these.
 */
const invalidDigest = (message: string): Error =>
  Object.assign(new TypeError(message), { code: 'ERR_CRYPTO_INVALID_DIGEST' });
const withCode = (message: string, code: string): Error => Object.assign(new Error(message), { code });
const noSuchKey = (): Error => new Error('error:06000080:public key routines:OPENSSL_internal:UNSUPPORTED_ALGORITHM');

const errors: Readonly<Record<string, (algorithm: string) => Error>> = {
  createHash: () => new Error('Digest method not supported'),
  hash: (algorithm) => new Error(`Digest method ${algorithm} is not supported`),
  createSign: () => invalidDigest('Invalid digest'),
  createVerify: () => invalidDigest('Invalid digest'),
  createCipheriv: () => withCode('Unknown cipher', 'ERR_CRYPTO_UNKNOWN_CIPHER'),
  createDecipheriv: () => withCode('Unknown cipher', 'ERR_CRYPTO_UNKNOWN_CIPHER'),
  generateKeyPair: noSuchKey,
  generateKeyPairSync: noSuchKey,
  createECDH: () => withCode('Failed to create key using named curve', 'ERR_CRYPTO_OPERATION_FAILED'),
};

for (const [name, { argument, names }] of Object.entries(functionsWithNames)) {
  replace(name, (given) => {
    const algorithm = given[argument];
    if (typeof algorithm !== 'string') return;
    const isKnown = names.some((each) => each.toLowerCase() === algorithm.toLowerCase());
    if (!isKnown) throw (errors[name] ?? ((digest) => invalidDigest(`Invalid digest: ${digest}`)))(algorithm);
  });
}
// Node's OpenSSL has them, Electron's BoringSSL has not.
for (const name of ['argon2', 'argon2Sync']) {
  replace(name, () => {
    throw withCode('Argon2 algorithm not supported', 'ERR_CRYPTO_ARGON2_NOT_SUPPORTED');
  });
}

function replace(name: string, check: (given: readonly unknown[]) => void): void {
  const original: unknown = Reflect.get(crypto, name);
  if (typeof original !== 'function') throw new Error(`node:crypto has no ${name}`);
  const checked = (...given: unknown[]): unknown => {
    check(given);
    return Reflect.apply(original, crypto, given);
  };
  // Its form as a promise is one of its own properties.
  Object.defineProperties(checked, Object.getOwnPropertyDescriptors(original));
  Object.defineProperty(crypto, name, { value: checked });
}

/** A thread starts with built-in modules of its own. */
class ThreadOfElectron extends threads.Worker {
  constructor(file: string | URL, { execArgv = [], ...options }: WorkerOptions = {}) {
    super(file, { ...options, execArgv: ['--import', import.meta.url, ...execArgv] });
  }
}

Object.defineProperty(threads, 'Worker', { value: ThreadOfElectron });
syncBuiltinESMExports();
