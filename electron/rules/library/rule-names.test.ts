import { expect, test } from 'vitest';
import type { ParsedRule } from '../parsed-package.ts';
import { packageOf, ruleText } from './package.fixture.ts';
import { RuleNames } from './rule-names.ts';

const described = (name: string, description: string, tags = ''): string =>
  `rule ${name}${tags === '' ? '' : ` : ${tags}`} { meta: description = "${description}" strings: $a = ` +
  '"descriptor" condition: $a }';
const pack = packageOf({
  'a.yar': [
    described('about_a_script', 'no word of it'),
    described('dropper', 'Scripts that drop'),
    described('loader', 'Loads', 'script_host'),
    described('javascript', 'of pages'),
    described('script', 'the very thing'),
    described('script_kiddie_tools', 'a set'),
    described('sample_record_item', 'far apart'),
  ].join('\n'),
});
const namesOf = (find: string, limit = 10): string[] =>
  new RuleNames(pack).best(find, limit).map((number) => pack.parsed.rules[number]?.name ?? '');

test.each<[string, string, string[]]>([
  [
    'names first: the whole, the beginning, a word; then tags, then letters inside, descriptions last',
    'scri',
    ['script', 'script_kiddie_tools', 'about_a_script', 'loader', 'javascript', 'sample_record_item', 'dropper'],
  ],
  [
    'no descriptions for less than four letters',
    'scr',
    ['script', 'script_kiddie_tools', 'about_a_script', 'loader', 'javascript', 'sample_record_item'],
  ],
  ['initials of a name', 'skt', ['script_kiddie_tools']],
  ['words in whatever order', 'tools script', ['script_kiddie_tools']],
  ['a word of the name with one of the tags', 'loader host', ['loader']],
  ['nothing by the text of a rule', 'descriptor', []],
  ['nothing by the words that all rules are written with', 'condition', []],
  ['nothing', '', []],
])('the rule name search finds %s', (_what, find, names) => {
  expect(namesOf(find)).toEqual(names);
});

test('the rule name search returns only the best matches', () => {
  expect(namesOf('scri', 2)).toEqual(['script', 'script_kiddie_tools']);
});

test('the rule name search reads the names of 10,000 rules once, however many keys are typed', () => {
  const many = packageOf({
    'a.yar': Array.from({ length: 10_000 }, (_, number) => ruleText(`family_${number}_loader`)).join(''),
  });
  let read = 0;
  const get = (rule: ParsedRule, key: string | symbol): unknown => {
    if (key === 'name') read += 1;
    return Reflect.get(rule, key, rule);
  };
  const rules = many.parsed.rules.map((rule) => new Proxy(rule, { get }));
  const names = new RuleNames({ ...many, parsed: { ...many.parsed, rules } });
  names.best('f', 8);
  const once = read;
  expect(once).toBeGreaterThanOrEqual(10_000);
  for (const find of ['fa', 'fam', 'fami', 'family_99', 'family_9999', 'family_9999_l']) names.best(find, 8);
  expect(read).toBe(once);
  expect(names.best('9999 load', 8)).toEqual([9999]);
});
