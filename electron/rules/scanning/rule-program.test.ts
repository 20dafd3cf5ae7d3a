import { expect, test } from 'vitest';
import { identifierOf, programOf, type RulePiece, type RulePieces } from './rule-program.ts';

const piece = (name: string, uses: string[] = [], marks: Partial<RulePiece> = {}): RulePiece => ({
  name,
  text: `rule ${name}`,
  uses,
  isGlobal: false,
  isPrivate: false,
  ...marks,
});
const pieces: RulePieces = {
  imports: ['pe', 'math'],
  rules: [
    piece('base', [], { isPrivate: true }),
    piece('limit', ['base'], { isGlobal: true }),
    piece('a'),
    piece('b', ['a']),
    piece('c', ['b'], { text: 'rule c { condition: pe.is_pe and b }' }),
    piece('d'),
  ],
};
const program = (names: string[] | null, without: string[] = []) =>
  programOf(pieces, names && new Set(names), new Set(without));
const namesOf = (names: string[] | null, without: string[] = []): string[] =>
  program(names, without).pieces.rules.map(({ name }) => name);

test('a rule program has all rules in their order, and counts those that are not private', () => {
  expect(namesOf(null)).toEqual(['base', 'limit', 'a', 'b', 'c', 'd']);
  expect(program(null).reported).toEqual(['limit', 'a', 'b', 'c', 'd']);
});

test('a rule program of named rules includes the rules they use and every global rule, uncounted', () => {
  expect(namesOf(['c'])).toEqual(['base', 'limit', 'a', 'b', 'c']);
  expect(program(['c', 'base']).reported).toEqual(['c']);
});

test('a rule program leaves out the users of a rule left out', () => {
  expect(namesOf(null, ['a'])).toEqual(['base', 'limit', 'd']);
  expect(namesOf(['d'], ['base'])).toEqual(['d']);
});

test('a rule program loads no module that no rule mentions', () => {
  expect(program(['c']).pieces.imports).toEqual(['pe']);
  expect(program(['d']).pieces.imports).toEqual([]);
});

test('a rule program ignores names that no rule has', () => {
  expect(program(['nobody', '__proto__']).reported).toEqual([]);
});

const guarded: RulePieces = {
  imports: [],
  rules: [
    piece('base', [], { isPrivate: true }),
    piece('g', ['base'], { identifier: 'g__2', isPrivate: true }),
    piece('g', ['base'], { guards: ['g'] }),
    piece('u', ['a.yar:s'], { guards: ['g'] }),
    piece('a.yar:s', [], { identifier: 's__2' }),
    piece('a.yar:s', ['u'], { identifier: 's__3' }),
    piece('free'),
  ],
};

test('a rule program includes all pieces of a rule with their needs, and counts it once', () => {
  const { pieces: chosen, reported } = programOf(guarded, new Set(['u', 'a.yar:s']));
  expect(chosen.rules.map(identifierOf)).toEqual(['base', 'g__2', 'g', 'u', 's__2', 's__3']);
  expect(reported).toEqual(['u', 'a.yar:s']);
});

test('a global rule left out still holds for its users, and is no longer counted', () => {
  for (const without of ['g', 'base']) {
    const { pieces: left, reported } = programOf(guarded, null, new Set([without]));
    expect(left.rules.filter(({ name }) => name === 'g').map(({ text, isPrivate }) => [text, isPrivate])).toEqual([
      ['private rule g__2 { condition: true }', true],
      ['private rule g { condition: true }', true],
    ]);
    expect(reported).toEqual(['u', 'a.yar:s', 'free']);
  }
});

test('a rule program leaves out the users of any piece of a rule left out', () => {
  expect(programOf(guarded, null, new Set(['a.yar:s'])).reported).toEqual(['g', 'free']);
});
