import { describe, expect, it } from 'vitest';
import type { Json } from '../../../shared/domain/sample.ts';
import { anyText, forAny } from '../../base/property.fixture.ts';
import { valueAt } from './json-pointer.ts';

/** The example of RFC 6901, 5. */
const example = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
};

describe('a JSON pointer', () => {
  it.each<[string, Json]>([
    ['', example],
    ['/foo', example.foo],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ])('%j leads to what the RFC says', (pointer, value) => expect(valueAt(example, pointer)).toEqual(value));

  it.each([
    'foo',
    '/nothing',
    '/foo/2',
    '/foo/-',
    '/foo/00',
    '/foo/0/0',
    '/foo/length',
    '/toString',
    '/m~n',
    '/m~2n',
    '/__proto__',
  ])('%j leads to nothing', (pointer) => {
    expect(valueAt(example, pointer)).toBeUndefined();
  });

  it('leads to a member of any name', () => {
    forAny([anyText, anyText], (outer, inner) => {
      const pointer = [outer, inner].map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
      expect(valueAt(Object.fromEntries([[outer, Object.fromEntries([[inner, 'found']])]]), pointer)).toBe('found');
    });
  });

  it('leads somewhere or nowhere whatever it is', () => {
    forAny([anyText], (pointer) => {
      expect(() => valueAt(example, pointer)).not.toThrow();
    });
  });
});
