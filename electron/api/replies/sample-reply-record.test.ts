import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, sampleRecord, type SampleRecord } from '../../../shared/domain/sample.ts';
import { forAny, whenBusy } from '../../base/property.fixture.ts';
import { readSample } from './sample-reply.ts';

const md5 = 'a'.repeat(32);
const sha256 = 'b'.repeat(64);

const nothing: SampleRecord = {
  md5: null,
  sha1: null,
  sha256: null,
  name: null,
  sizeBytes: null,
  date: null,
  uploader: null,
  threat: null,
  criticity: null,
  mime: null,
  favorite: null,
  locked: null,
  tags: [],
  urls: [],
  comments: [],
  commentsOmitted: 0,
  listsComments: false,
  virusTotal: { state: null, score: null, link: null },
  sandbox: { state: null, link: null },
  ssdeep: null,
  imphash: null,
  pdbPath: null,
  signer: null,
  warning: null,
  unknown: {},
};
const record = (file: Json): SampleRecord => {
  const read = readSample({ file });
  if (typeof read === 'string') throw new Error(`read as ${read}`);
  return read;
};

describe('the getfile reply', () => {
  it.each<[string, Json, string]>([
    ['null', { file: null }, 'unknown'],
    ['false', { file: false }, 'unknown'],
    ['an empty list, as PHP writes nothing', { file: [] }, 'unknown'],
    ['an empty object', { file: {} }, 'unknown'],
    ['a text', { file: 'x' }, 'unreadable'],
    ['a list', { file: [{ md5 }] }, 'unreadable'],
  ])('with %s for a file is "%s"', (_, json, outcome) => {
    expect(readSample(json)).toBe(outcome);
  });

  it.each<[Json]>([[null], [true], [3], ['x'], [[]], [[{ md5 }]], [{}]])('is unreadable when it is %j', (json) => {
    expect(readSample(json)).toBe('unreadable');
  });

  it('is a record, wrapped or bare', () => {
    expect(readSample({ file: { md5 } })).toEqual({ ...nothing, md5 });
    expect(readSample({ md5 })).toEqual({ ...nothing, md5 });
    expect(readSample({ status: 'ok', file: { md5 } })).toEqual({ ...nothing, md5, unknown: { status: 'ok' } });
  });

  it('is a record when every field is missing or null', () => {
    expect(record({ whatever: null })).toEqual({ ...nothing, unknown: { whatever: null } });
    const fields = [
      'md5',
      'sha256',
      'filename',
      'size',
      'date',
      'uploader',
      'tags',
      'urls',
      'comment',
      'comments',
      'criticity',
      'favorite',
      'virustotal_status',
    ];
    expect(record(Object.fromEntries(fields.map((name) => [name, null])))).toEqual(nothing);
  });

  it('has every field that an older release sends', () => {
    const file: Json = {
      md5: md5.toUpperCase(),
      sha256,
      filename: 'invoice.exe',
      size: '2048',
      date: '2026-01-31 23:59:59',
      uploader: '7',
      user_name: 'ada',
      user_avatar: 'iVBORw0KGgo=',
      threat: 'Trojan.X',
      criticity: '1',
      mime: 'application/x-dosexec',
      favorite: '0',
      locked: 'true',
      comment: 'seen in the wild',
      tags: 'b,a,b, c ,',
      urls: 'Report|https://x.example/a,b?c=1|2,https://y.example',
      virustotal_score: '12/60',
      virustotal_status: '-6',
      virustotal_link: 'https://vt.example/x',
      cuckoo_status: -2,
      cuckoo_link: '',
      ssdeep: '3:abc:def',
      imphash: 'f'.repeat(32),
      pdbpath: 'C:\\x.pdb',
      signer: 'Nobody',
      icon: 'iVBORw0KGgo=',
      pedata: '{"sections":[{"name":".text"}]}',
      officedata: '',
      pdfdata: 'not json',
    };
    expect(record(file)).toEqual({
      ...nothing,
      md5,
      sha256,
      name: 'invoice.exe',
      sizeBytes: 2048,
      date: '2026-01-31 23:59:59',
      uploader: 'ada',
      threat: 'Trojan.X',
      criticity: 'bad',
      mime: 'application/x-dosexec',
      favorite: false,
      locked: true,
      tags: ['b', 'a', 'c'],
      urls: [
        { name: 'Report', url: 'https://x.example/a,b?c=1|2' },
        { name: '', url: 'https://y.example' },
      ],
      comments: [{ id: 'comment', parentId: null, author: null, content: 'seen in the wild', created: null }],
      virusTotal: { state: 'not-checked', score: '12/60', link: 'https://vt.example/x' },
      sandbox: { state: '-2', link: null },
      ssdeep: '3:abc:def',
      imphash: 'f'.repeat(32),
      pdbPath: 'C:\\x.pdb',
      signer: 'Nobody',
      unknown: {
        uploader: '7',
        user_avatar: 'iVBORw0KGgo=',
        icon: 'iVBORw0KGgo=',
        pedata: { sections: [{ name: '.text' }] },
        officedata: '',
        pdfdata: 'not json',
      },
    });
  });
});

