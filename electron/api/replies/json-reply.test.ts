import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../shared/domain/sample.ts';
import { FailureError } from '../../../shared/failure.ts';
import { anyUnit } from '../../../shared/testing/any-unit.ts';
import { forAny, whenBusy } from '../../base/property.fixture.ts';
import { createRedaction } from '../../base/redaction.ts';
import type { CallFacts } from '../call.ts';
import { errorOf, failureOf } from '../failure-of.fixture.ts';
import { jsonParts, membersIn, quotedReply, readJsonReply, readWarnedJson } from './json-reply.ts';

const at = { service: 'repository', address: 'https://repo.example/api.php' } as const;
const facts: CallFacts = {
  ...at,
  action: 'getfile',
  hashes: [],
  hasToken: true,
  redaction: createRedaction(['SECRETSECRET']),
};
const read = (body: string | Uint8Array, status = 200): unknown =>
  readJsonReply({ status, body: Buffer.from(body) }, facts);

describe('a JSON reply', () => {
  it.each([
    ['{"file":null}', { file: null }],
    [' \r\n[1, 2]\n', [1, 2]],
    ['null', null],
    ['"text"', 'text'],
    ['\uFEFF{"a":1}', { a: 1 }],
  ])('%j is read', (body, value) => {
    expect(read(body)).toEqual(value);
  });

  it.each([
    ['', 'empty-reply'],
    [' \r\n\t', 'empty-reply'],
    ['<!DOCTYPE html><p>{"file":null}</p>', 'html-reply'],
    ['\n<HTML lang="en">', 'html-reply'],
    ['<!-- installer --><html>', 'html-reply'],
    ['<?xml version="1.0"?><!DOCTYPE html>', 'html-reply'],
    [
      '<br />\n<b>Warning</b>: Undefined index in /var/www/api.php on line 3<br />{"file":{"md5":"a"}}',
      'text-around-json',
    ],
    ['Notice: Array [0] offset {"file":null}', 'text-around-json'],
    ['{"file":null}{}', 'text-around-json'],
    ['{"file":{"name":"}"}} trailing', 'text-around-json'],
    ['{"file":{"name":"a \\" } b"}}<!-- 3 ms -->', 'text-around-json'],
    ['<br />Fatal error: out of memory', 'unreadable-reply'],
    ['{"file":', 'unreadable-reply'],
    [' {"file":{"md5":"a"},"tags":[', 'unreadable-reply'],
    ['{ {"file":null}', 'unreadable-reply'],
    ['{]', 'unreadable-reply'],
    ['MZ\u0090\u0000', 'unreadable-reply'],
    ['NaN', 'unreadable-reply'],
  ])('%j is the failure %s', async (body, kind) => {
    expect(await failureOf(() => read(body))).toMatchObject({ kind, status: 200 });
  });

  const html =
    '<br />\n<b>Notice</b>:  Undefined property: a::$b in <b>/var/www/core.php</b> on line <b>214</b><br />\n';
  const plain = '\nDeprecated: Creation of dynamic property SECRETSECRET in C:\\www\\a.php on line 3\n';

  it.each([
    [html, 'Notice: Undefined property: a::$b in /var/www/core.php on line 214'],
    [plain, 'Deprecated: Creation of dynamic property [secret] in C:\\www\\a.php on line 3'],
    [
      `${html}PHP Warning:  x\ny in a.php on line 1\n`,
      'Notice: Undefined property: a::$b in /var/www/core.php on line 214 PHP Warning: x y in a.php on line 1',
    ],
  ])('whole JSON after %j is read with the warning, where it may be', async (displayed, warning) => {
    const reply = { status: 200, body: Buffer.from(`${displayed}{"file":{"name":"x in a on line 1"}}\n`) };
    expect(readWarnedJson(reply, facts)).toEqual({ json: { file: { name: 'x in a on line 1' } }, warning });
    expect(await failureOf(() => readJsonReply(reply, facts))).toMatchObject({ kind: 'text-around-json' });
  });

  it.each([
    ['another text', 'Hello{"a":1}', 'text-around-json'],
    ['no place in a file', 'Notice: Undefined index {"a":1}', 'text-around-json'],
    ['a fatal error', 'Fatal error: out of memory in a.php on line 1\n{"a":1}', 'text-around-json'],
    ['a fatal error after a warning', `${plain}Fatal error: x in a.php on line 1\n{"a":1}`, 'text-around-json'],
    ['a fatal error inside of one', 'Notice: x\nFatal error: y in a.php on line 1\n{"a":1}', 'text-around-json'],
    ['a warning and text', `${plain} hello {"a":1}`, 'text-around-json'],
    ['a warning and text behind the JSON', `${plain}{"a":1}{}`, 'text-around-json'],
    ['a warning, and JSON that is cut off', `${plain}{"a":1,"b":`, 'unreadable-reply'],
    ['a warning, and nothing', plain, 'unreadable-reply'],
    ['a warning, and a value of its own', `${plain}null`, 'unreadable-reply'],
  ])('after %s is not used', async (_, body, kind) => {
    const reply = { status: 200, body: Buffer.from(body) };
    expect(await failureOf(() => readWarnedJson(reply, facts))).toMatchObject({ kind });
  });

  it.each([
    ['Connection Failed: 2002', 'Connection Failed: 2002'],
    ['\n<b>Connection failed</b>: Connection refused', 'Connection failed: Connection refused'],
    ['SQLSTATE[HY000] [2002] No such file or directory', 'SQLSTATE[HY000] [2002] No such file or directory'],
    [
      '<br />\n<b>Warning</b>:  mysqli::__construct(): (HY000/2002): Connection refused in <b>/w/db.php</b> on line ' +
        '<b>9</b><br />\n{"file":null}',
      'Warning: mysqli::__construct(): (HY000/2002): Connection refused in /w/db.php on line 9',
    ],
    [
      'Notice: x in a.php on line 1\nPHP Fatal error:  Uncaught mysqli_sql_exception: gone away in b.php:2',
      'Fatal error: Uncaught mysqli_sql_exception: gone away in b.php:2',
    ],
  ])('%j is a service that failed, in its words', async (body, text) => {
    expect(await failureOf(() => read(body))).toEqual({ kind: 'service-failed', ...at, status: 200, text });
  });

  it.each([
    '{"file":{"comment":"SQLSTATE[HY000]"}',
    'Your connection failed: log in',
    'Deprecated: mysql_connect(): The mysql extension is deprecated in a.php on line 1',
  ])('%j is no failing database', async (body) => {
    expect(await failureOf(() => read(body))).toMatchObject({ kind: 'unreadable-reply' });
  });

  it('shows its first characters, without secrets', async () => {
    expect(await failureOf(() => read('oops SECRETSECRET'))).toEqual({
      kind: 'unreadable-reply',
      ...at,
      status: 200,
      text: 'oops [secret]',
    });
  });

  it.each([
    [
      '[9007199254740993,9007199254740992, -12345678901234567890 ]',
      ['9007199254740993', '9007199254740992', '-12345678901234567890'],
    ],
    [
      '{"id":  9007199254740993,"a":9007199254740991,"b":9007199254740993.5,"c":1e30,"d":0}',
      { id: '9007199254740993', a: 9007199254740991, b: 9007199254740994, c: 1e30, d: 0 },
    ],
    [
      String.raw`{"x\\":[":9007199254740993","\",9007199254740993",9007199254740993]}`,
      { 'x\\': [':9007199254740993', '",9007199254740993', '9007199254740993'] },
    ],
  ])('%s keeps every digit of a whole number', (body, value) => {
    expect(read(body)).toEqual(value);
  });

  it(
    'keeps the whole numbers of its text, in any position',
    () => {
      const number = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
      forAny(
        [
          fc.array(
            fc.record({
              text: fc.string({ unit: fc.constantFrom('"', '\\', ',', ':', '[', '9007199254740993', 'a') }),
              number,
            }),
          ),
        ],
        (list) => {
          const objects = list.map(({ text, number: one }) => {
            const quoted = JSON.stringify(text);
            return `{${quoted}: ${one},"text":${quoted},"n":[${one}]}`;
          });
          const body = `[${objects.join(',')}]`;
          const safe = (one: bigint): unknown => (Number.isSafeInteger(Number(one)) ? Number(one) : String(one));
          expect(read(body)).toEqual(
            list.map(({ text, number: one }) => ({ [text]: safe(one), text, n: [safe(one)] })),
          );
        },
      );
    },
    whenBusy,
  );

  it(
    'gives JSON or a failure for any bytes, and nothing else',
    () => {
      const texts = fc.oneof(
        fc.string({ unit: anyUnit }),
        fc.json(),
        fc.json().map((text) => `${text}{}`),
        fc.json().map((text) => `<b>${text}`),
      );
      forAny(
        [
          fc.oneof(
            fc.uint8Array(),
            texts.map((text) => Buffer.from(text)),
          ),
          fc.nat({ max: 999 }),
        ],
        (body, status) => {
          try {
            readJsonReply({ status, body }, facts);
          } catch (error) {
            expect(error).toBeInstanceOf(FailureError);
          }
        },
      );
    },
    whenBusy,
  );

  it('handles five million brackets', async () => {
    expect(await errorOf(() => read('['.repeat(5_000_000)))).toBeInstanceOf(FailureError);
    expect(await errorOf(() => read('{"a":"'.repeat(100_000)))).toBeInstanceOf(FailureError);
  });
});

