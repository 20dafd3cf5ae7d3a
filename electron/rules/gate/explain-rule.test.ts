import { expect, test } from 'vitest';
import type { IndexedPackage } from '../library/indexed-package.ts';
import { packageOf } from '../library/package.fixture.ts';
import { explainRule } from './explain-rule.ts';

const numberOf = ({ parsed }: IndexedPackage, name: string): number =>
  parsed.rules.find((rule) => rule.name === name)?.number ?? -1;
const explain = (pack: IndexedPackage, name: string) => explainRule(pack, numberOf(pack, name), []);

test('the explanation has the whole engine message, with the line of the error in its file', async () => {
  const pack = packageOf({
    'a.yar':
      `import "pe"\nrule before { condition: true }\n\nrule a {\n  strings:\n    $s = "${'x'.repeat(400)}"\n` +
      '    $a = /ab\\qcd/\n  condition:\n    all of them and before\n}',
  });
  const { text, line, isRelaxable, isCut } = await explain(pack, 'a');
  expect(text).toMatch(/^error\[E014\]: invalid regular expression\n +--> line:7:13\n/);
  expect(text).toContain('$a = /ab\\qcd/');
  expect(text).toContain('= note: did you mean');
  expect([line, isRelaxable, isCut]).toEqual([7, true, false]);
});

test('the explanation names a rule renamed for the engine, and the rules it uses, by their own names', async () => {
  const same = 'rule same { condition: true }\n';
  const pack = packageOf({
    'a.yar': same,
    'b.yar': `${same}rule user { condition: same + 1 == 2 }`,
    'c.yar': 'rule user { condition: nothing }',
  });
  const number = pack.parsed.rules.find(({ name, file }) => name === 'user' && file === 'b.yar')?.number ?? -1;
  const { text, line } = await explainRule(pack, number, []);
  expect([text?.includes('wrong type'), text?.includes('same + 1 == 2'), text?.includes('__'), line]).toEqual([
    true,
    true,
    false,
    2,
  ]);
  const other = await explainRule(pack, pack.parsed.rules.at(-1)?.number ?? -1, []);
  expect(other.text).toContain('rule user { condition: nothing }');
});

test('the explanation compiles a rule that uses a broken one without the broken one', async () => {
  const pack = packageOf({ 'a.yar': 'rule base { condition: nothing }\nrule user { condition: base }' }, [
    { rule: 'base', file: 'a.yar', line: 1, kind: 'engine', text: 'unknown identifier `nothing`' },
  ]);
  expect((await explain(pack, 'user')).text).toContain('unknown identifier `base`');
});

test('the explanation does not call a rule relaxable when relaxed mode refuses it', async () => {
  const pack = packageOf({
    'a.yar':
      'rule a { strings: $a = "ab" base64 condition: $a }\nrule b { strings: $a = /\\q/ condition: $a and nothing }',
  });
  expect(await explain(pack, 'a')).toMatchObject({ line: 1, isRelaxable: false });
  expect(await explain(pack, 'b')).toMatchObject({ line: 2, isRelaxable: false });
});

test('the explanation of a rule that compiles is empty', async () => {
  expect(await explain(packageOf({ 'a.yar': 'rule a { condition: filename == "x" }' }), 'a')).toEqual({
    text: null,
    isCut: false,
    line: null,
    isRelaxable: false,
  });
});

test('the explanation cuts a long message at 4,000 characters, and marks the cut', async () => {
  const strings = Array.from({ length: 200 }, (_, at) => `$a${at} = /x\\q/`).join('\n');
  const { text, isCut } = await explain(
    packageOf({ 'a.yar': `rule a { strings:\n${strings}\ncondition: all of them and ${'y'.repeat(30)} }` }),
    'a',
  );
  expect(text?.length).toBeLessThanOrEqual(4000);
  expect(isCut).toBe((text?.length ?? 0) === 4000);
});

test('the explanation of a missing rule fails', async () => {
  await expect(explainRule(packageOf({ 'a.yar': 'rule a { condition: true }' }), 7, [])).rejects.toMatchObject({
    failure: { kind: 'rule-missing' },
  });
});
