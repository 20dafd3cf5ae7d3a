import { expect, test } from 'vitest';
import { type RuleSort, sortByPlace } from '../../../shared/domain/publication.ts';
import { packageOf } from './package.fixture.ts';
import { type KnownOfRules, RuleSearch } from './rule-search.ts';

const nothing: KnownOfRules = { stamp: '', hits: [], muted: [], costs: [] };
const pack = packageOf({
  'a.yar':
    'rule Mailer_Loader : Banker { meta: author = "Ana \\"the\\x20cat\\"" strings: $a = "/Sync/" condition: $a }',
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
])('the rule search finds rules by %s', (_what, find, numbers) => {
  expect(new RuleSearch(pack).numbers({ find, sort: sortByPlace, known: nothing })).toEqual(numbers);
});

const fields = packageOf({
  'apt/loader.yar': `rule is_pe { condition: uint16(0) == 0x5A4D }
rule Loader_A : apt Banker {
  meta: author = "Ana Smith" score = 80 date = "2024-03-01" note = "see http://x"
  condition: is_pe and filename == "a" }
private rule Loader_B { meta: Authors = "Ben" score = 9 date = "2023-12-31" condition: is_pe }`,
  'other.yar': 'rule lone { meta: score = "high" condition: true }\nrule bad { condition: ',
});
const known: KnownOfRules = {
  stamp: 'a',
  hits: [
    { key: 'Loader_A', samples: 6, lastHit: '2026-01-02' },
    { key: 'lone', samples: 1, lastHit: '2026-02-02' },
  ],
  muted: ['lone'],
  costs: [
    { key: 'Loader_A', msPerMegabyte: 5.5, together: 1 },
    { key: 'lone', msPerMegabyte: 7, together: 3 },
    { key: 'is_pe', msPerMegabyte: 0, together: 1 },
  ],
};
const [pe, a, b, lone, bad] = [0, 1, 2, 3, 4];

test.each<[string, number[]]>([
  ['tag:APT', [a]],
  ['tag:ap*', [a]],
  ['tag:ap', []],
  ['tag:*', [a]],
  ['-tag:*', [pe, b, lone, bad]],
  ['author:"ana s"', [a]],
  ['author:ben', [b]],
  ['file:apt/', [pe, a, b]],
  ['name:loader -name:_b', [a]],
  ['meta.score:>70', [a]],
  ['meta.score:<=9', [b]],
  ['meta.score:5..80', [a, b]],
  ['meta.score:=80', [a]],
  ['meta.score:*', [a, b, lone]],
  ['meta.score:hig', [lone]],
  ['meta.SCORE:"8"', [a]],
  ['meta.date:>2023', []],
  ['meta.date:>2023-12', [a]],
  ['meta.date:2023-12', [b]],
  ['meta.date:2023-01..2023-12', [b]],
  ['hits:0', [pe, b, bad]],
  ['hits:>5', [a]],
  ['hits:1..6', [a, lone]],
  ['-hits:0', [a, lone]],
  ['cost:>5', [a]],
  ['cost:<=7', [pe, a, lone]],
  ['cost:<7', [pe, a]],
  ['cost:0', [pe]],
  ['cost:0..6', [pe, a]],
  ['cost:*', [pe, a, lone]],
  ['-cost:*', [b, bad]],
  ['uses:is_pe', [a, b]],
  ['uses:is*', [a, b]],
  ['var:filename', [a]],
  ['var:*', [a]],
  ['is:private', [b]],
  ['is:muted', [lone]],
  ['is:broken', [bad]],
  ['is:global', []],
  ['http://x', [a]],
  ['"note ="', [a]],
  ['loader is:private', [b]],
])('the search %s finds the rules that match all its terms', (find, numbers) => {
  expect(new RuleSearch(fields).numbers({ find, sort: sortByPlace, known })).toEqual(numbers);
});

test.each<[RuleSort['by'], RuleSort['direction'], number[]]>([
  [{ column: 'name' }, 'ascending', [bad, pe, a, b, lone]],
  [{ column: 'hits' }, 'descending', [a, lone, pe, b, bad]],
  [{ column: 'last-hit' }, 'ascending', [a, lone, pe, b, bad]],
  [{ column: 'last-hit' }, 'descending', [lone, a, pe, b, bad]],
  [{ column: 'meta', key: 'Score' }, 'descending', [lone, a, b, pe, bad]],
  [{ column: 'cost' }, 'descending', [a, pe, lone, b, bad]],
  [{ column: 'place' }, 'descending', [bad, lone, b, a, pe]],
])('the rule search sorts by %j, %s', (by, direction, numbers) => {
  expect(new RuleSearch(fields).numbers({ find: '', sort: { by, direction }, known })).toEqual(numbers);
});

test('the rule search runs again when the facts of the rules have changed', () => {
  const search = new RuleSearch(fields);
  const ask = (more: KnownOfRules): readonly number[] =>
    search.numbers({ find: 'hits:>0', sort: sortByPlace, known: more });
  expect(ask(known)).toEqual([a, lone]);
  expect(ask({ ...nothing, stamp: 'b' })).toEqual([]);
});
