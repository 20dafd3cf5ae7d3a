import { expect, test } from 'vitest';
import { readConditionNames } from './condition-names.ts';

const namesIn = (condition: string): string[] =>
  readConditionNames(condition, { start: 0, end: condition.length }).mentions.map(({ name, isWildcard }) =>
    isWildcard ? `${name}*` : name,
  );

test.each([
  ['same and not other', ['same', 'other']],
  ['pe.same and math.max(same, 1) == 1 and same', ['same', 'same']],
  ['$same or #same > 1 or @same[1] == 2 or !same[1] == 3', []],
  ['"same" == filename and /same/ matches /x/', ['filename']],
  ['// same\n true /* same */', []],
  ['for any same in (1, 2) : (same == 1) and same', ['same']],
  ['for any same in (1..other) : (same == 1 and helper)', ['other', 'helper']],
  ['for count same in (1, 2) : (same == 1)', ['count']],
  ['for all same, other in pe.version_info : (same == other and third)', ['third']],
  ['for any same in (1, 2) : (for any other in (same, 3) : (same == other)) and other', ['other']],
  ['for any i in (1, 2) : (i == 1 and (for any i in (3, 4) : (i == 3) or same))', ['same']],
  ['for any of them : ($ at 1) and same', ['same']],
  ['for (any_of) i in (1, 2) : (i == 1)', ['any_of']],
  ['with same = other, other = same + 1 : (same == other and third) and same', ['other', 'third', 'same']],
  ['with same = (1 + helper) : ((same == 1) or same == 2) or same', ['helper', 'same']],
  ['any of (same*)', ['same*']],
  ['2 of (same*, other, third *)', ['same*', 'other', 'third*']],
  ['same * other == 4 and (same * 2) == 1', ['same', 'other', 'same']],
  ['for any same in (1, 2) : (any of (same*))', ['same*']],
  ['any of ($a*, $b) and all of them', []],
  [')) same ( for in : with = , of (', []],
])('the names in %j are found', (condition, names) => {
  expect(namesIn(condition)).toEqual(names);
});

test('a name has its position and its star, and the last token has an end', () => {
  const source = 'rule x { condition: any of (same /* c */ *) // end\n}';
  const { mentions, end, declared } = readConditionNames(source, { start: 19, end: source.length - 1 });
  expect(mentions.map((mention) => source.slice(mention.start, mention.end))).toEqual(['same /* c */ *']);
  expect(source.slice(19, end ?? 0)).toBe(' any of (same /* c */ *)');
  expect(declared).toEqual([]);
});

test('loop variables are reported, and a missing condition has no names', () => {
  expect(
    readConditionNames('for any a, b in x.y : (true) and with c = 1 : (c)', { start: 0, end: 49 }).declared,
  ).toEqual(['a', 'b', 'c']);
  expect(readConditionNames('', null)).toEqual({ mentions: [], declared: [], end: null });
});
