import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyUnit } from '../../shared/testing/any-unit.ts';
import { forAny, whenBusy } from './property.fixture.ts';
import { createRedaction, excerptCharacters } from './redaction.ts';

const token = 'Tk9+q/zE=4&w R%7"ü';
const redaction = createRedaction([token]);
const bytes = (text: string): Uint8Array => Buffer.from(text);
const upperPercent = encodeURIComponent(token);

const forms: Record<string, string> = {
  raw: token,
  'percent-encoded': upperPercent,
  'percent-encoded in lower case': upperPercent.toLowerCase(),
  'percent-encoded in part': token.replace('%', '%25').replace('&', '%26'),
  'percent-encoded twice': encodeURIComponent(upperPercent),
  'percent-encoded in every byte': [...Buffer.from(token)].map((byte) => `%${byte.toString(16)}`).join(''),
  'form-encoded': new URLSearchParams({ t: token }).toString().slice(2),
  'as JSON': JSON.stringify(token).slice(1, -1),
  'as JSON with escapes': [...token].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'as HTML': token.replace('&', '&amp;').replace('"', '&quot;'),
  'as HTML with numbers': token.replace('&', '&#38;').replace('"', '&#x22;'),
  'in hexadecimal digits': Buffer.from(token).toString('hex'),
  'in hexadecimal digits of upper case': Buffer.from(token).toString('hex').toUpperCase(),
  base64: Buffer.from(token).toString('base64'),
  'base64 for URLs': Buffer.from(token).toString('base64url'),
  'base64 after one byte': Buffer.from(`:${token}`).toString('base64'),
  'base64 between others': Buffer.from(`user:${token}:more`).toString('base64'),
};

describe('redaction', () => {
  it.each(Object.entries(forms))('finds a secret %s', (_, form) => {
    const text = redaction.text(`before ${form} after`);
    expect(text).toMatch(/^before .*\[secret\].* after$/);
    expect(text).not.toContain(form);
  });

  const plainToken = 'tok0abcDEF456789/ghi+jkl=mnop-qrstuvw';
  it.each(
    Object.entries({
      raw: plainToken,
      'percent-encoded in every byte': [...plainToken].map((c) => `%${c.charCodeAt(0).toString(16)}`).join(''),
      'percent-encoded twice': encodeURIComponent(encodeURIComponent(plainToken)),
      'as JSON with escapes': [...plainToken]
        .map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
      'as JSON in JSON': [...plainToken].map((c) => `\\\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
      'as HTML with numbers': [...plainToken].map((c) => `&#${c.charCodeAt(0)};`).join(''),
    }),
  )('hides a long plain secret to its last character, %s, and no more', (_, form) => {
    const plain = createRedaction([plainToken]);
    expect(plain.text(`before ${form},${form};after`)).toBe('before [secret],[secret];after');
    expect(plain.text(`${form}${form}`)).toBe('[secret][secret]');
  });

  it.each([
    ['plain', plainToken],
    ['odd', token],
    ['very long', 'Ab1/'.repeat(1024)],
  ])('hides the truncated hexadecimal digits of a secret that is %s', (_, secret) => {
    const { text } = createRedaction([secret]);
    const digits = Buffer.from(secret).toString('hex');
    for (let length = 32; length <= Math.min(digits.length, 200); length += 1) {
      const cut = digits.slice(0, length);
      for (const form of [cut, cut.toUpperCase()])
        expect(text(`4d5a "4D5A${form}" 4d5a`)).toBe('4d5a "4D5A[secret]" 4d5a');
    }
    expect(text(`${digits}4d5a`)).toBe('[secret]4d5a');
    expect(text(`${digits}${digits.toUpperCase()}`)).toBe('[secret][secret]');
  });

  it('leaves hexadecimal digits that match too few bytes of a secret', () => {
    const digits = Buffer.from(plainToken).toString('hex').slice(0, 30);
    expect(createRedaction([plainToken]).text(`${digits} ${digits}00`)).toBe(`${digits} ${digits}00`);
  });

  it('leaves other text unchanged', () => {
    expect(redaction.text('nothing to hide: Tk9 zE')).toBe('nothing to hide: Tk9 zE');
    expect(createRedaction([]).text('x')).toBe('x');
    expect(createRedaction(['']).text('x')).toBe('x');
  });

  it('accepts secrets that are regular expressions, very long, or very short', () => {
    expect(createRedaction(['(a+)+$']).text('x (a+)+$ x')).toBe('x [secret] x');
    const long = 'Ab1/'.repeat(1024);
    expect(createRedaction([long]).text(`x ${long} y`)).toBe('x [secret] y');
    expect(createRedaction(['q']).text('aqa')).toBe('a[secret]a');
  });

  it('leaves a very short secret in data, where it would match by chance', () => {
    expect(createRedaction(['1234567']).data('size 1234567')).toBe('size 1234567');
    expect(createRedaction(['12345678']).data('size 12345678')).toBe('size [secret]');
  });

  it('hides a secret wherever the excerpt is cut', () => {
    const plain = createRedaction(['SECRETSECRET']);
    for (let before = 150; before < 230; before += 1) {
      const excerpt = plain.excerpt(bytes(`${'.'.repeat(before)}SECRETSECRET${'.'.repeat(50)}`));
      expect(excerpt.replace('[secret]', '')).toMatch(/^\.*$/);
    }
  });

  it('hides a secret that is cut at the read limit', () => {
    const plain = createRedaction(['SECRETSECRET']);
    // Only control characters before it, so that the cut at the read limit is all the excerpt could show.
    for (const part of [4, 8])
      expect(plain.excerpt(bytes(`${'\0'.repeat(256 * 1024 - part)}SECRETSECRET`))).not.toContain('SE');
  });

  it('hides a secret that control characters or wide text had split', () => {
    const plain = createRedaction(['SECRETSECRET']);
    expect(plain.excerpt(Buffer.from('SECRETSECRET', 'utf16le'))).toBe('[secret]');
    expect(plain.excerpt(bytes('SECRET\u200bSECRET'))).toBe('[secret]');
  });

  it('makes an excerpt one printable line', () => {
    expect(redaction.excerpt(bytes('a\r\n\tb\u001b[31m\u202ec\u0000'))).toBe('a b[31mc');
    expect(redaction.excerpt(bytes('x'.repeat(1000)))).toHaveLength(excerptCharacters);
    expect(redaction.excerpt(new Uint8Array([0xff, 0xfe, 0x41]))).toBe('A');
  });

  it(
    'never lets a secret through raw, percent-encoded or form-encoded',
    () => {
      const text = fc.string({ unit: anyUnit, maxLength: 4 }).filter((value) => value.isWellFormed());
      const secrets = fc.tuple(text, fc.stringMatching(/^[A-Za-z0-9]{6,12}$/), text).map((parts) => parts.join(''));
      forAny(
        [secrets, text, text],
        (secret, before, after) => {
          const { text: redact } = createRedaction([secret]);
          for (const form of [
            secret,
            encodeURIComponent(secret),
            new URLSearchParams({ t: secret }).toString().slice(2),
          ]) {
            expect(redact(`${before}${form}${after}`)).not.toContain(form);
          }
        },
        40,
      );
    },
    whenBusy,
  );

  it(
    'accepts any bytes',
    () => {
      forAny([fc.uint8Array({ maxLength: 2000 })], (any) => {
        expect(redaction.excerpt(any).length).toBeLessThanOrEqual(excerptCharacters);
      });
    },
    whenBusy,
  );
});
