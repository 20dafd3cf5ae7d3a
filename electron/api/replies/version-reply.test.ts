import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../shared/domain/sample.ts';
import { anyText, forAny } from '../../base/property.fixture.ts';
import { readVersionReply, valueAt } from './version-reply.ts';

const nothing = { outdated: null, version: null, id: null };
const read = (reply: Json) => readVersionReply(reply, null);

describe('the outdated flag', () => {
  it.each<[Json, boolean]>([
    [{ outdated: true }, true],
    [{ outdated: false }, false],
    [{ outdated: 1 }, true],
    [{ outdated: 0 }, false],
    [{ outdated: '1' }, true],
    [{ outdated: '0' }, false],
    [{ outdated: ' Yes ' }, true],
    [{ outdated: 'no' }, false],
    [{ outdated: 'TRUE' }, true],
    [{ is_outdated: true }, true],
    [{ isOutdated: true }, true],
    [{ 'IS-OUTDATED': true }, true],
    [{ update_available: 1 }, true],
    [{ needsUpdate: 'false' }, false],
    [{ up_to_date: true }, false],
    [{ upToDate: 'no' }, true],
    [{ latest: true }, false],
    [{ latest: 'false' }, true],
    [{ is_latest: 1 }, false],
    [{ data: { outdated: '1' } }, true],
    [{ Result: { Package: { is_outdated: 0 } } }, false],
    [{ outdated: null, update_available: true }, true],
    [{ outdated: '', publication: { outdated: true } }, true],
    [{ outdated: true, up_to_date: false }, true],
    [{ outdated: true, publication: { latest: true } }, true],
  ])('%j means %s', (reply, outdated) => expect(read(reply).outdated).toBe(outdated));

  it.each<[Json]>([
    [null],
    [true],
    ['outdated'],
    [[]],
    [{}],
    [[{ outdated: true }]],
    [{ outdated: '' }],
    [{ outdated: 'maybe' }],
    [{ outdated: 2 }],
    [{ outdated: {} }],
    [{ outdated: [true] }],
    [{ latest: 1 }],
    [{ latest: '1' }],
    [{ latest: '1.4' }],
    [{ outdated: true, up_to_date: true }],
    [{ outdated: true, needs_update: false, data: { outdated: true } }],
    [{ other: { outdated: true } }],
    [{ data: { data: { data: { outdated: true } } } }],
  ])('%j means unknown', (reply) => expect(read(reply).outdated).toBeNull());
});

describe('the last version', () => {
  it.each<[Json, string]>([
    [{ last_version: '1.4' }, '1.4'],
    [{ lastVersion: 14 }, '14'],
    [{ 'latest-version': 1.4 }, '1.4'],
    [{ latest: '1.4' }, '1.4'],
    [{ latest: 3 }, '3'],
    [{ version: ' 1.4\n' }, '1.4'],
    [{ version: '1.3', last_version: '1.4' }, '1.4'],
    [{ latest: true, version: '1.4' }, '1.4'],
    [{ latest: 'yes', version: '1.4' }, '1.4'],
    [{ version: '1.3', publication: { version: '1.4' } }, '1.4'],
    [{ version: '1.3', data: { last_version: '1.4' } }, '1.4'],
    [{ last_version: '1.4', data: { last_version: '1.3' } }, '1.4'],
    [{ data: { publication: { version: '1.4' } } }, '1.4'],
    [{ last_version: null, latest: '1.4' }, '1.4'],
    [{ last_version: false, version: '1.4' }, '1.4'],
    [{ last_version: 'x'.repeat(200) }, 'x'.repeat(200)],
  ])('in %j is %j', (reply, version) => expect(read(reply).version).toBe(version));

  it.each<[Json]>([
    [{ last_version: '' }],
    [{ last_version: '  ' }],
    [{ last_version: {} }],
    [{ last_version: ['1.4'] }],
    [{ latest: true }],
    [{ latest: 'no' }],
    [{ last_version: 'x'.repeat(201) }],
    [{ last_version: '1\u00004' }],
    [{ last_version: '1\n4' }],
    [{ last_version: '1\u202E4' }],
    [{ last_version: '1\u20284' }],
    [{ last_version: '1\u20294' }],
    [{ last_version: '1\uD800' }],
    [{ last_version: 2 ** 60 }],
    [{ last_version: Number.POSITIVE_INFINITY }],
  ])('in %j is missing', (reply) => expect(read(reply).version).toBeNull());
});

