import { expect, test } from 'vitest';
import { longestTrial } from '../../../shared/domain/rule-trial.ts';
import { packageOf } from './package.fixture.ts';
import { ruleRow, ruleToTry, ruleView } from './rule-views.ts';

const viewOf = (text: string) => ruleView(packageOf({ 'a.yar': text }), 0);
/** A rule with so many lines between its braces. */
const withLines = (lines: readonly string[]): string => `rule a {\n${lines.join('\n')}\ncondition: true\n}`;

test('the rule source is the rule alone, with the number of its first line', () => {
  const { source } = viewOf(
    'import "pe"\r\n// first\r\n  private rule a {\r\n  condition: true\r\n} rule b { condition: true }',
  );
  expect(source).toEqual({
    file: 'a.yar',
    line: 3,
    text: 'private rule a {\n  condition: true\n}',
    lines: 3,
    isCut: false,
  });
});

test('the rule source shows the first 5,000 lines of a long rule', () => {
  const { source } = viewOf(withLines(Array.from({ length: 6000 }, (_, index) => `// ${index}`)));
  expect(source.text.split('\n')).toHaveLength(5000);
  expect(source).toMatchObject({ lines: 6003, isCut: true });
});

test('the rule source shows 2,000 characters of long lines, and 256 KiB in all', () => {
  const { source } = viewOf(
    withLines([`// ${'ä'.repeat(5000)}`, ...Array.from({ length: 300 }, () => `// ${'x'.repeat(1900)}`)]),
  );
  const [, first = ''] = source.text.split('\n');
  expect([first.length, first.at(-1)]).toEqual([2000, '…']);
  expect(Buffer.byteLength(source.text)).toBeLessThanOrEqual(256 * 1024);
  expect(source.text.split('\n').length).toBeGreaterThan(130);
  expect(source).toMatchObject({ lines: 304, isCut: true });
});

test('the rule source marks a cut line even when all lines are shown, and splits no character', () => {
  const { source } = viewOf(withLines([`//${'x'.repeat(1996)}𝒳𝒳`]));
  expect(source.isCut).toBe(true);
  expect(source.text.isWellFormed()).toBe(true);
  expect(source.text.split('\n')[1]).toBe(`//${'x'.repeat(1996)}…`);
});

test('the rule source finds the description in any case, and cuts it', () => {
  const pack = packageOf({
    'a.yar':
      `rule a { meta: Description = "${'d'.repeat(400)}" description = "other" condition: true } rule b { ` +
      'condition: true }',
  });
  const rows = pack.parsed.rules.map((rule) => ruleRow(pack, rule));
  expect(rows.map(({ description }) => description)).toEqual([`${'d'.repeat(299)}…`, null]);
});

test('the rule source reports a number without a rule', () => {
  expect(() => ruleView(packageOf({ 'a.yar': 'rule a { condition: true }' }), 1)).toThrow('rule-missing');
});

test('a trial rule follows the rules it uses and its namespace’s global rules, with all imports', () => {
  const pack = packageOf({
    'a.yar': `import "pe"
private rule inner { condition: pe.is_pe }
rule helper { condition: inner }
rule unused { condition: true }
rule user { condition: helper }
global rule small { condition: filesize < 100 }`,
    'b.yar': 'import "math"\nprivate rule helper { condition: false }\nrule other { condition: helper }',
  });
  const triedOf = (name: string) =>
    ruleToTry(pack, pack.parsed.rules.find((rule) => rule.name === name) ?? expect.fail('no such rule'));
  const { text, others } = triedOf('user');
  expect(others).toEqual(['small', 'inner', 'helper']);
  expect(text).toBe(
    'import "pe"\nglobal rule small { condition: filesize < 100 }\n\n' +
      'private rule inner { condition: pe.is_pe }\n\nrule helper { condition: inner }\n\n' +
      'rule user { condition: helper }',
  );
  expect(triedOf('other')).toEqual({
    text: 'import "math"\nprivate rule helper { condition: false }\n\nrule other { condition: helper }',
    others: ['b.yar:helper'],
  });
});

test('a trial rule over the length limit is refused', () => {
  const pack = packageOf({ 'a.yar': `rule long { strings: $a = "${'x'.repeat(longestTrial)}" condition: $a }` });
  expect(pack.parsed.rules.map((rule) => ruleToTry(pack, rule).text)).toEqual([null]);
});
