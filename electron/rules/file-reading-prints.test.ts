import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RulePrinter, type RulePrints } from './file-reading.ts';
import { generatedRules, layout, writeRule } from './generated-rules.fixture.ts';
import { splitRules } from './split-rules.ts';

function prints(source: string): RulePrints {
  const [rule] = splitRules(source).rules;
  if (rule === undefined) throw new Error('no rule');
  const { text, modifiers, tags, meta, strings, condition } = new RulePrinter(source, rule);
  return { text, modifiers, tags, meta, strings, condition };
}

const usual =
  'global rule a : t u {\n  meta:\n    x = "1"\n  strings:\n    $a = { 01 02 }\n    $b = "b" wide\n' +
  '  condition:\n    $a and $b\n}';

function differing(changed: string): string[] {
  const before = prints(usual);
  const after = prints(changed);
  return (['text', 'modifiers', 'tags', 'meta', 'strings', 'condition'] as const).filter(
    (part) => before[part] !== after[part],
  );
}

test.each([
  ['', '', []],
  ['global ', '', ['text', 'modifiers']],
  ['global ', 'private global ', ['text', 'modifiers']],
  ['t u', 't', ['text', 'tags']],
  [': t u', '', ['text', 'tags']],
  ['t u', 'tu', ['text', 'tags']],
  ['"1"', '"2"', ['text', 'meta']],
  ['x = "1"', 'x = "1" x = "1"', ['text', 'meta']],
  ['02', '03', ['text', 'strings']],
  ['$b =', '$c =', ['text', 'strings']],
  ['"b"', '" b"', ['text', 'strings']],
  ['and', 'or', ['text', 'condition']],
  ['{ 01 02 }', '{\n01 /* } */ 02 // }\n}', ['text']],
  ['$a and $b', '$a  and // and\n$b', ['text']],
  ['x = "1"', 'x="1"', ['text']],
  [' t u ', '\tt\n u', ['text']],
])('rule prints with %j as %j differ in the changed parts', (was, is, parts) => {
  expect(differing(usual.replace(was, is))).toEqual(parts);
});

test('rule prints ignore line ends', () => {
  expect(differing(usual.replaceAll('\n', '\r\n'))).toEqual([]);
});

test('rule prints have none for a missing part, and one for an empty part', () => {
  expect(prints('rule a { condition: true }')).toMatchObject({ meta: null, strings: null });
  const empty = createHash('sha256').digest('hex');
  expect(prints('rule a { meta: condition: true }')).toMatchObject({ meta: empty, tags: empty, modifiers: empty });
});

test('rule prints of parts ignore the layout of any rule', () => {
  fc.assert(
    fc.property(generatedRules, layout, layout, (rules, one, other) => {
      for (const rule of rules) {
        const [a, b] = [prints(writeRule(rule, one)), prints(writeRule(rule, other))];
        expect({ ...a, text: '' }).toEqual({ ...b, text: '' });
      }
    }),
  );
});

test('rule prints of a part longer than the buffer differ by its last token', () => {
  const long = (last: string): string =>
    `rule a { strings: ${'$a = "0123456789"\n'.repeat(5_000)} $b = "${last}" condition: any of them }`;
  expect(prints(long('x')).strings).toBe(prints(long('x').replaceAll('\n', '\t')).strings);
  expect(prints(long('x')).strings).not.toBe(prints(long('y')).strings);
});
