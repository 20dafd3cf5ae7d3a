import { describe, expect, it, test } from 'vitest';
import type { Json } from '../../../shared/domain/sample.ts';
import { FailureError } from '../../../shared/failure.ts';
import { facts, mustBeWithoutSecret, replyOf, secret } from './reply-inputs.fixture.ts';
import { readEditorFiles, readFoundPage, readFoundSamples, readTagsInUse } from './server-lists.ts';

const md5 = '124798a0b0ef11ae643c81c507b27116';
const sha256 = 'c381'.repeat(16);
const found = (json: Json) => readFoundSamples(replyOf(JSON.stringify(json)), facts);
const tags = (json: Json): string[] => readTagsInUse(replyOf(JSON.stringify(json)), facts).map(({ tag }) => tag);
const files = (json: Json) => readEditorFiles(replyOf(JSON.stringify(json)), facts);

/** As the public release 5.1 lists it. */
const entry = {
  md5,
  filename: 's1.bin',
  threat: 'Trojan.Foo',
  size: 101,
  date: '2026-11-30 03:23:30',
  uploader: 1,
  sha256,
  favorite: 0,
  locked: 0,
  tags: 'alpha,beta,gamma',
  virustotal_status: -6,
  user_name: 'boss',
  criticity: 1,
};
const sample = {
  md5,
  sha256,
  name: 's1.bin',
  sizeBytes: 101,
  date: '2026-11-30 03:23:30',
  threat: 'Trojan.Foo',
  tags: ['alpha', 'beta', 'gamma'],
  uploader: 'boss',
};

describe('the samples that a search finds', () => {
  it.each<[string, Json]>([
    ['in a member', { files: [entry] }],
    ['in a member of another case', { Files: [entry] }],
    ['in a list with gaps, as PHP writes it', { files: { 0: entry, 7: { name: 'without an MD5' } } }],
    ['as the bare list', [entry]],
  ])('are read %s', (_, json) => expect(found(json)).toEqual([sample]));

  it('are those of release 3.4, which has other names for their facts', () => {
    const oldest = { name: md5, filename: 's1.bin', vendor: 'Trojan.Foo', size: 101, timestamp: '2026-11-30 03:23:30' };

    expect(found({ files: [{ ...oldest, tags: 'alpha,beta,gamma', user: 1, user_name: 'boss' }] })).toEqual([
      { ...sample, sha256: null },
    ]);
  });

  it.each<[string, Json]>([
    ['in a member', { files: [] }],
    ['as an empty object', { files: {} }],
    ['as the bare list', []],
  ])('are none %s', (_, json) => expect(found(json)).toEqual([]));

  it('keep their texts, however strange, within bounds and without the token', () => {
    const read = found({ files: [{ ...entry, filename: `a\u202e${secret}`, threat: 'x'.repeat(300_000) }] });
    expect(read[0]?.name?.startsWith('a\u202e')).toBe(true);
    expect(read[0]?.threat?.length).toBeLessThan(300_000);
    mustBeWithoutSecret(read);
  });

  it('lack what an entry does not have', () => {
    expect(found([{ md5: md5.toUpperCase() }])).toEqual([
      { md5, sha256: null, name: null, sizeBytes: null, date: null, threat: null, tags: [], uploader: null },
    ]);
  });

  it('do not take the bounds of others when one is large', () => {
    const large = { ...entry, note: Array.from({ length: 30_000 }, () => 'x') };
    expect(found([large, { ...entry, md5: 'b'.repeat(32) }]).map((one) => one.md5)).toEqual([md5, 'b'.repeat(32)]);
  });

  it('are at most a thousand', () => {
    expect(found(Array.from({ length: 1500 }, () => entry))).toHaveLength(1000);
  });

  it.each<[string, Json]>([
    ['an object of something else', {}],
    ['a record', { file: { md5 } }],
    ['a number', 7],
    ['nothing', null],
    ['a member that is no list', { files: 'none' }],
    ['entries that all lack an MD5', { files: [{ name: md5 }, { name: 's1.bin', filename: md5 }] }],
    ['entries that are no objects', [[], 'x', 1, null, {}]],
  ])('cannot be read from %s', (_, json) =>
    expect(() => found(json)).toThrow(
      new FailureError({
        kind: 'unreadable-reply',
        service: 'repository',
        address: facts.address,
        status: 200,
        text: JSON.stringify(json),
      }),
    ),
  );

  it.each<[string, string, string]>([
    ['an error', '{"error":{"code":"x","message":"no search"}}', 'request-refused'],
    ['nothing', '', 'empty-reply'],
    ['a page', '<!DOCTYPE html>', 'html-reply'],
    ['a notice in front', 'Notice: x {"files":[]}', 'text-around-json'],
    ['half a list', '{"files":[{"md5"', 'unreadable-reply'],
  ])('fail as any reply does with %s', (_, body, kind) =>
    expect(() => readFoundSamples(replyOf(body), facts)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ kind }) }),
    ),
  );
});

