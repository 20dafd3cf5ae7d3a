import { expect, test } from 'vitest';
import { parsePackage } from '../parse-package.ts';
import type { ParsedPackage } from '../parsed-package.ts';
import { compileGate } from './compile-gate.ts';

const parse = (files: Record<string, string>): ParsedPackage =>
  parsePackage(Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })));
const gate = (files: Record<string, string>) => compileGate(parse(files), {});
const fine = (name: string): string => `rule ${name} {\n  strings:\n    $a = "${name}"\n  condition:\n    $a\n}\n`;
const many = (count: number, rule: (index: number) => string, between = ''): string =>
  Array.from({ length: count }, (_, index) => rule(index)).join(between);
/** Its compilation would take a minute and more. */
const endless =
  `rule endless { strings: ${many(20_000, (index) => `$a${index} = /[a-z]{3}x${index}/ nocase`, ' ')} condition: ` +
  'any of them }\n';
/** Deeper than the engine's stack. */
const deadly = `rule deadly { condition: ${'not '.repeat(100_000)}true }\n`;
/** Threads of this process: each worker has a channel of its own. */
const threads = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

test('the gate finds nothing broken in a package of good rules, and its progress reaches the end', async () => {
  const steps: number[][] = [];
  const parsed = parse({
    'a.yar': `import "pe"\n${many(60, (index) => fine(`a${index}`))}`,
    'b.yar': 'rule b { condition: filename matches /x/ and owner != "" and pe.is_pe }',
  });
  expect(await compileGate(parsed, { onProgress: (done, total) => void steps.push([done, total]) })).toEqual([]);
  expect(steps.at(-1)).toEqual([61, 61]);
});

test('the gate names one broken rule of a hundred by file, line and engine message', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 10 }, (_, file) => [`f${file}.yar`, many(10, (index) => fine(`r${file}_${index}`))]),
  );
  files['f7.yar'] =
    files['f7.yar']?.replace('"r7_4"\n  condition:\n    $a', '"r7_4"\n  condition:\n    $a and $b') ?? '';
  expect(await gate(files)).toEqual([
    {
      rule: 'r7_4',
      file: 'f7.yar',
      line: 29,
      kind: 'engine',
      text: 'unknown pattern `$b`: this pattern is not declared in the `strings` section',
    },
  ]);
});

test('the gate finds syntax and semantic errors in one file without blaming the rules between them', async () => {
  const text = [
    fine('one'),
    'rule two {\n condition:\n  (}\n',
    fine('three'),
    'rule four { condition: "a" + 1 == 2 }\n',
    fine('five'),
    'rule six { strings: condition: true }',
  ].join('');
  expect((await gate({ 'a.yar': text })).map(({ rule, line, text: words }) => [rule, line, words])).toEqual([
    ['two', 9, 'syntax error: expecting expression or identifier, found `}`'],
    ['four', 16, 'wrong type: expression should be `float` or `integer`, but it is `string`'],
    ['six', 23, 'syntax error: expecting pattern identifier, found `condition`'],
  ]);
});

test('the gate marks rules that use a broken rule as broken, wherever they are', async () => {
  const users = many(
    500,
    (index) => `rule user${index} { condition: ${index === 400 ? 'last' : 'filesize > 1'} }`,
    '\n',
  );
  const broken = await gate({
    'a.yar': 'rule first { condition: nothing }\nrule middle { condition: first }',
    'b.yar': `include "a.yar"\nrule last { condition: middle }\n${users}`,
  });
  expect(broken.map(({ rule, file, line, kind, text }) => [rule, file, line, kind, text])).toEqual([
    ['first', 'a.yar', 1, 'engine', 'unknown identifier `nothing`: this identifier has not been declared'],
    ['middle', 'a.yar', 2, 'uses', 'It uses first, which is broken: a.yar, line 1'],
    ['last', 'b.yar', 2, 'uses', 'It uses middle, which is broken: a.yar, line 2'],
    ['user400', 'b.yar', 403, 'uses', 'It uses last, which is broken: b.yar, line 2'],
  ]);
});

