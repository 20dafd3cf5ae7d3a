import { expect, test } from 'vitest';
import { rulesMeant } from '../library/indexed-package.ts';
import { parsePackage } from '../parse-package.ts';
import { bindRules } from '../rule-binding.ts';
import { type Chunk, GatePlan } from './gate-plan.ts';

function plan(files: Record<string, string>): GatePlan {
  const parsed = parsePackage(Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })));
  const broken = rulesMeant(parsed, parsed.broken);
  return new GatePlan(parsed, bindRules(parsed, (rule) => broken.has(rule)).instances);
}
const rules = (count: number, condition: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `rule r${index} { condition: ${condition(index)} }`).join('\n');
const names = ({ pieces }: Chunk): string[] =>
  pieces.map((piece) => ('module' in piece ? `import ${piece.module}` : piece.instance.identifier));

test('the plan judges each rule in one chunk, and a chunk contains what its rules need', () => {
  const { chunks } = plan({
    'a.yar': 'import "pe"\nprivate rule first { condition: pe.is_pe }',
    'b.yar': `include "a.yar"\n${rules(400, () => 'first')}`,
  });
  expect(chunks.length).toBeGreaterThan(2);
  expect(chunks.flatMap(({ own }) => own.map(({ instance }) => instance.identifier)).toSorted()).toEqual(
    ['first', ...Array.from({ length: 400 }, (_, index) => `r${index}`)].toSorted(),
  );
  for (const chunk of chunks) expect(names(chunk).slice(0, 2)).toEqual(['import pe', 'first']);
});

test('the plan puts all imports first, wherever they are', () => {
  const { chunks } = plan({
    'a.yar': 'rule before { condition: pe.is_pe }\nimport "pe"\nrule after { condition: pe.is_pe }\nimport "math"',
  });
  expect(chunks.map(names)).toEqual([['import pe', 'import math', 'before', 'after']]);
});

test('the plan makes one chunk of a chain too long to repeat', () => {
  const { chunks } = plan({ 'a.yar': rules(1000, (index) => (index === 0 ? 'true' : `r${index - 1}`)) });
  expect(chunks.map(({ own, pieces }) => [own.length, pieces.length])).toEqual([[1000, 1000]]);
});

test('the plan does not compile rules that are already broken', () => {
  const { chunks, total } = plan({
    'a.yar': 'rule a { condition: true }\nrule a { condition: false }\nrule b { condition: a }',
  });
  expect(total).toBe(2);
  expect(chunks.flatMap(({ pieces }) => pieces.map(({ text }) => text))).toEqual([
    'rule a { condition: true }',
    'rule b { condition: a }',
  ]);
});