describe('a page of a search by query', () => {
  const page = { files: [entry], next: 'bmV4dA', total: 12, more: false };
  const read = (json: Json, limit = 2) =>
    readFoundPage(replyOf(JSON.stringify(json)), facts, { limit, after: 'bWFyaw' });

  it.each<[string, Json, object]>([
    ['that has a next one', page, { found: [sample], next: 'bmV4dA', total: 12, more: false }],
    ['that is the last one', { ...page, next: null, more: true }, { next: null, more: true }],
    ['that names no next one', { files: [entry], total: 1, more: false }, { next: null, total: 1 }],
    ['of nothing', { files: [], next: null, total: 0, more: false }, { found: [], next: null, total: 0 }],
    ['as PHP writes numbers', { ...page, total: '12', more: 0 }, { total: 12, more: false }],
    ['whose total is outdated', { ...page, total: 0 }, { found: [sample], total: 1 }],
    ['with an entry without MD5', { ...page, files: [{ name: 'x' }, entry] }, { found: [sample] }],
  ])('is read %s', (_, json, expected) => expect(read(json)).toMatchObject(expected));

  it.each<[string, Json]>([
    ['a bare list', [entry]],
    ['no total', { files: [entry], next: null, more: false }],
    ['a total that is no count', { ...page, total: -1 }],
    ['no word about more', { files: [entry], next: null, total: 1 }],
    ['more entries than were requested', { ...page, files: [entry, entry, entry] }],
    ['entries that all lack an MD5', { ...page, files: [{ name: 'x' }] }],
    ['a next page that is this one', { ...page, next: 'bWFyaw' }],
    ['a mark of another kind', { ...page, next: { after: 1 } }],
    ['a mark of more than 4 KiB', { ...page, next: 'a'.repeat(4097) }],
    ['a mark that is not printable', { ...page, next: 'a\nb' }],
    ['something else', { status: 'ok' }],
  ])('cannot be read with %s', (_, json) =>
    expect(() => read(json)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ kind: 'unreadable-reply', status: 200 }) }),
    ),
  );

  it('has no token in its mark', () => {
    expect(read({ ...page, next: `x${secret}y` }).next).toMatch(/^x[^]*y$/);
    mustBeWithoutSecret(read({ ...page, next: `x${secret}` }));
  });
});

describe('the tags in use', () => {
  it('are those of the public release, most used first, without the samples that have none', () => {
    const json = [
      { tag: '', count: 42 },
      { tag: 'alpha', count: 1 },
      { tag: 'beta', count: '12' },
      { tag: 'gamma', count: 3 },
    ];
    expect(readTagsInUse(replyOf(JSON.stringify(json)), facts)).toEqual([
      { tag: 'beta', samples: 12 },
      { tag: 'gamma', samples: 3 },
      { tag: 'alpha', samples: 1 },
    ]);
  });

  it.each<[string, Json]>([
    ['texts', ['alpha', ' beta ', '', 'alpha']],
    ['a member', { tags: [{ tag: 'alpha' }, { TAG: 'beta', count: null }] }],
    ['entries of other kinds, which are skipped', ['alpha', 'beta', null, [], {}, { tag: {} }, true, 'x'.repeat(201)]],
  ])('are read from %s', (_, json) => expect(tags(json)).toEqual(['alpha', 'beta']));

  it('count once each', () => {
    expect(
      readTagsInUse(replyOf('[{"tag":"a","count":2},{"tag":"b","count":4},{"tag":"a ","count":3}]'), facts),
    ).toEqual([
      { tag: 'a', samples: 5 },
      { tag: 'b', samples: 4 },
    ]);
  });

  it.each<[string, Json]>([
    ['an object', { alpha: 1 }],
    ['a text', 'alpha'],
  ])('cannot be read from %s', (_, json) =>
    expect(() => tags(json)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ kind: 'unreadable-reply' }) }),
    ),
  );
});

test('the files of a rule editor are read with their numbers, each once', () => {
  const json = [
    { id: 1, name: 'Families', imports: ['pe'], rules: 2 },
    { id: '2', name: '', rules: '0' },
    { id: 1, name: 'Again', rules: 3 },
    { id: 3, name: {} },
  ];
  expect(files(json)).toEqual([
    { id: '1', name: 'Again', rules: 3, modified: null },
    { id: '2', name: '2', rules: 0, modified: null },
    { id: '3', name: '3', rules: null, modified: null },
  ]);
});
