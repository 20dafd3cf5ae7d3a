import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { seenLine } from '../../shared/domain/schema-parts.ts';
import { textOfWords } from '../../shared/testing/changed-text.ts';
import { fuzzTarget, mustHold } from '../../shared/testing/fuzz-target.ts';
import { pairForm, textForm } from '../../shared/testing/input-forms.ts';
import { createRedaction, excerptCharacters } from '../base/redaction.ts';
import { withoutQuery } from './query-redaction.ts';

const tokenWords = [
  'a',
  'Z',
  '9',
  '-',
  '_',
  '.',
  '~',
  '+',
  '/',
  '=',
  '&',
  '<',
  '"',
  ' ',
  '%',
  '\\',
  'ü',
  '\u{1f600}',
  '(',
  '[',
  '$',
  '^',
  '*',
];
const words = [
  '?token=',
  '&',
  '%',
  '%25',
  '\\u0022',
  '&#x',
  ';',
  '"',
  ' ',
  'ok',
  '\n',
  '{"error":"',
  '"}',
  'x'.repeat(40),
  'aaaaaaaaaaaa',
  '%41',
  '\\\\',
  '=',
];
const tokens = textOfWords(tokenWords, 40).filter(
  (token) => seenLine('a token', 4096).safeParse(token).success && token.length >= 8 && token.isWellFormed(),
);
const tokenForm = { ...textForm(tokenWords), changed: () => tokens };

/** Where it has as many letters: no server writes `SS` for `ß`. */
const upperCase = (token: string): string =>
  token.toUpperCase().toLowerCase() === token.toLowerCase() ? token.toUpperCase() : token;

/** As a server may say it back. */
const forms: readonly ((token: string) => string)[] = [
  (token) => token,
  upperCase,
  encodeURIComponent,
  (token) => encodeURIComponent(encodeURIComponent(token)),
  (token) => JSON.stringify(token).slice(1, -1),
  (token) => Buffer.from(token).toString('hex'),
  (token) => token.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  (token) => Array.from(Buffer.from(token), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  (token) => Array.from(token, (character) => `&#${character.codePointAt(0) ?? 0};`).join(''),
];

export const target = fuzzTarget({
  name: 'redaction',
  reads: 'the text of a service, with a token of any characters',
  holds:
    'the token is in nothing shown or stored, in none of nine spellings; an excerpt is short and on one line; ' +
    'redaction is stable',
  form: pairForm(tokenForm, textForm(words)),
  seeds: [
    ['abcDEF123456', 'token=abcDEF123456&x'],
    ['a+b/c==dd', '{"error":"a%2Bb%2Fc%3D%3Ddd"}'],
  ],
  made: fc.tuple(tokens, textOfWords(words, 30)),
  attack([token, text]) {
    const redaction = createRedaction([token]);
    for (const form of forms) {
      const said = `${text}${form(token)}${text.slice(0, 20)}`;
      for (const shown of [redaction.text(said), redaction.data(said), redaction.excerpt(Buffer.from(said))])
        mustHold(!shown.toLowerCase().includes(token.toLowerCase()), 'the token is in it');
      mustHold(!redaction.text(said).includes(form(token)), `it is in it as ${JSON.stringify(form(token))}`);
      const excerpt = redaction.excerpt(Buffer.from(said));
      mustHold(excerpt.length <= excerptCharacters * 8 && !/[\r\n]/.test(excerpt), 'the excerpt is long or has lines');
    }
    const query = withoutQuery(redaction, `sig=${encodeURIComponent(text.slice(0, 200).toWellFormed())}`);
    mustHold(query.text(redaction.text(text)).length <= text.length * 8 + 100, 'what is hidden grows');
  },
});