const named = (text: string): number => jsonParts(Buffer.from(text)).names;

it('the name count equals the member count, unless a name is repeated', () => {
  const key = fc.string({ unit: fc.constantFrom('"', '\\', ':', '{', 'a', 'ä', '𝄞') });
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(key, fc.integer(), fc.constant(null), fc.array(tie('value')), fc.dictionary(key, tie('value'))),
  })).value;
  forAny([json, fc.constantFrom(undefined, 2)], (value, space) => {
    const text = JSON.stringify(value, null, space);
    expect(membersIn(value)).toBe(named(text));
    const twice = `{"a":${text},"a":${text}}`;
    expect(named(twice)).toBe(2 + 2 * membersIn(value));
    expect(membersIn(JSON.parse(twice) as Json)).toBe(1 + membersIn(value));
  });
});

it('the part count ignores separators inside strings, even in invalid JSON', () => {
  expect(jsonParts(Buffer.from('{"a,b[\\"":[1,{"c":"::"}]}'))).toEqual({ parts: 6, names: 2 });
  for (const text of ['', '"', '"a', '"\\', '\\"'])
    expect(jsonParts(Buffer.from(text))).toEqual({ parts: 0, names: 0 });
});

it('the name count handles JSON of any depth', () => {
  const deep = `${'{"a":['.repeat(100_000)}1${']}'.repeat(100_000)}`;
  expect([membersIn(JSON.parse(deep) as Json), named(deep)]).toEqual([100_000, 100_000]);
});