test('the gate marks a rule that uses one of a file not included as broken, and names the file', async () => {
  const same = 'rule same { condition: true }\n';
  expect(
    await gate({
      'a.yar': `${same}rule only_here { condition: same }`,
      'b.yar': `${same}rule user { condition: only_here }\nrule wrong { condition: same + 1 == 2 }`,
    }),
  ).toEqual([
    {
      rule: 'user',
      file: 'b.yar',
      line: 2,
      kind: 'engine',
      text: 'unknown identifier `only_here`: this identifier has not been declared',
    },
    { rule: 'wrong', file: 'b.yar', line: 3, kind: 'engine', text: expect.stringMatching(/^wrong type/) },
  ]);
});

test('the gate counts a rule with a helper broken in one namespace once, and reports that namespace', async () => {
  const files = {
    'a.yar': 'rule helper { condition: nothing }\ninclude "shared.yar"',
    'b.yar': 'rule helper { condition: true }\ninclude "shared.yar"',
    'c.yar': 'include "shared.yar"',
    'shared.yar': '\nrule user { condition: helper }',
  };
  expect(await gate(files)).toMatchObject([
    { rule: 'helper', file: 'a.yar', kind: 'engine' },
    {
      rule: null,
      file: 'shared.yar',
      line: 2,
      kind: 'uses',
      text: 'user is skipped where a.yar and 1 more include it: It uses helper, which is broken: a.yar, line 1',
    },
  ]);
});

test('the gate accepts a file that includes one later by name', async () => {
  const files = { 'a.yar': 'include "z.yar"\nrule a { condition: z }', 'z.yar': fine('z') };
  expect(await gate(files)).toEqual([]);
  expect(await gate({ ...files, 'a.yar': 'rule a { condition: z }' })).toMatchObject([
    { rule: 'a', line: 1, kind: 'engine' },
  ]);
});

test('the gate names a module missing in the engine at each import, and the rules that need it', async () => {
  const broken = await gate({
    'a.yar': `import "pe"\nimport "nosuch"\n${fine('a')}rule b { condition: nosuch.thing }`,
    'b.yar': 'import "nosuch" import "no such"',
  });
  expect(broken).toEqual([
    { rule: null, file: 'a.yar', line: 2, kind: 'engine', text: 'unknown module `nosuch`: module `nosuch` not found' },
    {
      rule: 'b',
      file: 'a.yar',
      line: 9,
      kind: 'engine',
      text: 'unknown identifier `nosuch`: this identifier has not been declared',
    },
    { rule: null, file: 'b.yar', line: 1, kind: 'engine', text: 'unknown module `nosuch`: module `nosuch` not found' },
    { rule: null, file: 'b.yar', line: 1, kind: 'engine', text: 'unknown module' },
  ]);
});

test('the gate also reports errors found without an engine, by file and line', async () => {
  const broken = await gate({
    'b.yar': 'include "gone.yar"',
    'a.yar': 'rule a { condition: true }\nstray\nrule a { condition: true }',
  });
  expect(broken.map(({ file, line, kind }) => [file, line, kind])).toEqual([
    ['a.yar', 2, 'text'],
    ['a.yar', 3, 'duplicate'],
    ['b.yar', 1, 'include'],
  ]);
});

test('the gate does not delay other rules for one of two megabytes, and does not repeat its text', async () => {
  const text = `rule big { strings: $a = "${'x'.repeat(2_000_000)}" condition: $b }\n${fine('small')}`;
  expect(await gate({ 'a.yar': text })).toMatchObject([
    { rule: 'big', line: 1, text: expect.not.stringContaining('xx') },
  ]);
});

