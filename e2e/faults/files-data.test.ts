import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ordersIn } from './files-data.ts';

const givenAway = { virusTotal: true, sandbox: true, tags: '' };

test('files_data gives each file the values of its index, in any order', () => {
  const orders = ordersIn(
    '[{"index":1,"vtsubmit":true,"cksubmit":false,"tags":"a,b"},{"index":0,"vtsubmit":false,"cksubmit":false,' +
      '"tags":""}]',
  );
  expect([orders(0), orders(1)]).toEqual([
    { virusTotal: false, sandbox: false, tags: '' },
    { virusTotal: true, sandbox: false, tags: 'a,b' },
  ]);
});

test('files_data reads a missing flag as yes', () => {
  expect(ordersIn('[{"index":0,"tags":"a"}]')(0)).toEqual({ ...givenAway, tags: 'a' });
  expect(ordersIn('[{"index":0,"vtsubmit":false,"cksubmit":false}]')(1)).toEqual(givenAway);
});

test('files_data reads a string flag as yes, "false" included, except an empty string and "0"', () => {
  const said = (vtsubmit: unknown) => ordersIn(JSON.stringify([{ index: 0, vtsubmit }]))(0).virusTotal;
  expect([said('false'), said('0'), said(''), said(0), said(null), said(1)]).toEqual([
    true,
    false,
    false,
    false,
    false,
    true,
  ]);
});

test('files_data falls back to the defaults when it cannot be parsed', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.json(), fc.constantFrom('', '{"index":0}', '[{"index":"0"}]', '[1]')),
      (text) => {
        expect(ordersIn(text)(7)).toEqual(givenAway);
      },
    ),
  );
});
