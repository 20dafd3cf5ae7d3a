import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyUnit } from '../../shared/testing/any-unit.ts';
import { longestPassMs, timeToRead } from '../../shared/testing/one-pass.ts';
import { createRedaction, LogRedaction } from './redaction.ts';

const secret = 'k9/+Zß"\\ token&=7';

function redactionOf(...secrets: string[]): LogRedaction {
  const redaction = new LogRedaction();
  for (const one of secrets) redaction.add(one);
  return redaction;
}

test.each([
  ['as it is', secret],
  ['percent-encoded', encodeURIComponent(secret)],
  ['percent-encoded in lower case', encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase())],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
  ['as a form field', new URLSearchParams({ x: secret }).toString().slice(2)],
  ['as encodeURI leaves it', encodeURI(secret)],
  [
    'with every character percent-encoded',
    [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  ],
  ['in JSON', JSON.stringify(secret).slice(1, -1)],
  ['in JSON in JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ['in JSON as PHP writes it', 'k9\\/+Z\\u00df\\"\\\\ token&=7'],
])('a secret %s is removed', (_how, form) => {
  expect(redactionOf(secret).redact(`before ${form} after`)).toBe('before [removed] after');
});

test.each(['', 'a', 'ab', 'abc', 'abcd'])(
  'a secret in base64 after %j is removed except for the characters it shares',
  (before) => {
    const long = 'a-recognisable-token-0123456789';
    for (const encoding of ['base64', 'base64url'] as const) {
      const redacted = redactionOf(long).redact(Buffer.from(`${before}${long}:after`).toString(encoding));
      expect(redacted).toContain('[removed]');
      expect(Buffer.from(redacted.replace('[removed]', ' '), encoding).toString()).not.toMatch(/recognisable|0123/);
    }
  },
);

test.each([
  [
    'https://host/api.php?action=getfile&token=unknown&hash=1',
    'https://host/api.php?action=getfile&token=[removed]&hash=1',
  ],
  ['?TOKEN=unknown', '?TOKEN=[removed]'],
  ['url%3Ftoken%3Dunknown%26', 'url%3Ftoken%3D[removed]'],
  ['"token=unknown"', '"token=[removed]"'],
  ['token= nothing', 'token=[removed] nothing'],
  ['a tokenizer=x', 'a tokenizer=x'],
  ['access_token=unknown;', 'access_token=[removed];'],
])('%s: the value of a token parameter is removed, known or not', (text, expected) => {
  expect(redactionOf().redact(text)).toBe(expected);
});

test.each([
  ['The service sent eleven replies', 'The service sent eleven replies'],
  [
    'token "e", {"key":"e"}, (e) or e: e',
    'token "[removed]", {"key":"[removed]"}, ([removed]) or [removed]: [removed]',
  ],
  ['?x=e&y=e;Authorization: Bearer e', '?x=[removed]&y=[removed];Authorization: Bearer [removed]'],
  ['x%3De%26y%253De', 'x%3D[removed]%26y%253D[removed]'],
  ['"a\\ne\\n"', '"a\\n[removed]\\n"'],
  ['x=%65 and \\u0065', 'x=[removed] and [removed]'],
])('a secret too short to search for inside words is removed as a whole value: %s', (text, expected) => {
  expect(redactionOf('e').redact(text)).toBe(expected);
});

test('a secret of six characters is removed everywhere', () => {
  expect(redactionOf('abcdef').redact('xabcdefy')).toBe('x[removed]y');
  expect(redactionOf('abcde').redact('xabcdey')).toBe('xabcdey');
});

test('the longer of two secrets is removed whole, and shown once it is no longer registered', () => {
  const redaction = redactionOf('abcdef', 'abcdefghij');
  expect(redaction.redact('abcdefghij abcdef')).toBe('[removed] [removed]');
  redaction.remove('abcdefghij');
  expect(redaction.redact('abcdefghij')).toBe('[removed]ghij');
  redaction.add('');
  expect(redaction.redact('text')).toBe('text');
});

test.each([
  ['backslashes', 'a', '\\'],
  ['backslashes, in a secret of them', '\\\\\\\\x', '\\'],
  ['backslashes between letters', '\\a\\a\\a\\a\\a\\a\\a\\a\\b', '\\\\\\\\\\a'],
  ['the code of a percent sign, and of a short secret', 'e', '25'],
  ['percent signs', '%%%%%%', '%25'],
  ['the words of a secret', 'token', 'token'],
])('a long text of %s is searched in one pass', { tags: ['long'] }, (_what, value, piece) => {
  const redaction = redactionOf(value, `${value}${value}`);
  expect(timeToRead((text) => redaction.redact(text), piece, 240_000)).toBeLessThan(longestPassMs);
});

test.each(['C:\\share', '\\\\x\\/"\\', 'a\\'])(
  'a secret with backslashes is found at any depth of JSON: %j',
  (value) => {
    const written = [value, '', '', ''].map((_, depth) =>
      Array.from({ length: depth }).reduce<string>((text) => JSON.stringify(text).slice(1, -1), value),
    );
    for (const form of [...written, encodeURIComponent(value)])
      expect(redactionOf(value).redact(`before ${form} after`)).toBe('before [removed] after');
  },
);

test('a text too long to search is left out entirely', () => {
  expect(redactionOf('secret').redact(`${'x'.repeat(300_000)}secret`)).toBe('[300006 characters left out]');
});

test('a secret of any characters is found without an error', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyUnit, minLength: 4, maxLength: 60 }),
      fc.string({ unit: anyUnit }),
      (value, around) => {
        const redaction = redactionOf(value);
        expect(redaction.redact(value)).not.toContain(value);
        redaction.redact(around);
        if (value.isWellFormed()) expect(redaction.redact(`<${encodeURIComponent(value)}>`)).toBe('<[removed]>');
      },
    ),
  );
});