describe('the publication id', () => {
  it.each<[Json, string]>([
    [{ id: 12 }, '12'],
    [{ id: '12' }, '12'],
    [{ publication_id: 12 }, '12'],
    [{ publication: 12 }, '12'],
    [{ Publication: 'a-b' }, 'a-b'],
    [{ lastId: 0 }, '0'],
    [{ publication: { id: 12 } }, '12'],
    [{ data: { publication: { id: 12 } } }, '12'],
    [{ id: null, publication: { id: 12 } }, '12'],
    [{ id: '../12' }, '../12'],
    [{ id: 12, publication: 13, publication_id: 14 }, '12'],
  ])('in %j is %j', (reply, id) => expect(read(reply).id).toBe(id));

  it.each<[Json]>([
    [{ id: true }],
    [{ id: {} }],
    [{ id: '' }],
    [{ id: 2 ** 53 }],
    [{ id: 'x'.repeat(201) }],
    [{ id: 'a\u0007' }],
    [{ publication: [12] }],
  ])('in %j is missing', (reply) => {
    expect(read(reply).id).toBeNull();
  });
});

describe('a mapping', () => {
  const reply = { state: { '': 'yes' }, outdated: false, list: [{ no: 7 }], version: '1.0', id: 1, up_to_date: true };
  it('is followed to its target, with the field names as a fallback', () => {
    expect(readVersionReply(reply, { outdated: '/state/', version: null, id: '/list/0/no' })).toEqual({
      outdated: true,
      version: '1.0',
      id: '7',
    });
  });

  it('to a missing member leaves its field unknown', () => {
    expect(readVersionReply(reply, { outdated: '/gone', version: 'version', id: '/list' })).toEqual(nothing);
  });

  it('to a member with the opposite meaning inverts its value', () => {
    expect(readVersionReply(reply, { outdated: '/up_to_date', version: null, id: null }).outdated).toBe(false);
  });
});

describe('any version reply', () => {
  const names = [
    'outdated',
    'Up-To-Date',
    'latest',
    'version',
    'LAST_VERSION',
    'id',
    'publication',
    'data',
    'result',
    '__proto__',
    'constructor',
    '',
  ];
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<Json>(null, true, false, '', 'yes', '1.4'),
      anyText,
      fc.double(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
    ),
  })).value;
  const pointer = fc.option(
    fc.oneof(
      anyText,
      fc
        .array(fc.constantFrom(...names, '0'), { maxLength: 3 })
        .map((parts) => parts.map((part) => `/${part}`).join('')),
    ),
  );

  it('gives only flags and texts that can be shown and sent', () => {
    forAny(
      [json, fc.option(fc.record({ outdated: pointer, version: pointer, id: pointer }))],
      (reply, mapping) => {
        const { outdated, version, id } = readVersionReply(reply, mapping);
        expect([true, false, null]).toContain(outdated);
        for (const text of [version, id]) expect(text ?? 'x').toMatch(/^[^\p{C}\u2028\u2029]{1,200}$/u);
      },
      500,
    );
  });

  it('is understood when it has the form of Vitrine’s own lab', () => {
    expect(read({ outdated: true, last_version: '1.4', id: 'p4', group: 'Release' })).toEqual({
      outdated: true,
      version: '1.4',
      id: 'p4',
    });
  });
});

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
  ])('%j resolves as in the RFC', (pointer, value) => expect(valueAt(example, pointer)).toEqual(value));

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
  ])('%j resolves to nothing', (pointer) => {
    expect(valueAt(example, pointer)).toBeUndefined();
  });

  it('resolves a member of any name', () => {
    forAny([anyText, anyText], (outer, inner) => {
      const pointer = [outer, inner].map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
      expect(valueAt(Object.fromEntries([[outer, Object.fromEntries([[inner, 'found']])]]), pointer)).toBe('found');
    });
  });

  it('resolves to a value or to nothing, whatever it is', () => {
    forAny([anyText], (pointer) => {
      expect(() => valueAt(example, pointer)).not.toThrow();
    });
  });
});
