import fc from 'fast-check';
import { textOfWords } from '../testing/changed-text.ts';
import { fuzzTarget, mustHold } from '../testing/fuzz-target.ts';
import { textForm } from '../testing/input-forms.ts';
import { yaraTokens } from './yara-scanner.ts';

const words = [
  'rule',
  ' a',
  '{',
  '}',
  ':',
  '=',
  '(',
  ')',
  '[',
  ']',
  '/',
  '\\',
  '"',
  '"""',
  "'",
  '//',
  '/*',
  '*/',
  '\n',
  '\r\n',
  '$a',
  '#a',
  '@a',
  '!a',
  '~',
  '?',
  '??',
  '01',
  'A?',
  '[2-4]',
  '|',
  '1',
  '1.5',
  '0x',
  '0o7',
  '1MB',
  '..',
  '<<',
  '>=',
  '\\"',
  '\\/',
  '\0',
  'ü',
  'r"x"',
  ' matches ',
  ' is',
  '- 1',
];

export const target = fuzzTarget({
  name: 'yara-tokens',
  reads: 'the source of a rule, for syntax colouring',
  holds: 'tokens join to exactly the text, none is empty, and only a token that needs an end can be unclosed',
  form: textForm(words),
  seeds: [
    'rule a : t { meta: x = "1" strings: $a = { 01 ?? [2-4] (A? | ~B0) } $b = /[a"}]\\/{2}/is ' +
      'condition: $a or #b > 2 /* c */ }',
    '"""two\nlines"""',
  ],
  made: fc.oneof(textOfWords(words, 40), textOfWords(words, 400)),
  attack(text) {
    let at = 0;
    for (const { kind, start, end, isOpen } of yaraTokens(text)) {
      mustHold(start === at && end > start, 'a token is empty, or something is left out');
      mustHold(
        isOpen === undefined || ['comment', 'text', 'hex', 'regex'].includes(kind),
        `${kind} is said to be open`,
      );
      at = end;
    }
    mustHold(at === text.length, 'the rest is left out');
  },
});
