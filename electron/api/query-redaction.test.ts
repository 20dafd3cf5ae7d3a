import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAny } from '../base/property.fixture.ts';
import { createRedaction } from '../base/redaction.ts';
import { withoutQuery } from './query-redaction.ts';

const signature = 'a9F/x+Q2kZ7=pL';
const query = `X-Expires=300&X-Signature=${encodeURIComponent(signature)}&file=rules.zip`;
const redaction = withoutQuery(createRedaction(['the-token']), query);
const shown = (text: string): string => redaction.excerpt(Buffer.from(text));

describe('the query of a signed link', () => {
  it.each([
    ['whole', `GET /x?${query} refused`],
    ['in part', `wrong signature ${signature.slice(0, 9)}`],
    ['decoded', `wrong signature ${signature}`],
    ['escaped for HTML', `/x?${query.replaceAll('&', '&amp;')}`],
    ['escaped for JSON, as Go does', `/x?${query.replaceAll('&', '\\u0026').replaceAll('=', '\\u003d')}`],
    ['in another case', query.toUpperCase()],
    ['with words right before and behind', `sig${signature}sig`],
  ])('is hidden %s', (_, text) => {
    const safe = shown(text).toLowerCase();
    for (const part of [signature.slice(0, 6), signature.slice(-6), encodeURIComponent(signature).slice(0, 8)])
      expect(safe).not.toContain(part.toLowerCase());
    expect(safe).toContain('[secret]');
  });

  it('leaves other words unchanged and hides the token as before', () => {
    expect(shown('The link has expired for the-token, ask again')).toBe('The link has expired for [secret], ask again');
    expect(redaction.text(`getaddrinfo ENOTFOUND ${signature}`)).toBe('getaddrinfo ENOTFOUND [secret]');
    expect(redaction.data(`${signature} stays unknown`)).toBe('[secret] stays unknown');
  });

  it('shares no six characters with the shown text, for any input', () => {
    const secret = fc.string({ minLength: 6, maxLength: 40, unit: fc.constantFrom('a', 'b', 'c', '1', '2') });
    forAny([secret, fc.string(), fc.string()], (value, before, after) => {
      const safe = withoutQuery(createRedaction([]), `s=${value}`)
        .text(before + value + after)
        .replaceAll('[secret]', '\n')
        .toLowerCase();
      for (let index = 0; index + 6 <= value.length; index += 1)
        expect(safe).not.toContain(value.slice(index, index + 6));
    });
  });

  it('that is long is redacted quickly', () => {
    const long = withoutQuery(createRedaction([]), 'ab'.repeat(8_000));
    expect(long.excerpt(Buffer.from('ab'.repeat(30_000)))).toBe('[secret]');
  });

  it('hides nothing when it is empty, and its own value when it has no names', () => {
    expect(withoutQuery(redaction, '')).toBe(redaction);
    expect(withoutQuery(createRedaction([]), 'bareSecret').text('the bareSecret is refused')).toBe(
      'the [secret] is refused',
    );
  });
});
