import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type KeptRecord, recordOf, recordsOf } from '../lab-reading.ts';
import { startTeam, type Team } from '../team.ts';
import { type FieldDialectOptions, startFieldDialect } from './field-dialect.ts';
import { type Answer, formType, multipart, post, type WrittenPart } from './hand-made-form.fixture.ts';
import { zipOf } from './zip-items.ts';

let folder: string;
let team: Team;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-field-upload-'));
  team = await startTeam(folder, { rights: 'read,upload' });
});
afterAll(async () => {
  await team.stop();
  await rm(folder, { recursive: true, force: true });
});

const item = z.object({ name: z.string(), md5: z.union([z.string(), z.literal(false)]), error: z.string().optional() });
const itemsIn = ({ text }: Answer) => z.object({ files: z.array(item) }).parse(JSON.parse(text)).files;
const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

let made = 0;
/** Bytes that no other test has. */
function fresh(): Buffer {
  made += 1;
  return Buffer.from(`file ${made} of the tests of the field dialect`);
}

const file = (name: string, bytes: Uint8Array): WrittenPart => ['files[]', name, bytes];
const filesData = (...orders: unknown[]): WrittenPart => ['files_data', JSON.stringify(orders)];
const keptBack = (index: number, tags = '') => ({ index, vtsubmit: false, cksubmit: false, tags });

async function uploadTo(
  options: Partial<FieldDialectOptions> = {},
): Promise<(parts: WrittenPart[], token?: string, headers?: Record<string, string>) => Promise<Answer>> {
  const { baseUrl, close } = await startFieldDialect({ target: team.labUrl, ...options });
  onTestFinished(close);
  return (parts, token = team.token, headers = {}) =>
    post(`${baseUrl}/api.php?action=uploadfiles&token=${token}`, multipart(...parts), headers);
}

const kept = (bytes: Uint8Array): Promise<KeptRecord | null> => recordOf(team, md5Of(bytes));
const facts = async (bytes: Uint8Array) => {
  const record = await kept(bytes);
  return record && [record.tags, record.virusTotal, record.sandbox, record.comments.map(({ content }) => content)];
};

describe('flags, tags and comment of an upload', () => {
  test('come from files_data, whatever the documented arrays contain', async () => {
    const [one, two] = [fresh(), fresh()];
    const upload = await uploadTo();
    const answer = await upload([
      ['vtsubmit[]', 'true'],
      ['vtsubmit[]', 'true'],
      ['cksubmit[]', 'true'],
      ['cksubmit[]', 'true'],
      ['tags[]', 'x'],
      ['tags[]', 'y'],
      ['comment', 'seen'],
      filesData(keptBack(0, 'a,b'), { ...keptBack(1), cksubmit: true }),
      file('one.bin', one),
      file('two.bin', two),
    ]);
    expect([answer.status, answer.type]).toEqual([200, 'text/html; charset=UTF-8']);
    expect(itemsIn(answer)).toEqual([
      { name: 'one.bin', md5: md5Of(one) },
      { name: 'two.bin', md5: md5Of(two) },
    ]);
    expect([await facts(one), await facts(two)]).toEqual([
      [['a', 'b'], false, false, ['seen']],
      [[], false, true, ['seen']],
    ]);
  });

  test('default to sharing when files_data does not set them', async () => {
    const bytes = fresh();
    const upload = await uploadTo();
    await upload([['vtsubmit[]', 'false'], ['cksubmit[]', 'false'], ['tags[]', 'a'], file('one.bin', bytes)]);
    expect(await facts(bytes)).toEqual([[], true, true, []]);
  });

  test('come from a files_data that counts only parts named files[] and may follow them', async () => {
    const [one, two] = [fresh(), fresh()];
    const upload = await uploadTo();
    const items = itemsIn(
      await upload([
        ['file', 'other.bin', fresh()],
        file('one.bin', one),
        file('two.bin', two),
        filesData(keptBack(0, 'first'), keptBack(1, 'second')),
      ]),
    );
    expect(items.map(({ name }) => name)).toEqual(['one.bin', 'two.bin']);
    expect([await facts(one), await facts(two)]).toEqual([
      [['first'], false, false, []],
      [['second'], false, false, []],
    ]);
  });

  test('include a comment that is decoded twice', async () => {
    const [one, two] = [fresh(), fresh()];
    const upload = await uploadTo();
    await upload([['comment', '100% C++ é'], filesData(keptBack(0)), file('one.bin', one)]);
    await upload([['comment', '100%25 C%2B%2B é'], filesData(keptBack(0)), file('two.bin', two)]);
    expect([(await facts(one))?.[3], (await facts(two))?.[3]]).toEqual([['100% C   é'], ['100% C++ é']]);
  });

  test('do not change for a file that already exists', async () => {
    const bytes = fresh();
    const upload = await uploadTo();
    await upload([['comment', 'first'], filesData(keptBack(0, 'a')), file('one.bin', bytes)]);
    const again = await upload([
      ['comment', 'second'],
      filesData({ ...keptBack(0, 'b'), vtsubmit: true }),
      file('other.bin', bytes),
    ]);
    expect(itemsIn(again)).toEqual([{ name: 'other.bin', md5: false, error: 'File is already uploaded' }]);
    expect(await facts(bytes)).toEqual([['a'], false, false, ['first']]);
  });

  test('show a scanner submission as in progress in the record', async () => {
    const bytes = fresh();
    const { baseUrl, close } = await startFieldDialect({ target: team.labUrl });
    onTestFinished(close);
    await post(`${baseUrl}/api.php?action=uploadfiles&token=${team.token}`, multipart(file('one.bin', bytes)));
    expect(
      await (await fetch(`${baseUrl}/api.php?action=getfile&hash=${md5Of(bytes)}&token=${team.token}`)).json(),
    ).toMatchObject({ file: { virustotal_status: '-2' } });
  });
});