test('the gate names a rule that takes too long, and judges the rest', async () => {
  const parsed = parse({
    'a.yar': `${fine('one')}${endless}${fine('two')}rule three { condition: endless }`,
    'b.yar': fine('four'),
  });
  expect(await compileGate(parsed, { limits: { fileSeconds: 0.5, ruleSeconds: 1 } })).toEqual([
    { rule: 'endless', file: 'a.yar', line: 7, kind: 'limit', text: 'It takes longer than 1 s to compile' },
    { rule: 'three', file: 'a.yar', line: 14, kind: 'uses', text: 'It uses endless, which is broken: a.yar, line 7' },
  ]);
});

test('the gate names a rule that crashes the engine, and judges the rest', async () => {
  expect(
    await gate({ 'a.yar': `${fine('one')}${deadly}${fine('two')}`, 'b.yar': 'rule three { condition: one and four }' }),
  ).toMatchObject([
    { rule: 'deadly', file: 'a.yar', line: 7, kind: 'limit', text: 'It crashes the engine' },
    { rule: 'three', kind: 'engine' },
  ]);
});

test('the gate leaves out what it did not reach in a package that takes too long in all', async () => {
  const parsed = parse({ 'a.yar': `${endless}${many(60, (index) => fine(`a${index}`))}` });
  const broken = await compileGate(parsed, { limits: { totalSeconds: 0.5 } });
  expect(broken).toContainEqual({
    rule: 'endless',
    file: 'a.yar',
    line: 1,
    kind: 'limit',
    text: 'Not compiled: the package takes longer than 0.5 s',
  });
});

test('the gate reports a cancel to its caller, and no thread remains', async () => {
  const before = threads();
  const going = new AbortController();
  const parsed = parse({ 'a.yar': many(60, (index) => fine(`a${index}`)), 'b.yar': endless });
  const onProgress = (): void => {
    expect(threads()).toBeGreaterThan(before);
    going.abort();
  };
  await expect(compileGate(parsed, { signal: going.signal, onProgress })).rejects.toMatchObject({
    failure: { kind: 'cancelled' },
  });
  expect(threads()).toBe(before);
  await expect(compileGate(parsed, { signal: going.signal })).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
});

test('the gate gives engine warnings rule and line, once per rule, without quoting the source', async () => {
  const warned = async (files: Record<string, string>) => {
    const all: unknown[] = [];
    const broken = await compileGate(parse(files), { onWarnings: (warnings) => all.push(...warnings) });
    return [broken.length, all];
  };
  const slow = 'rule slow {\n  strings:\n    $a = { 00 00 00 }\n  condition: $a\n}\n';
  const expected = {
    rule: 'slow',
    file: 'shared.yar',
    line: 4,
    code: 'slow_pattern',
    text: 'slow pattern: this pattern may slow down the scan',
  };
  const shared = { 'a.yar': 'include "shared.yar"', 'b.yar': 'include "shared.yar"', 'shared.yar': `\n${slow}` };
  expect(await warned(shared)).toEqual([0, [expected]]);
  expect(await warned({ ...shared, 'c.yar': 'rule bad { condition: nothing }' })).toEqual([1, [expected]]);
  expect(await warned({ 'a.yar': 'rule always { condition: true or filesize > 1 }' })).toMatchObject([
    0,
    [{ code: 'invariant_expr', text: expect.stringContaining('`always` is always `true`') }],
  ]);
});

test('the gate reports known misses of YARA-X with the engine warnings, but not for a broken rule', async () => {
  const far = (name: string, condition: string): string =>
    `rule ${name} {\n  strings:\n    $a = { 61 62 63 64 [-] 65 }\n  condition: ${condition}\n}\n`;
  const all: { rule: string; line: number; code: string }[] = [];
  await compileGate(parse({ 'a.yar': far('far', '$a or true') + far('bad', '$a and nothing') }), {
    onWarnings: (warnings) => all.push(...warnings),
  });
  expect(all.map(({ rule, line, code }) => `${rule} ${line} ${code}`)).toEqual([
    'far 3 may_miss_far_jump',
    'far 4 invariant_expr',
  ]);
});