describe('a record field', () => {
  it.each<[string, Json, keyof SampleRecord, Json]>([
    ['size', 12, 'sizeBytes', 12],
    ['size', ' 12 ', 'sizeBytes', 12],
    ['size', '', 'sizeBytes', null],
    ['favorite', 1, 'favorite', true],
    ['favorite', '0', 'favorite', false],
    ['favorite', 'TRUE', 'favorite', true],
    ['favorite', 'no', 'favorite', false],
    ['criticity', 2, 'criticity', 'unwanted'],
    ['criticity', '3', 'criticity', 'other'],
    ['filename', 42, 'name', '42'],
    ['tags', ['a', 'b,c', 'a', 3], 'tags', ['a', 'b', 'c', '3']],
    ['tags', '', 'tags', []],
    ['uploader', 7, 'uploader', '7'],
    ['sha1', 'C'.repeat(40), 'sha1', 'c'.repeat(40)],
    [
      'urls',
      'a|https://a.example,b|https://b.example,a|https://a.example,c|https://a.example,b|https://b.example',
      'urls',
      [
        { name: 'a', url: 'https://a.example' },
        { name: 'b', url: 'https://b.example' },
        { name: 'c', url: 'https://a.example' },
      ],
    ],
    ['urls', ['a|https://a.example', 'a|https://a.example'], 'urls', [{ name: 'a', url: 'https://a.example' }]],
    ['tags', 'b,a,b,a', 'tags', ['b', 'a']],
    ['urls', ['a|https://a.example'], 'urls', [{ name: 'a', url: 'https://a.example' }]],
    // A server that joins tables repeats each for each tag.
    [
      'urls',
      'a|https://a.example,b|https://b.example,a|https://a.example',
      'urls',
      [
        { name: 'a', url: 'https://a.example' },
        { name: 'b', url: 'https://b.example' },
      ],
    ],
    ['urls', [{ name: 'a', url: 'https://a.example' }], 'urls', [{ name: 'a', url: 'https://a.example' }]],
  ])('%s %j is read', (name, value, field, expected) => {
    expect(record({ [name]: value, x: 1 })).toEqual({ ...nothing, [field]: expected, unknown: { x: 1 } });
  });

  it.each<[string, Json]>([
    ['md5', 'short'],
    ['md5', 5],
    ['sha256', 'g'.repeat(64)],
    ['size', -1],
    ['size', '12 KB'],
    ['size', 1.5],
    ['size', 1e20],
    ['size', 2 ** 50 + 1],
    ['size', true],
    ['favorite', 'maybe'],
    ['favorite', 2],
    ['criticity', 0],
    ['criticity', 'x'],
    ['criticity', 'constructor'],
    ['filename', { a: 1 }],
    ['filename', true],
    ['tags', { a: 1 }],
    ['tags', [{ name: 'a' }]],
    ['urls', 5],
    ['urls', [{ href: 'x' }]],
    ['comments', 'x'],
    ['comment', ['x']],
    ['virustotal_status', '5'],
    ['date', []],
  ])('%s %j is not understood and kept under its name', (name, value) => {
    expect(record({ [name]: value })).toEqual({ ...nothing, unknown: { [name]: value } });
  });

  it.each<[Json, string]>([
    [1, 'found'],
    ['0', 'unknown'],
    [-2, 'running'],
    ['-6', 'not-checked'],
  ])('virustotal_status %j means %s', (status, state) => {
    expect(record({ virustotal_status: status }).virusTotal.state).toBe(state);
  });

  it('keeps names that objects inherit', () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
    expect(record(Object.fromEntries(names.map((name) => [name, 1]))).unknown).toEqual(
      Object.fromEntries(names.map((name) => [name, 1])),
    );
  });

  it('bounds JSON inside a string', () => {
    expect(JSON.stringify(record({ pedata: `${'['.repeat(10_000)}${']'.repeat(10_000)}` }).unknown)).toContain(
      'nested too deeply',
    );
  });
});

