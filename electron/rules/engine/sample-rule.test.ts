import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { goldenBytes, goldenSamples } from '../../../shared/domain/sample-table.fixture.ts';
import { mostInOneRule, sampleRule, reportedSample } from '../../../shared/domain/sample-table.ts';
import { portableEngine } from './portable-yara.ts';

const goldenRule = (name: string): Promise<string> =>
  readFile(new URL(`../../../shared/domain/golden/${name}/yara.txt`, import.meta.url), 'utf8');

test.each([
  ['plain', ['one']],
  ['unknown-hashes', ['one', 'two', 'three']],
  ['hostile', []],
  ['every-tlp', []],
])('the rule copied from the %s samples compiles and matches only those samples: %j', async (name, found) => {
  const { compile } = await portableEngine();
  const rules = compile(await goldenRule(name), []);
  const hits = Object.entries(goldenBytes).filter(([, text]) => rules.scan(Buffer.from(text), {}).length > 0);
  expect(hits.map(([which]) => which)).toEqual(found);
  expect(rules.scan(Buffer.from('golden sample four\n'), {})).toEqual([]);
});

test(
  'the rule of the maximum number of samples compiles and matches the last of them',
  { tags: ['long'] },
  async () => {
    const { compile } = await portableEngine();
    const others = Array.from({ length: mostInOneRule - 1 }, (_, at) =>
      reportedSample({ md5: at.toString(16).padStart(32, '0') }),
    );
    const rules = compile(sampleRule([...others, ...goldenSamples.plain]), []);
    expect(rules.scan(Buffer.from(goldenBytes.one), {})).toHaveLength(1);
    expect(rules.scan(Buffer.from(goldenBytes.two), {})).toEqual([]);
  },
);
