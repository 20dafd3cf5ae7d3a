import { expect, test } from 'vitest';
import { askingRules, type RulePiece } from './rule-program.ts';

const piece = (name: string, condition: string, rest: Partial<RulePiece> = {}): RulePiece => ({
  name,
  text: `rule ${name} { meta: owner = "filename" strings: $filepath = "filepath" condition: ${condition} }`,
  uses: [],
  isGlobal: false,
  isPrivate: false,
  ...rest,
});
const namesOf = (...rules: RulePiece[]): { asking: string[]; compiled: string[] } => {
  const { names, pieces } = askingRules({ imports: ['pe'], rules });
  return { asking: [...names].toSorted(), compiled: pieces.rules.map(({ name }) => name) };
};

test('rules that use a variable are compiled with the rules they use, and with global rules', () => {
  const helper = piece('helper', '$filepath', { isPrivate: true });
  const every = piece('every', 'true', { isGlobal: true });
  const direct = piece('direct', 'filename == "a" and helper', { uses: ['helper'] });
  const user = piece('user', 'direct', { uses: ['direct'] });
  expect(namesOf(helper, every, piece('plain', '$filepath and "filename" == "a"'), direct, user)).toEqual({
    asking: ['direct', 'user'],
    compiled: ['helper', 'every', 'direct', 'user'],
  });
});

test('a global rule that uses a variable makes all rules depend on it', () => {
  const asks = piece('asks', 'extension == ".exe"', { isGlobal: true });
  const other = piece('other', 'true');
  expect(namesOf(asks, other)).toEqual({ asking: ['asks', 'other'], compiled: ['asks', 'other'] });
  const through = piece('through', 'asks', { uses: ['asks'], isGlobal: true });
  expect(namesOf({ ...asks, isGlobal: false }, through, other).asking).toEqual(['asks', 'other', 'through']);
});

test('a rule with the name of a variable is not a variable', () => {
  expect(namesOf(piece('owner', 'true'), piece('user', 'owner', { uses: ['owner'] }))).toEqual({
    asking: [],
    compiled: [],
  });
});

test('rules are listed by the variable they depend on', () => {
  const { by } = askingRules({
    imports: [],
    rules: [piece('a', 'filename == "a"'), piece('b', 'a or filepath == ""', { uses: ['a'] })],
  });
  expect(Object.fromEntries(Array.from(by, ([variable, rules]) => [variable, [...rules]]))).toEqual({
    filename: ['a', 'b'],
    filepath: ['b'],
  });
});