describe('record comments', () => {
  const listed = (comments: Json[]): SampleRecord => record({ comments });

  it('are read from a list', () => {
    const comments = [
      {
        id: 1,
        parent: null,
        created: '2026-01-01 10:00:00',
        modified: null,
        content: '<b>one</b>',
        author: 3,
        fullname: 'Ada',
      },
      { id: '2', parent: 1, content: 'two', author: 'bob', created: null },
      { id: 3, parent: '', content: '', author: null },
      { id: 4, parent: 0, content: 'four' },
    ];
    const read = listed(comments);
    expect(read.comments).toEqual([
      { id: '1', parentId: null, author: 'Ada', content: '<b>one</b>', created: '2026-01-01 10:00:00' },
      { id: '2', parentId: '1', author: 'bob', content: 'two', created: null },
      { id: '4', parentId: null, author: null, content: 'four', created: null },
    ]);
    expect(read.unknown).toEqual({ comments: [{ id: '1', modified: null, author: 3 }, comments[2]] });
  });

  it('form finite threads, whatever their parents are', () => {
    const parents: Json[] = [
      { id: 1, parent: 2 },
      { id: 2, parent: 1 },
      { id: 3, parent: 3 },
      { id: 4, parent: 'gone' },
      { id: 5, parent: 1 },
      { id: 6, parent: 7 },
      { id: 7 },
    ];
    const { comments } = listed(parents.map((entry) => ({ ...(entry as { id: number }), content: 'x' })));
    expect(comments.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['1', null],
      ['2', null],
      ['3', null],
      ['4', null],
      ['5', '1'],
      ['6', '7'],
      ['7', null],
    ]);
  });

  it('below a missing parent, or in a cycle, keep their replies below them', () => {
    const parents: Json[] = [
      { id: 1, parent: 'gone' },
      { id: 2, parent: 1 },
      { id: 3, parent: 2 },
      { id: 5, parent: 4 },
      { id: 4, parent: 6 },
      { id: 6, parent: 4 },
      { id: 7, parent: 5 },
    ];
    const { comments } = listed(parents.map((entry) => ({ ...(entry as { id: number }), content: 'x' })));
    expect(comments.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['1', null],
      ['2', '1'],
      ['3', '2'],
      ['5', '4'],
      ['4', null],
      ['6', null],
      ['7', '5'],
    ]);
  });

  it.each<[Json, Json[]]>([
    [false, []],
    [[], []],
    [{}, []],
    [true, [{ id: '1', parent: true }]],
    [{ id: 9 }, [{ id: '1', parent: { id: 9 } }]],
  ])('whose parent is %j are roots, and the parent’s value is kept', (parent, left) => {
    const read = listed([{ id: 1, parent, content: 'x' }]);
    expect(read.comments).toMatchObject([{ id: '1', parentId: null, content: 'x' }]);
    expect(read.unknown).toEqual(left.length === 0 ? {} : { comments: left });
  });

  it('are all kept without an id, or with a repeated one', () => {
    const read = listed([
      { content: 'a' },
      { content: 'b' },
      { id: 9, content: 'c' },
      { id: '9', content: 'd' },
      'e',
      { id: {}, content: 'f' },
    ]);
    expect(read.comments.map(({ id, content }) => [id, content])).toEqual([
      ['unnumbered-1', 'a'],
      ['unnumbered-2', 'b'],
      ['9', 'c'],
    ]);
    expect(read.unknown).toEqual({ comments: [{ id: '9', content: 'd' }, 'e', { id: {}, content: 'f' }] });
  });

  it('do not repeat the single comment text', () => {
    expect(record({ comment: 'one', comments: [{ id: 1, content: 'one' }] }).comments).toHaveLength(1);
    expect(
      record({ comment: 'zero', comments: [{ id: 1, content: 'one' }] }).comments.map(({ content }) => content),
    ).toEqual(['zero', 'one']);
  });

  it('count as listed only when the record has a list', () => {
    expect(listed([]).listsComments).toBe(true);
    expect(listed([{ id: 1, content: 'x' }]).listsComments).toBe(true);
    for (const file of [{ comment: 'x' }, { comments: null }, { comments: 'x' }, { comments: { 0: 'x' } }, { md5 }])
      expect(record(file).listsComments).toBe(false);
  });

  it('are read quickly in a chain of ten thousand', () => {
    const { comments } = listed(
      Array.from({ length: 10_000 }, (_, index) => ({ id: index + 1, parent: index, content: 'x' })),
    );
    expect(comments.at(-1)?.parentId).toBe('9999');
  });
});

const fieldNames = [
  'md5',
  'size',
  'tags',
  'urls',
  'comments',
  'comment',
  'criticity',
  'favorite',
  'virustotal_status',
  'pedata',
  '__proto__',
  'file',
];
const anyMember = fc.tuple(
  fc.oneof(fc.constantFrom(...fieldNames), fc.string()),
  fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.array(fc.record({ id: fc.jsonValue(), parent: fc.jsonValue(), content: fc.jsonValue() })),
  ),
);
const anyRecord = fc
  .array(anyMember, { maxLength: 12 })
  .map((members) => JSON.parse(JSON.stringify(Object.fromEntries(members))) as Json);

describe('any JSON', () => {
  it(
    'gives a record of the contract, or one of two outcomes',
    () => {
      forAny(
        [
          fc.oneof(
            fc.jsonValue(),
            anyRecord,
            anyRecord.map((file) => ({ file })),
          ),
        ],
        (value) => {
          const read = readSample(JSON.parse(JSON.stringify(value)) as Json);
          const problem = typeof read === 'string' ? undefined : sampleRecord.safeParse(read).error;
          expect(problem).toBeUndefined();
        },
      );
    },
    whenBusy,
  );
});
