import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { OpenedPackage } from './opened-package.ts';
import { contradicts } from './package-opening.ts';
import { type PackageWithoutTokens, packageWithoutTokens } from './package-without-tokens.ts';

const token = 'one+secret/token';
const known = ['another-secret-token', token];

function opened(paths: readonly string[], bytes: Uint8Array): OpenedPackage {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    files: paths.map((path) => ({ path, bytes })),
    manifest: {
      version: `1 ${token}`,
      group: token,
      published: encodeURIComponent(token),
      files: paths.map((path) => ({ path, sha256, sizeBytes: bytes.length })),
    },
    refused: [{ rule: null, file: `${token}.yar`, line: 0, kind: 'file', text: 'it is damaged' }],
    reading: { leftOut: 0, links: 0, utf16: 0, utf16Unmarked: 0, latin1: 0, bareReturns: 0 },
  };
}

const without = (
  from: OpenedPackage,
  { tokens, noted = [] }: { tokens: readonly string[]; noted?: PackageWithoutTokens['tokens'] } = { tokens: known },
): Promise<PackageWithoutTokens> => packageWithoutTokens(from, { sha256: '0'.repeat(64), tokens, noted });

const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('latin1');

test('a token is redacted in every text of a package, in every form', async () => {
  const base64 = Buffer.from(token).toString('base64');
  const { tokens: _, ...clean } = await without(
    opened(
      [`${token}/a.yar`],
      Buffer.from(`rule a { meta: b = "by ${token}, ${encodeURIComponent(token)}, ${base64}" condition: true }`),
    ),
  );
  expect(JSON.stringify({ ...clean, files: clean.files.map(({ path, bytes }) => [path, textOf(bytes)]) })).not.toMatch(
    /secret(?!\])|token/,
  );
  expect(textOf(clean.files[0]?.bytes)).toMatch(
    /^rule a \{ meta: b = "by \[secret\], \[secret\], \[secret\]\w*=*" condition: true \}$/,
  );
  expect([clean.files[0]?.path, clean.manifest?.group, clean.refused[0]?.file]).toEqual([
    '[secret]/a.yar',
    '[secret]',
    '[secret].yar',
  ]);
});

test('a redacted package’s manifest still matches the files it matched before', async () => {
  const sound = opened(['a.yar', `${token}.yar`], Buffer.from(`// ${token}`));
  const [clean, other] = [
    await without(sound),
    await without({ ...sound, files: [{ path: 'a.yar', bytes: Buffer.from(`// other ${token}`) }] }),
  ];
  expect([clean, other].every(({ manifest }) => manifest !== null)).toBe(true);
  expect(clean.manifest && (await contradicts(clean.manifest, clean.files))).toBe(false);
  expect(other.manifest && (await contradicts(other.manifest, other.files))).toBe(true);
});

test('bytes that are no text stay unchanged around a redacted token', async () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(token), Buffer.from([0xc3, 0x00])]);
  const clean = await without(opened(['a.yar'], bytes));
  expect(textOf(clean.files[0]?.bytes)).toBe('\xff\xfe\x80[secret]\xc3\x00');
});

test('a package without a token is unchanged, and so is any package when no token is known', async () => {
  const plain = opened(['a.yar'], Buffer.from('rule a { condition: true }'));
  expect((await without(plain)).files[0]?.bytes).toBe(plain.files[0]?.bytes);
  expect(await without(plain, { tokens: [] })).toEqual({ ...plain, tokens: [] });
});

test('a redacted token stays redacted when no token is known, to the same extent', async () => {
  const whole = opened(
    [`${token}/a.yar`, 'b.yar'],
    Buffer.concat([
      Buffer.from([0xff]),
      Buffer.from(`rule a { meta: by = "${token}${token}" condition: true } // ${token}`),
    ]),
  );
  const first = await without(whole);
  expect(first.tokens.map(({ at }) => at.length).toSorted((one, other) => one - other)).toEqual([1, 1, 1, 1, 1, 2]);
  expect(await without(whole, { tokens: [], noted: first.tokens })).toEqual(first);
  expect(await without(whole, { tokens: known, noted: first.tokens })).toEqual(first);
  const other = opened(['c.yar'], Buffer.from('rule c { condition: true }'));
  expect((await without({ ...other, manifest: null, refused: [] }, { tokens: [], noted: first.tokens })).files).toEqual(
    other.files,
  );
});

test('a package that holds a token more often than the limit is not opened', async () => {
  await expect(without(opened(['a.yar'], Buffer.from(`${token} `.repeat(10_001))))).rejects.toMatchObject({
    failure: { kind: 'package-unreadable', text: expect.stringContaining('too often') },
  });
});

test('a token in a large file is removed wherever it is, also across the chunks that are read', async () => {
  for (const at of [0, 2 * 2 ** 20 - 5, 6 * 2 ** 20 - token.length]) {
    const bytes = Buffer.alloc(6 * 2 ** 20, ' ');
    bytes.write(token, at);
    const { files } = await without(opened(['a.yar'], bytes));
    expect(textOf(files[0]?.bytes).includes(token)).toBe(false);
  }
  const clean = Buffer.alloc(5 * 2 ** 20, ' ');
  expect((await without(opened(['a.yar'], clean))).files[0]?.bytes).toBe(clean);
});
