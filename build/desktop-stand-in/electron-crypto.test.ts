import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { StandInDesktop } from './stand-in-desktop.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-stand-in-crypto-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The error of each function for an algorithm, or that it took it. */
const trials = `
  import * as crypto from 'node:crypto';
  const saidTo = (name, ...given) => {
    try {
      crypto[name](...given);
      return name + ' took it';
    } catch (error) {
      return [name, error.name, error.code ?? 'no code', error.message].join(' | ');
    }
  };
  export const said = () => [
    saidTo('createHash', 'sha256'),
    saidTo('createHash', 'shake256', { outputLength: 8 }),
    saidTo('createHash', 'blake2b512'),
    saidTo('hash', 'sha3-256', 'bytes'),
    saidTo('createHmac', 'blake2b512', 'key'),
    saidTo('pbkdf2Sync', 'password', 'salt', 1, 32, 'sha3-256'),
    saidTo('createCipheriv', 'chacha20-poly1305', Buffer.alloc(32), Buffer.alloc(12), { authTagLength: 16 }),
    saidTo('createCipheriv', 'aes-256-gcm', Buffer.alloc(32), Buffer.alloc(12)),
    saidTo('generateKeyPairSync', 'ed448'),
    saidTo('createECDH', 'secp256k1'),
  ];
`;
/** As Electron 33.2.1 said it. */
const expected = [
  'createHash took it',
  'createHash | Error | no code | Digest method not supported',
  'createHash | Error | no code | Digest method not supported',
  'hash | Error | no code | Digest method sha3-256 is not supported',
  'createHmac | TypeError | ERR_CRYPTO_INVALID_DIGEST | Invalid digest: blake2b512',
  'pbkdf2Sync | TypeError | ERR_CRYPTO_INVALID_DIGEST | Invalid digest: sha3-256',
  'createCipheriv | Error | ERR_CRYPTO_UNKNOWN_CIPHER | Unknown cipher',
  'createCipheriv took it',
  'generateKeyPairSync | Error | no code | error:06000080:public key routines:OPENSSL_internal:UNSUPPORTED_ALGORITHM',
  'createECDH | Error | ERR_CRYPTO_OPERATION_FAILED | Failed to create key using named curve',
];

test('the simulated Electron refuses what Electron lacks in every process and thread', async () => {
  writeFileSync(join(folder, 'trials.mjs'), trials);
  writeFileSync(
    join(folder, 'thread.mjs'),
    `
    import { parentPort } from 'node:worker_threads';
    import { said } from './trials.mjs';
    parentPort.postMessage(said());
  `,
  );
  const inThread = `
    import { Worker } from 'node:worker_threads';
    import { said } from './trials.mjs';
    const inThread = () => new Promise((resolve) =>
      new Worker(new URL('thread.mjs', import.meta.url), { execArgv: [] }).once('message', resolve));
  `;
  writeFileSync(
    join(folder, 'child.mjs'),
    `${inThread}
    process.parentPort.postMessage({ process: said(), thread: await inThread() });
  `,
  );
  writeFileSync(
    join(folder, 'main.mjs'),
    `${inThread}
    import { app, utilityProcess } from 'electron';
    const tell = (where, lines) => process.send({ kind: 'told', what: JSON.stringify([where, lines]) });
    tell('main process', said());
    app.whenReady().then(async () => {
      tell('thread of it', await inThread());
      const child = utilityProcess.fork(${JSON.stringify(join(folder, 'child.mjs'))}, [], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      child.on('message', (heard) => {
        tell('utility process', heard.process);
        tell('thread of that', heard.thread);
        app.quit();
      });
    });
  `,
  );
  const desktop = new StandInDesktop(join(folder, 'main.mjs'), folder);
  expect(await desktop.exited).toBe(0);
  const places = ['main process', 'thread of it', 'utility process', 'thread of that'];
  expect(desktop.reported.map((line): unknown => JSON.parse(line))).toEqual(places.map((place) => [place, expected]));
});