describe('names in an upload', () => {
  test('are rewritten, and their paths dropped', async () => {
    const bytes = fresh();
    const upload = await uploadTo();
    expect(itemsIn(await upload([file('C:/x/räport (1).exe', bytes)]))[0]?.name).toBe('r_port__1_.exe');
    expect((await kept(bytes))?.name).toBe('r_port__1_.exe');
  });

  test('are kept when the server is configured to keep them', async () => {
    const bytes = fresh();
    const upload = await uploadTo({ rewritesNames: false });
    await upload([file('räport (1).exe', bytes)]);
    expect((await kept(bytes))?.name).toBe('räport (1).exe');
  });
});

describe('a lost or refused upload', () => {
  test('drops parts after the twentieth without an error', async () => {
    const all = Array.from({ length: 23 }, fresh);
    const upload = await uploadTo();
    const items = itemsIn(
      await upload([
        filesData(...all.map((_, index) => keptBack(index))),
        ...all.map((bytes, index) => file(`${index}.bin`, bytes)),
      ]),
    );
    expect(items.map(({ md5 }) => md5)).toEqual(all.slice(0, 20).map(md5Of));
    expect((await recordsOf(team, all.map(md5Of))).map(({ md5 }) => md5)).toEqual(all.slice(0, 20).map(md5Of));
  });

  test('returns 200 for an empty file, which is too small, and for a token without the right', async () => {
    const bytes = fresh();
    const upload = await uploadTo();
    const small = await upload([file('empty.bin', Buffer.alloc(0))]);
    expect([small.status, itemsIn(small)]).toEqual([
      200,
      [{ name: 'empty.bin', md5: false, error: 'File is too small' }],
    ]);
    const forbidden = await upload([file('one.bin', bytes)], await team.makeToken('read'));
    expect([forbidden.status, itemsIn(forbidden)]).toEqual([
      200,
      [{ name: 'one.bin', md5: false, error: `You don't have enough permissions` }],
    ]);
    expect(await kept(bytes)).toBeNull();
  });

  test('does not include one by a token that may upload but not read', async () => {
    const bytes = fresh();
    const upload = await uploadTo();
    const writer = await team.makeToken('upload');
    expect(itemsIn(await upload([file('one.bin', bytes)], writer))).toMatchObject([{ md5: md5Of(bytes) }]);
    expect(itemsIn(await upload([file('one.bin', bytes)], writer))).toMatchObject([
      { md5: false, error: 'File is already uploaded' },
    ]);
  });

  test.each([
    ['a wrong token', 'x', {}],
    ['one that is only in the form', '', {}],
    ['a session', null, { Cookie: 'PHPSESSID=1' }],
  ])('returns 401 with an empty body for %s', async (_title, token, headers) => {
    const bytes = fresh();
    const upload = await uploadTo();
    expect(await upload([['token', team.token], file('one.bin', bytes)], token ?? team.token, headers)).toEqual({
      status: 401,
      type: 'text/html; charset=UTF-8',
      text: '',
    });
    expect(await kept(bytes)).toBeNull();
  });

  test('drops a body over the limit entirely, or refuses it', async () => {
    const bytes = fresh();
    const parts = [file('large.bin', Buffer.alloc(10_000)), file('one.bin', bytes)];
    const php = await uploadTo({ bodyBytesAtMost: 5000 });
    expect(await php(parts)).toMatchObject({ status: 200, text: '{"files":[]}' });
    const apache = await uploadTo({ bodyBytesAtMost: 5000, bodyTooLarge: '413' });
    expect(await apache(parts)).toMatchObject({ status: 413, text: expect.stringContaining('Too Large') });
    expect(await kept(bytes)).toBeNull();
    expect(itemsIn(await php([file('one.bin', bytes)]))).toMatchObject([{ md5: md5Of(bytes) }]);
  });

  test('stores nothing from a body that is not a form, or half of one', async () => {
    const bytes = fresh();
    const { baseUrl, close } = await startFieldDialect({ target: team.labUrl });
    onTestFinished(close);
    const address = `${baseUrl}/api.php?action=uploadfiles&token=${team.token}`;
    const body = multipart(file('one.bin', bytes));
    for (const [sent, headers] of [
      [body.subarray(0, -30), {}],
      [body, { 'Content-Type': 'text/plain' }],
      [Buffer.from('{}'), { 'Content-Type': 'application/json' }],
    ] as const) {
      expect(await post(address, sent, headers)).toMatchObject({ status: 200, text: '{"files":[]}' });
    }
    expect(await kept(bytes)).toBeNull();
  });
});

