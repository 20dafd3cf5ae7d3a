import { expect, test } from 'vitest';
import type { Failure } from '../../../shared/failure.ts';
import type { CaseSample } from './case-sample.ts';
import { caseSample, goldenCases, otherSample, storyOf } from './case.fixture.ts';
import { fileObject, mispAnnotations } from './misp-event.ts';
import type { MispObject } from './misp-object.ts';
import { base64Pieces, mispSamples, type MispSamplesOptions } from './misp-samples.ts';

const reported = { samples: [otherSample()], title: 't', author: '', tlp: null };
const { head } = storyOf(reported);
const [sample = otherSample()] = reported.samples;

const vaultOf = (sizeBytes: number): MispSamplesOptions['vault'] => ({
  hashesOf: async () => ({ md5: sample.md5 ?? '', sha1: sample.sha1 ?? '', sha256: sample.sha256 ?? '', sizeBytes }),
  async *read() {
    yield Buffer.alloc(sizeBytes, 1);
  },
});

async function attributeOf(sizeBytes: number): Promise<{ text: string | null; failures: Failure[] }> {
  const failures: Failure[] = [];
  const attribute = mispSamples({
    vault: vaultOf(sizeBytes),
    password: 'infected',
    limitBytes: 1000,
    leaves: async () => {},
    leftOut: async (_sample, failure) => void failures.push(failure),
  });
  const pieces = attribute(sample, fileObject(sample, 'object', head));
  const parts: string[] = [];
  for await (const piece of pieces) parts.push(piece);
  return { text: parts.length === 0 ? null : parts.join(''), failures };
}

test('a sample exactly at the limit is included, and one byte more is not', async () => {
  const largest = await attributeOf(1000);
  expect(JSON.parse(largest.text ?? '')).toMatchObject({
    type: 'malware-sample',
    data: expect.stringMatching(/^UEsDB/),
  });
  expect(largest.failures).toEqual([]);
  expect(await attributeOf(1001)).toEqual({
    text: null,
    failures: [{ kind: 'sample-too-large', sha256: sample.sha256, sizeBytes: 1001, limitBytes: 1000 }],
  });
});

test.each([[], [0], [1], [2], [1, 1, 1], [4, 0, 5], [3, 70_000, 2]])(
  'the Base64 of pieces is that of the whole: %j',
  async (...sizes) => {
    const pieces = sizes.map((size, at) => Buffer.alloc(size, at + 7));
    const made: string[] = [];
    for await (const piece of base64Pieces(
      (async function* bytes() {
        yield* pieces;
      })(),
    ))
      made.push(piece);
    expect(made.join('')).toBe(Buffer.concat(pieces).toString('base64'));
  },
);

test('a long comment is split into parts, none of which splits a character', () => {
  const text = `${'x'.repeat(15_999)}${'😀'.repeat(9000)}`;
  const annotationsOf = (one: CaseSample): MispObject[] => mispAnnotations(one, fileObject(one, one.hash, head));
  const parts = annotationsOf(caseSample(sample, { note: { text, changed: '' } }));
  const texts = parts.map(
    ({ Attribute }) => Attribute.find(({ object_relation: relation }) => relation === 'text')?.value ?? '',
  );
  expect(texts.join('')).toBe(text);
  for (const value of texts) expect([value.isWellFormed(), value.length <= 16_000]).toEqual([true, true]);
  expect(parts.map(({ comment }) => comment.slice(-8))).toEqual(['(1 of 3)', '(2 of 3)', '(3 of 3)']);
  expect(new Set(parts.map(({ uuid }) => uuid)).size).toBe(3);
  expect(goldenCases['plain']?.samples.flatMap(annotationsOf)).toHaveLength(3);
});

test('a text too long for an instance is cut at a line, and states how much is left out', () => {
  const hits = Array.from({ length: 3000 }, (_, at) => `rule_${at}_ü`.padEnd(60, 'x'));
  const object = fileObject(caseSample(sample, { type: 'y'.repeat(70_000), hits }), 'object', head);
  const valueOf = (relation: string): string =>
    object.Attribute.find((attribute) => attribute.object_relation === relation)?.value ?? '';
  const value = valueOf('text');
  const lines = value.split('\n');
  expect(Buffer.byteLength(value)).toBeLessThanOrEqual(65_535);
  expect(Buffer.byteLength(value)).toBeGreaterThan(60_000);
  expect(valueOf('magic')).toMatch(/^y{990,}…$/);
  expect(lines[0]).toContain('Matching YARA rule: rule_0');
  expect(lines.at(-2)).toContain('Matching YARA rule: rule_');
  expect(lines.at(-1)).toBe(`and ${(3000 - (lines.length - 1)).toLocaleString('en')} more lines`);
});
