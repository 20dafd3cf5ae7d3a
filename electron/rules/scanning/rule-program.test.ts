import { expect, test } from 'vitest';
import type { RulePiece, RulePieces } from '../rule-pieces.ts';
import { programOf } from './rule-program.ts';

const piece = (name: string, uses: string[] = [], marks: Partial<RulePiece> = {}): RulePiece => ({ name, text: `rule ${name}`, uses, isGlobal: false, isPrivate: false, ...marks });
const pieces: RulePieces = {
  imports: ['pe', 'math'],
  rules: [
    piece('base', [], { isPrivate: true }), piece('limit', ['base'], { isGlobal: true }), piece('a'), piece('b', ['a']), piece('c', ['b'], { text: 'rule c { condition: pe.is_pe and b }' }), piece('d'),
  ],
};
const program = (names: string[] | null, without: string[] = []) => programOf(pieces, names && new Set(names), new Set(without));
const namesOf = (names: string[] | null, without: string[] = []): string[] => program(names, without).pieces.rules.map(({ name }) => name);

test('all rules are in it in their order, and those that are not private count', () => {
  expect(namesOf(null)).toEqual(['base', 'limit', 'a', 'b', 'c', 'd']);
  expect(program(null).reported).toEqual(['limit', 'a', 'b', 'c', 'd']);
});

test('with those that are named come those they use, and every global one, which do not count', () => {
  expect(namesOf(['c'])).toEqual(['base', 'limit', 'a', 'b', 'c']);
  expect(program(['c', 'base']).reported).toEqual(['c']);
});

test('a rule that is left out takes along what uses it', () => {
  expect(namesOf(null, ['a'])).toEqual(['base', 'limit', 'd']);
  expect(namesOf(['d'], ['base'])).toEqual(['d']);
});

test('modules that no rule mentions are not loaded', () => {
  expect(program(['c']).pieces.imports).toEqual(['pe']);
  expect(program(['d']).pieces.imports).toEqual([]);
});

test('names that no rule has mean nothing', () => {
  expect(program(['nobody', '__proto__']).reported).toEqual([]);
});