test('an upload aborted midway stores nothing and leaves the next one unaffected', async () => {
  const [lost, bytes] = [fresh(), fresh()];
  const { baseUrl, close } = await startFieldDialect({ target: team.labUrl });
  onTestFinished(close);
  const address = `${baseUrl}/api.php?action=uploadfiles&token=${team.token}`;
  const asking = request(address, {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': formType, 'Content-Length': '100000' },
  });
  const gone = new Promise((resolve) => asking.once('close', resolve));
  asking.on('error', () => {});
  asking.write(multipart(file('lost.bin', lost)), () => asking.destroy());
  await gone;
  expect(itemsIn(await post(address, multipart(file('one.bin', bytes))))).toMatchObject([{ md5: md5Of(bytes) }]);
  expect(await kept(lost)).toBeNull();
});

describe('uploaded archives', () => {
  test('become one item per member with the archive’s tags, flags and comment, and are not kept', async () => {
    const [one, two, plain] = [fresh(), fresh(), fresh()];
    const zip = await zipOf([
      { name: 'in/one.bin', bytes: one },
      { name: 'two.bin', bytes: two },
      { name: 'empty.bin', bytes: Buffer.alloc(0) },
    ]);
    const upload = await uploadTo();
    const items = itemsIn(
      await upload([
        ['comment', 'packed'],
        filesData(keptBack(0, 'a'), keptBack(1, 'b')),
        file('both.dat', zip),
        file('plain.bin', plain),
      ]),
    );
    expect(items).toMatchObject([
      { md5: md5Of(one) },
      { md5: md5Of(two) },
      { md5: false, error: 'File is too small' },
      { md5: md5Of(plain) },
    ]);
    expect([await facts(one), await facts(two), await facts(plain)]).toEqual([
      [['a'], false, false, ['packed']],
      [['a'], false, false, ['packed']],
      [['b'], false, false, ['packed']],
    ]);
    expect(await kept(zip)).toBeNull();
  });

  test('are refused when they cannot be opened', async () => {
    const upload = await uploadTo();
    expect(itemsIn(await upload([file('broken.zip', fresh())]))).toMatchObject([
      { md5: false, error: 'Unable to open archive' },
    ]);
  });
});