describe('a refusal behind PHP’s warnings', () => {
  const notice = '<br />\n<b>Notice</b>:  x in <b>/srv/cuckoo.php</b> on line <b>25</b><br />\n';
  const lost =
    '<br />\n<b>Warning</b>:  Cannot modify header information - headers already sent by (output started at /c:25)' +
    ' in <b>/srv/restlib.php</b> on line <b>115</b><br />\n';
  const md5 = 'a'.repeat(32);

  it.each<[readonly string[], object]>([
    [[], { kind: 'forbidden', text: 'Not enough rights' }],
    [[md5], { kind: 'forbidden-or-unknown', hash: md5 }],
    [[md5, 'b'.repeat(32)], { kind: 'forbidden-or-unknown', hash: '' }],
  ])('that kept its status from being sent is one all the same, for %j', async (hashes, failure) => {
    const reply = { status: 200, body: Buffer.from(`${notice}${lost}${lost}Not enough rights`) };
    expect(await failureOf(() => readWarnedJson(reply, { ...facts, hashes }))).toMatchObject({
      ...at,
      ...failure,
      status: 200,
    });
  });

  it.each([
    ['whose status could be sent', `${notice}Not enough rights`],
    ['of other words', `${notice}${lost}Not enough rights to say more`],
    ['without words', `${notice}${lost}`],
    ['behind something else', `x${lost}Not enough rights`],
  ])('%s is an unreadable reply', async (_, body) => {
    expect(await failureOf(() => read(body))).toMatchObject({ kind: 'unreadable-reply' });
  });

  it.each([
    [`${notice}Not enough rights`, 'Not enough rights'],
    ['Not enough rights', 'Not enough rights'],
    ['', ''],
  ])('gives its own words as the reason: %j', (body, text) => {
    expect(quotedReply('forbidden', { status: 403, body: Buffer.from(body) }, facts)).toMatchObject({ text });
  });
});
