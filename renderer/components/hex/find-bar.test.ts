import { expect, test } from 'vitest';
import { bytePattern } from '../../../shared/domain/byte-view.ts';
import { emptyForm, type FindForm, readPattern } from './find-bar.tsx';

const read = (form: Partial<FindForm>) => readPattern({ ...emptyForm, ...form });

test.each(['5a 1c 00', '5a1c00', '0x5A, 0x1C, 0x00', '\\x5a\\x1c\\x00', '{ 5a 1c 00 }', '5a-1c-00'])(
  'the digits of “%s” are three bytes',
  (typed) => {
    expect(read({ typed, as: 'hex', anyCase: true })).toEqual({
      kind: 'pattern',
      pattern: { hex: '5a1c00', anyCase: false },
    });
  },
);

test.each(['5', '5a 1', 'zz', '?? 5a', ', ,'])('“%s” is not digits of whole bytes', (typed) => {
  expect(read({ typed, as: 'hex' })).toEqual({ kind: 'not-hex' });
});

test('a text search uses UTF-8 or two bytes a character', () => {
  expect(read({ typed: '/é', anyCase: true })).toEqual({ kind: 'pattern', pattern: { hex: '2fc3a9', anyCase: true } });
  expect(read({ typed: '/é€', isWide: true })).toEqual({
    kind: 'pattern',
    pattern: { hex: '2f00e900ac20', anyCase: false },
  });
});

test('a search accepts nothing empty or longer than the host limit', () => {
  expect(read({ typed: '  ' })).toEqual({ kind: 'nothing' });
  expect(read({ typed: 'a'.repeat(257) })).toEqual({ kind: 'too-long' });
  const longest = read({ typed: 'a'.repeat(256) });
  expect(longest.kind === 'pattern' && bytePattern.safeParse(longest.pattern).success).toBe(true);
});