/** Every way in which a server, a URL, a page or a program of ours may write a secret. */
const formsOf = (value: string): Record<string, string> => {
  const bytes = Buffer.from(value);
  const units = value.split('').map((unit) => `u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const points = [...value].map((character) => character.codePointAt(0) ?? 0);
  const percent = encodeURIComponent(value);
  return {
    raw: value,
    'upper case': upperCaseOf(value),
    'percent-encoded': percent,
    'percent-encoded in lower case': percent.replaceAll(/%../g, (code) => code.toLowerCase()),
    'percent-encoded twice': encodeURIComponent(percent),
    'percent-encoded in every byte': [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    'form-encoded': new URLSearchParams({ x: value }).toString().slice(2),
    JSON: JSON.stringify(value).slice(1, -1),
    'JSON in JSON': JSON.stringify(JSON.stringify(value)).slice(3, -3),
    'JSON escapes': units.map((unit) => `\\${unit}`).join(''),
    HTML: value.replaceAll(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c),
    'HTML numbers': points.map((point) => `&#${point};`).join(''),
    'HTML hexadecimal numbers': points.map((point) => `&#x${point.toString(16)};`).join(''),
    'hexadecimal digits': bytes.toString('hex'),
    'hexadecimal digits in upper case': bytes.toString('hex').toUpperCase(),
    base64: bytes.toString('base64').replaceAll('=', ''),
    'base64 for URLs': bytes.toString('base64url'),
  };
};

/** No server writes `SS` for `ß`. */
const upperCaseOf = (value: string): string =>
  [...value].map((c) => (c.toUpperCase().length === c.length ? c.toUpperCase() : c)).join('');

const ownForms = fc
  .string({ unit: fc.constantFrom(...'aZ9-_.~+/=&<" %\\ü😀([$^*k'), minLength: 8, maxLength: 60 })
  .filter((value) => value === value.trim());
const plainText = fc.string({ unit: fc.constantFrom(...'xyz <>,;\n'), maxLength: 6 });

describe.each([
  ['the log', (value: string) => (text: string) => redactionOf(value).redact(text)],
  ['an error of the API', (value: string) => (text: string) => createRedaction([value]).text(text)],
])('the redaction of %s', (_name, redactorOf) => {
  const mark = /\[(?:removed|secret)\]/g;

  test('leaves nothing of a secret in any encoding', () => {
    fc.assert(
      fc.property(ownForms, plainText, plainText, (value, before, after) => {
        const redact = redactorOf(value);
        for (const [form, written] of Object.entries(formsOf(value))) {
          const shown = redact(`${before}<${written}>${after}`);
          expect(shown, form).toMatch(/\[(?:removed|secret)\]/);
          // Base64 keeps the bits that the secret shares with its neighbours: three characters at each end at most.
          const left = shown.replaceAll(mark, '').slice(before.length).replace(`>${after}`, '').slice(1);
          expect(left.length, `${form}: ${shown}`).toBeLessThanOrEqual(form.startsWith('base64') ? 6 : 0);
        }
      }),
    );
  });

  test('leaves nothing of a truncated secret', () => {
    fc.assert(
      fc.property(
        ownForms.filter(({ length }) => length > 20),
        fc.nat(100),
        (value, at) => {
          const redact = redactorOf(value);
          const length = 17 + (at % (value.length - 17));
          // A backslash at the end cannot be distinguished from one that escapes what comes after it.
          const cut = value.slice(0, length).toWellFormed().replaceAll('\ufffd', '').replace(/\\+$/, '');
          fc.pre([...cut.replaceAll('\\', '')].length >= 16);
          expect(redact(`x;${cut}`).replaceAll(mark, '')).toBe('x;');
          expect(redact(`x;${Buffer.from(cut).toString('hex')}`).replaceAll(mark, '')).toBe('x;');
        },
      ),
    );
  });
});
