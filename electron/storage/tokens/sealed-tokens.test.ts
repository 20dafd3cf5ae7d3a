import { scryptSync } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import {
  emptySealedTokens,
  type MasterKey,
  masterKeyFor,
  newSalt,
  opensWith,
  readSealedTokens,
  type SealedTokens,
  tokenIn,
  withoutToken,
  withToken,
  writeSealedTokens,
} from './sealed-tokens.ts';

const salt = newSalt();
const passphrase = 'correct horse';
/** A key of the usual rounds takes a third of a second: one shows how it is made. */
const fewRounds = 2 ** 10;
let key: MasterKey;
let tokens: SealedTokens;
beforeAll(async () => {
  key = await masterKeyFor(passphrase, salt, fewRounds);
  tokens = withToken(emptySealedTokens(key, salt), key, 'a', 'the token of a');
});

test('the master key is scrypt with N = 2^17, r = 8, p = 1 over the normalised passphrase', async () => {
  expect(await masterKeyFor(passphrase, salt)).toEqual(
    scryptSync(passphrase, Buffer.from(salt, 'hex'), 32, { N: 131_072, r: 8, p: 1, maxmem: 2 ** 28 }),
  );
  expect(await masterKeyFor('caf\u00e9 noir', salt, fewRounds)).toEqual(
    await masterKeyFor('cafe\u0301 noir', salt, fewRounds),
  );
});

test('any name and any text survive the file round trip', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string({ unit: 'grapheme' })), { maxLength: 5 }), (pairs) => {
      let sealed = emptySealedTokens(key, salt);
      for (const [name, value] of pairs) sealed = withToken(sealed, key, name, value);
      const read = readSealedTokens(writeSealedTokens(sealed)) ?? expect.fail('it cannot be read');
      expect(opensWith(read, key)).toBe(true);
      for (const [name, value] of new Map(pairs)) expect(tokenIn(read, key, name)).toEqual({ state: 'found', value });
      expect(read.entries).toHaveLength(new Map(pairs).size);
    }),
    { numRuns: 50 },
  );
});

test('the file shows no value or passphrase in plain text, only the names', () => {
  const text = writeSealedTokens(tokens);
  for (const secret of ['the token of a', passphrase]) {
    for (const encoding of ['utf8', 'hex', 'base64'] as const)
      expect(text).not.toContain(Buffer.from(secret).toString(encoding));
  }
});

test('no two sealings share a salt, a nonce or a key stream', () => {
  const again = withToken(tokens, key, 'a', 'the token of a');
  const [one, other] = [tokens.entries[0]?.box, again.entries[0]?.box];
  for (const part of ['salt', 'nonce', 'tag', 'sealed'] as const) expect(one?.[part]).not.toBe(other?.[part]);
});

test('every flipped byte of the file is refused', () => {
  const bytes = Buffer.from(writeSealedTokens(tokens));
  for (let at = 0; at < bytes.length; at += 1) {
    for (const bit of [1, 32, 128]) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(at) ^ bit, at);
      expect(readSealedTokens(flipped.toString('utf8')), `byte ${at}`).toBeNull();
    }
  }
});

test('a file cut anywhere, empty, or with added bytes is refused', () => {
  const text = writeSealedTokens(tokens);
  for (let length = 0; length < text.length; length += 1) expect(readSealedTokens(text.slice(0, length))).toBeNull();
  expect(readSealedTokens(` ${text}`)).toBeNull();
  expect(readSealedTokens(`${text}\n`)).toBeNull();
  fc.assert(fc.property(fc.string(), (any) => readSealedTokens(any) === null));
});

/** Someone who mends the checksum after a change. */
const changed = (change: (box: SealedTokens) => void): SealedTokens => {
  const copy = structuredClone(tokens);
  change(copy);
  return readSealedTokens(writeSealedTokens(copy)) ?? expect.fail('the checksum was mended');
};
const flipHex = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);

test('every changed digit of a box is refused, even with a corrected checksum', () => {
  for (const part of ['salt', 'nonce', 'tag', 'sealed'] as const) {
    const { length } = tokens.entries[0]?.box[part] ?? expect.fail('no entry');
    for (let at = 0; at < length; at += 1) {
      const forged = changed(({ entries: [entry] }) => {
        if (entry) entry.box[part] = flipHex(entry.box[part], at);
      });
      expect(tokenIn(forged, key, 'a')).toEqual({ state: 'damaged' });
      // The check holds nothing, so there is no digit of its content to change.
      if (part !== 'sealed')
        expect(
          opensWith(
            changed(({ check }) => void (check[part] = flipHex(check[part], at))),
            key,
          ),
        ).toBe(false);
    }
  }
});

test('a box is useless under another name, salt or key', async () => {
  const renamed = changed(({ entries: [entry] }) => {
    if (entry) entry.name = 'b';
  });
  expect(tokenIn(renamed, key, 'b')).toEqual({ state: 'damaged' });
  expect(tokenIn(renamed, key, 'a')).toEqual({ state: 'absent' });
  expect(tokenIn({ ...tokens, salt: newSalt() }, key, 'a')).toEqual({ state: 'damaged' });
  const wrong = await masterKeyFor('correct h0rse', salt, fewRounds);
  expect(opensWith(tokens, wrong)).toBe(false);
  expect(tokenIn(tokens, wrong, 'a')).toEqual({ state: 'damaged' });
});

test('a token is removed without the key', () => {
  const two = withToken(tokens, key, 'b', 'the token of b');
  const left = withoutToken(two, 'a');
  expect([tokenIn(left, key, 'a').state, tokenIn(left, key, 'b').state]).toEqual(['absent', 'found']);
});
