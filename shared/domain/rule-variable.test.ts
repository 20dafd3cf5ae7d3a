import { expect, test } from 'vitest';
import { readVariables, type RuleVariable, ruleVariables, writtenVariable } from './rule-variable.ts';

test.each<[string, RuleVariable]>([
  ['site = lab', { name: 'site', type: 'text', value: 'lab' }],
  ['port="8080"', { name: 'port', type: 'text', value: '8080' }],
  ['port=8080', { name: 'port', type: 'integer', value: 8080 }],
  ['ratio = -1.50', { name: 'ratio', type: 'float', value: -1.5 }],
  ['whole = 2.0', { name: 'whole', type: 'float', value: 2 }],
  ['tiny = 1.0e-30', { name: 'tiny', type: 'float', value: 1e-30 }],
  ['huge = 1.0e+21', { name: 'huge', type: 'float', value: 1e21 }],
  ['is_lab = true', { name: 'is_lab', type: 'boolean', value: true }],
  ['line = "a\\n\\"b\\""', { name: 'line', type: 'text', value: 'a\n"b"' }],
  ['path = "C:\\lab"', { name: 'path', type: 'text', value: 'C:\\lab' }],
  ['eq = a=b', { name: 'eq', type: 'text', value: 'a=b' }],
  ['owner = analyst', { name: 'owner', type: 'text', value: 'analyst' }],
])('the line %j defines a variable, and its written form is read back', (line, variable) => {
  expect(readVariables(line)).toEqual({ ok: true, variables: [variable] });
  expect(readVariables(writtenVariable(variable))).toEqual({ ok: true, variables: [variable] });
});

test.each([
  ['a = 1\n\n1a = 2', 3, /letters/],
  ['rule = 1', 1, /YARA keyword/],
  ['pe = 1', 1, /module/],
  ['filename = 5', 1, /must be texts/],
  ['a = 1\na = 2', 2, /already defined/],
  ['a = 99999999999999999999', 1, /whole number/],
  [`a = ${'x'.repeat(1001)}`, 1, /1,000/],
  [Array.from({ length: 51 }, (_, index) => `v${index} = 1`).join('\n'), 51, /at most 50/],
])('the definition %j is refused with its line', (text, line, problem) => {
  expect(readVariables(text)).toEqual({ ok: false, line, problem: expect.stringMatching(problem) });
});

test('a name is defined once', () => {
  expect(
    ruleVariables.safeParse([
      { name: 'a', type: 'integer', value: 1 },
      { name: 'a', type: 'boolean', value: true },
    ]).success,
  ).toBe(false);
});
