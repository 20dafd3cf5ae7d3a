import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readReply, valuesOf } from './reply-mapping.tsx';

test('the mapping lists every single value with its pointer, in the order of the reply', () => {
  const reply = { is_old: '1', latest: { 'v/1~': '1.4', ids: [7, null] }, none: {} };
  expect(valuesOf(reply)).toEqual([
    { pointer: '/is_old', value: '1' },
    { pointer: '/latest/v~11~0', value: '1.4' },
    { pointer: '/latest/ids/0', value: 7 },
    { pointer: '/latest/ids/1', value: null },
  ]);
});

test('a reply of one value is that value', () => {
  expect(valuesOf('1.4')).toEqual([{ pointer: '', value: '1.4' }]);
});

test('a reply that is not JSON, or is truncated, has no values', () => {
  expect(readReply('{"version": "1.')).toBeNull();
  expect(readReply('no update')).toBeNull();
});

test('any JSON gives a bounded list', () => {
  fc.assert(
    fc.property(fc.json(), (reply) => {
      const read = readReply(reply);
      return valuesOf(read).length <= 200;
    }),
  );
});
