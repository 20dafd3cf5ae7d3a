import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { contradicts } from './manifest-check.ts';
import type { OpenedPackage } from './opened-package.ts';
import { packageWithoutTokens } from './package-without-tokens.ts';

const token = 'one+secret/token';
const tokens = ['another-secret-token', token];

function opened(paths: readonly string[], bytes: Uint8Array): OpenedPackage {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    files: paths.map((path) => ({ path, bytes })),
    manifest: { version: `1 ${token}`, group: token, published: encodeURIComponent(token), files: paths.map((path) => ({ path, sha256, sizeBytes: bytes.length })) },
    refused: [{ rule: null, file: `${token}.yar`, line: 0, kind: 'file', text: 'it is damaged' }],
  };
}

const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('latin1');

test('a token is in no text of a package, whatever form it has and wherever it stands', async () => {
  const base64 = Buffer.from(token).toString('base64');
  const clean = await packageWithoutTokens(opened([`${token}/a.yar`], Buffer.from(`rule a { meta: b = "by ${token}, ${encodeURIComponent(token)}, ${base64}" condition: true }`)), tokens);
  expect(JSON.stringify({ ...clean, files: clean.files.map(({ path, bytes }) => [path, textOf(bytes)]) })).not.toMatch(/secret(?!\])|token/);
  expect(textOf(clean.files[0]?.bytes)).toMatch(/^rule a \{ meta: b = "by \[secret\], \[secret\], \[secret\]\w*=*" condition: true \}$/);
  expect([clean.files[0]?.path, clean.manifest?.group, clean.refused[0]?.file]).toEqual(['[secret]/a.yar', '[secret]', '[secret].yar']);
});

test('its manifest tells of what it told of before', async () => {
  const sound = opened(['a.yar', `${token}.yar`], Buffer.from(`// ${token}`));
  const [clean, other] = [await packageWithoutTokens(sound, tokens), await packageWithoutTokens({ ...sound, files: [{ path: 'a.yar', bytes: Buffer.from(`// other ${token}`) }] }, tokens)];
  expect([clean, other].every(({ manifest }) => manifest !== null)).toBe(true);
  expect(clean.manifest && await contradicts(clean.manifest, clean.files)).toBe(false);
  expect(other.manifest && await contradicts(other.manifest, other.files)).toBe(true);
});

test('bytes that are no text stay as they are around it', async () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(token), Buffer.from([0xc3, 0x00])]);
  const clean = await packageWithoutTokens(opened(['a.yar'], bytes), tokens);
  expect(textOf(clean.files[0]?.bytes)).toBe('\xff\xfe\x80[secret]\xc3\x00');
});

test('what holds none is the same, and so is all of it where no token is known', async () => {
  const plain = opened(['a.yar'], Buffer.from('rule a { condition: true }'));
  expect((await packageWithoutTokens(plain, tokens)).files[0]?.bytes).toBe(plain.files[0]?.bytes);
  expect(await packageWithoutTokens(plain, [])).toBe(plain);
});
