import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FailureError } from '../../shared/failure.ts';
import type { CallFacts } from './call.ts';
import { failureOf } from './failure-of.fixture.ts';
import { forAny, whenBusy } from '../base/property.fixture.ts';
import { createRedaction, excerptCharacters } from '../base/redaction.ts';
import { mostUploadItems, readUploadReply, type UploadReply } from './uploads.ts';

const md5 = 'a'.repeat(32);
const at = { service: 'repository', address: 'https://repo.example/api.php' } as const;
const facts: CallFacts = {
  ...at,
  action: 'uploadfiles',
  hashes: [],
  hasToken: true,
  redaction: createRedaction(['SECRETSECRET']),
};
const read = (body: unknown, status = 200): UploadReply =>
  readUploadReply({ status, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }, facts);

describe('an upload reply', () => {
  it.each<[string, unknown]>([
    ['as observed', { files: [{ md5, filename: 'x' }] }],
    ['bare', [{ md5 }]],
    ['as release 3.4 names it', { files: [{ filename: 'x', name: md5 }] }],
    ['in upper case', { Files: [{ MD5: md5.toUpperCase() }] }],
    ['with gaps, as PHP writes them', { files: { 3: { md5 } } }],
    ['with more beside it', { status: 'ok', files: [{ md5, error: null }], error: 'some failed' }],
    ['with praise', { files: [{ md5, message: 'File uploaded', error: false }] }],
  ])('%s names a file', (_, body) => {
    expect(read(body)).toEqual({ items: [{ md5, error: null }] });
  });

  it.each<[unknown, UploadReply['items'][number]]>([
    [
      { filename: 'x', name: false, error: 'File is too small' },
      { md5: null, error: 'File is too small' },
    ],
    [
      { name: md5, error: 'File is too small' },
      { md5: null, error: 'File is too small' },
    ],
    [
      { md5: false, filename: 'x', name: md5, error: 'File is too small' },
      { md5: null, error: 'File is too small' },
    ],
    [
      { md5: false, error: 'File is too small' },
      { md5: null, error: 'File is too small' },
    ],
    [{ error: 'File is too small' }, { md5: null, error: 'File is too small' }],
    [
      { md5, error: 'File is already uploaded' },
      { md5, error: 'File is already uploaded' },
    ],
    [
      { md5: null, message: 'No right' },
      { md5: null, error: 'No right' },
    ],
    [
      { md5, error: true, message: 'No right' },
      { md5, error: 'No right' },
    ],
    [
      { md5, error: { code: 'no-right', message: 'No right' } },
      { md5, error: 'No right' },
    ],
    [
      { md5, error: { code: 'no-right' } },
      { md5, error: 'no-right' },
    ],
    [{ Error: { Message: 'No right' } }, { md5: null, error: 'No right' }],
    [
      { md5, error: 1 },
      { md5, error: '' },
    ],
    [{ md5: 'short' }, { md5: null, error: null }],
    [{}, { md5: null, error: null }],
    ['text', { md5: null, error: null }],
    [null, { md5: null, error: null }],
    [
      { md5: null, error: `line\r\none SECRETSECRET\u202e` },
      { md5: null, error: 'line one [secret]' },
    ],
  ])('%j is read', (item, expected) => {
    expect(read({ files: [item] })).toEqual({ items: [expected] });
  });

  it.each([
    { md5, error: null, Error: 'No right' },
    { md5, ERROR: 'No right', error: false },
  ])('%j is an error, in any field order', (item) => {
    expect(read({ files: [item] })).toEqual({ items: [{ md5, error: 'No right' }] });
  });

  it.each([
    `{"files":[{"md5":"${md5}","error":"No right","error":null}]}`,
    `{"files":[{"md5":"${md5}","error":"No right"}],"files":[{"md5":"${md5}"}]}`,
    `[{"md5":"${'b'.repeat(32)}","md5":"${md5}"}]`,
  ])('%s lacks its repeated names', (body) => {
    expect(read(body)).toEqual({ items: [{ md5, error: null }], lacksSome: true });
  });

  it('behind a warning is as doubtful', () => {
    const warning = '\nNotice: Undefined index: x in /w/a.php on line 3\n';
    expect(read(`${warning}${JSON.stringify({ files: [{ md5 }] })}`)).toEqual({
      items: [{ md5, error: null }],
      lacksSome: true,
    });
  });

  it.each([[{ files: [] }], [[]]])('%j names no file', (body) => {
    expect(read(body)).toEqual({ items: [] });
  });

  it.each<[unknown, string]>([
    ['', 'empty-reply'],
    [' \n', 'empty-reply'],
    ['<html>', 'html-reply'],
    ['OK', 'unreadable-reply'],
    [{}, 'unreadable-reply'],
    [null, 'unreadable-reply'],
    [3, 'unreadable-reply'],
    ['"text"', 'unreadable-reply'],
    [[1, 'x', null], 'unreadable-reply'],
    [{ files: null }, 'unreadable-reply'],
    [{ files: 'x' }, 'unreadable-reply'],
    [{ files: {} }, 'unreadable-reply'],
    [{ files: { md5 } }, 'unreadable-reply'],
    [{ error: 'SECRETSECRET is wrong' }, 'request-refused'],
    [{ error: { code: 'x', message: 'no' } }, 'request-refused'],
    ['Warning: x {"files":[]}', 'text-around-json'],
    ['Fatal error: x in a.php on line 1\n{"files":[]}', 'text-around-json'],
    ['{"files":[]}{}', 'text-around-json'],
  ])('%j is the failure %s', async (body, kind) => {
    const failure = await failureOf(() => read(body));
    expect(failure).toMatchObject({ kind, ...at, status: 200 });
    expect(JSON.stringify(failure)).not.toContain('SECRET');
  });

  it('is read up to its limits, and its error texts are shortened', () => {
    const { items } = read({
      files: Array.from({ length: mostUploadItems + 5 }, (_, index) => ({
        md5: null,
        error: `${index} ${'x'.repeat(400)}`,
      })),
    });
    expect(items).toHaveLength(mostUploadItems);
    expect(items[0]?.error).toHaveLength(excerptCharacters);
    expect(items.at(-1)).toEqual({ md5: null, error: '' });
  });

  it(
    'gives items of the contract or a failure, for any JSON and any bytes',
    () => {
      const member = fc.constantFrom('md5', 'MD5', 'error', 'message', 'files', '__proto__', 'code');
      const item = fc.oneof(
        fc.jsonValue(),
        fc
          .array(fc.tuple(member, fc.oneof(fc.jsonValue(), fc.constant(md5))))
          .map((members) => Object.fromEntries(members)),
      );
      const anything = fc.oneof(
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        fc
          .oneof(
            fc.array(item),
            fc.array(item).map((files) => ({ files })),
          )
          .map((json) => Buffer.from(JSON.stringify(json))),
      );
      forAny(
        [anything],
        (body) => {
          try {
            for (const { md5: named, error } of readUploadReply({ status: 200, body }, facts).items) {
              expect(named === null || /^[0-9a-f]{32}$/.test(named)).toBe(true);
              expect(error === null || error.length <= excerptCharacters).toBe(true);
            }
          } catch (error) {
            expect(error).toBeInstanceOf(FailureError);
          }
        },
        400,
      );
    },
    whenBusy,
  );
});
