import { expect, test } from 'vitest';
import type { RulePieces } from '../../rules/rule-library.ts';
import { huntRules } from './hunt-rules.ts';

type Rule = RulePieces['rules'][number];
const rule = (name: string, given: Partial<Rule> = {}): Rule => ({ name, text: `rule ${name} {}`, uses: [], isGlobal: false, isPrivate: false, ...given });
const pieces = (...rules: Rule[]): RulePieces => ({ imports: [], rules });

test('without an earlier package every rule is new', () => {
  expect(huntRules(null, pieces(rule('a'), rule('b')))).toEqual({ touched: ['a', 'b'], removed: [] });
});

test('new and changed rules are touched, the same ones are not, and those that went are told', () => {
  const now = pieces(rule('same'), rule('changed', { text: 'other' }), rule('added'));
  expect(huntRules(pieces(rule('gone'), rule('same'), rule('changed')), now)).toEqual({ touched: ['changed', 'added'], removed: ['gone'] });
});

test('a rule is touched by what it uses, over any number of rules and in circles', () => {
  const rules = [rule('far', { uses: ['near'] }), rule('near', { uses: ['base', 'far'] }), rule('alone')];
  expect(huntRules(pieces(...rules, rule('base')), pieces(...rules, rule('base', { text: 'other' }))).touched).toEqual(['far', 'near', 'base']);
});

test.each([
  ['changed', pieces(rule('g', { isGlobal: true }), rule('a')), pieces(rule('g', { isGlobal: true, text: 'other' }), rule('a'))],
  ['added', pieces(rule('a')), pieces(rule('g', { isGlobal: true }), rule('a'))],
  ['made one no more', pieces(rule('g', { isGlobal: true }), rule('a')), pieces(rule('g', { text: 'other' }), rule('a'))],
])('a global rule that was %s touches all', (_, before, now) => {
  expect(huntRules(before, now).touched).toEqual(['g', 'a']);
});

test('a rule that became private has no hits any more, and is looked with where others use it', () => {
  const user = rule('user', { uses: ['base'] });
  expect(huntRules(pieces(rule('base'), user), pieces(rule('base', { isPrivate: true, text: 'private' }), user))).toEqual({ touched: ['base', 'user'], removed: ['base'] });
});

test('a global rule that went touches all, and a private one that went had no hits to lose', () => {
  expect(huntRules(pieces(rule('g', { isGlobal: true }), rule('p', { isPrivate: true }), rule('a')), pieces(rule('a')))).toEqual({ touched: ['a'], removed: ['g'] });
});
