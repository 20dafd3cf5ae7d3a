import { expect, test } from 'vitest';
import { packageOf } from './package.fixture.ts';
import { RuleSearch } from './rule-search.ts';

const pack = packageOf({
  'a.yar': 'rule Mailer_Loader : Banker { meta: author = "Ana \\"the\\x20cat\\"" strings: $a = "/Sync/" condition: $a }',
  'b.yar': 'rule mailer_two : apt { condition: uint16(0) == 0x5A4D }',
  'c.yar': 'rule broken { ',
});

test.each<[string, string, number[]]>([
  ['a part of the name in another case', 'MAILER', [0, 1]],
  ['a tag', 'banker', [0]],
  ['a value of meta as it is written', 'the\\x20cat', [0]],
  ['words of a value of meta as it is meant', 'ana "the cat"', [0]],
  ['its strings', '/sync/', [0]],
  ['its condition', '0x5a4d', [1]],
  ['every word, in whatever order', '  0X5A4D\t mailer ', [1]],
  ['a rule that is broken', 'broken', [2]],
  ['nothing', '', [0, 1, 2]],
  ['only space', '  ', [0, 1, 2]],
  ['what no rule has', 'mailer zebra', []],
  ['signs that mean nothing here', '.*', []],
])('rules are found by %s', (_what, find, numbers) => {
  expect(new RuleSearch(pack).numbers(find)).toEqual(numbers);
});
