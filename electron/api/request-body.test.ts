import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText, whenBusy } from '../base/property.fixture.ts';
import { failureOf } from './failure-of.fixture.ts';
import { sourceOf } from './post.fixture.ts';
import { forAny } from '../base/property.fixture.ts';
import { type FormField, type FormFile, multipartBody, quotedName, type RequestBody } from './request-body.ts';

const fileOf = (pieces: Uint8Array[], changes: Partial<FormFile> = {}): FormFile => ({
  field: 'files[]',
  name: 'x',
  sizeBytes: Buffer.concat(pieces).length,
  open: () => sourceOf(() => pieces).open(),
  ...changes,
});

async function bytesOf(body: RequestBody): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const chunk of body.chunks()) pieces.push(Buffer.from(chunk));
  return Buffer.concat([...pieces, body.end]);
}
const parsed = (body: RequestBody, bytes: Buffer): Promise<FormData> =>
  new Response(new Uint8Array(bytes), { headers: { 'Content-Type': body.contentType } }).formData();

/** The parser of these tests takes a byte order mark off. */
const unmarked = anyText.map((text) => text.replaceAll('\uFEFF', ''));

describe('a multipart form', () => {
  it(
    'has its announced length and parses to its original parts, for any fields and files',
    async () => {
      const field = fc.tuple(fc.constantFrom('comment', 'tags[]', 'vtsubmit[]'), unmarked);
      const file = fc.tuple(
        unmarked.map((name) => name.replace(/["\\\p{Cc}%]/gu, '')),
        fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 }),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(field, { maxLength: 5 }),
          fc.array(file, { minLength: 1, maxLength: 4 }),
          async (fields, files) => {
            const body = multipartBody(
              fields,
              files.map(([name, pieces]) => fileOf(pieces, { name })),
              () => {},
            );
            const bytes = await bytesOf(body);
            expect(bytes).toHaveLength(body.sizeBytes);
            const form = await parsed(body, bytes);
            const sent = [...form.entries()].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
            expect(sent).toEqual(fields.map(([name, value]): FormField => [name, value.toWellFormed()]));
            const received = form.getAll('files[]').filter((value) => typeof value !== 'string');
            expect(received.map(({ name }) => name)).toEqual(
              files.map(([name]) => (/^\/*$/.test(name) ? 'unnamed' : name.toWellFormed())),
            );
            const contents = await Promise.all(received.map(async (each) => Buffer.from(await each.arrayBuffer())));
            expect(contents).toEqual(files.map(([, pieces]) => Buffer.concat(pieces)));
          },
        ),
        { numRuns: 150 },
      );
    },
    whenBusy,
  );

  it('gives a name to a file without one, because some servers ignore unnamed files', async () => {
    for (const name of ['', '/', '\\/']) {
      expect((await bytesOf(multipartBody([], [fileOf([], { name })], () => {}))).toString()).toContain(
        '; filename="unnamed"\r\n',
      );
    }
  });

  it(
    'has its announced length for difficult names and fields',
    async () => {
      await fc.assert(
        fc.asyncProperty(anyText, anyText, async (name, value) => {
          const body = multipartBody(
            [['comment', value]],
            [fileOf([Buffer.from('x')], { name: `"${name}\r\n` })],
            () => {},
          );
          expect(await bytesOf(body)).toHaveLength(body.sizeBytes);
        }),
        { numRuns: 100 },
      );
    },
    whenBusy,
  );

  it('has fields before files, minimal part headers, and an unpredictable boundary', async () => {
    const body = multipartBody([['a', '1']], [fileOf([Buffer.from('2')], { name: 'b.bin' })], () => {});
    const boundary = /boundary=(vitrine-[0-9a-f]{32})$/.exec(body.contentType)?.[1] ?? '';
    expect((await bytesOf(body)).toString()).toBe(
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="a"',
        '',
        '1',
        `--${boundary}`,
        'Content-Disposition: form-data; name="files[]"; filename="b.bin"',
        'Content-Type: application/octet-stream',
        '',
        '2',
        `--${boundary}--`,
        '',
      ].join('\r\n'),
    );
    expect(multipartBody([], [], () => {}).contentType).not.toBe(body.contentType);
  });

  it('reports the bytes taken of each file', async () => {
    const moved: [number, number][] = [];
    const body = multipartBody(
      [],
      [fileOf([Buffer.alloc(3), Buffer.alloc(4)]), fileOf([]), fileOf([Buffer.alloc(5)])],
      (index, bytes) => moved.push([index, bytes]),
    );
    await bytesOf(body);
    expect(moved).toEqual([
      [0, 3],
      [0, 4],
      [2, 5],
    ]);
  });

  it.each([
    ['more', [5, 5]],
    ['more, in one piece', [11]],
    ['one byte more', [9, 1]],
    ['less', [5, 3]],
    ['nothing', []],
  ])('is aborted when a file has %s', async (_, lengths) => {
    const source = sourceOf(() => lengths.map((length) => Buffer.alloc(length)));
    const body = multipartBody([], [fileOf([], { name: 'grown.exe', sizeBytes: 9, open: source.open })], () => {});
    expect(await failureOf(() => bytesOf(body))).toEqual({ kind: 'file-changed', name: 'grown.exe' });
    expect(source.isOpen()).toBe(0);
  });

  it('passes on nothing beyond a file’s size', async () => {
    const body = multipartBody(
      [],
      [fileOf([], { sizeBytes: 3, open: sourceOf(() => [Buffer.from('abc'), Buffer.from('def')]).open })],
      () => {},
    );
    const pieces: Uint8Array[] = [];
    await failureOf(async () => {
      for await (const chunk of body.chunks()) pieces.push(chunk);
    });
    expect(Buffer.concat(pieces).toString().endsWith('\r\n\r\nabc')).toBe(true);
  });
});

const read = (quoted: string): string =>
  quoted
    .replace(/\\(["\\])/g, '$1')
    .replace(/%(0A|0D|22|25)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

describe('a file’s name in a part', () => {
  it.each([
    ['invoice.exe', 'invoice.exe'],
    ['Rechnung März 📎.pdf', 'Rechnung März 📎.pdf'],
    ['say "hi".txt', 'say \\"hi\\".txt'],
    ['C:\\temp\\x.exe', 'C:\\\\temp\\\\x.exe'],
    ['ends in \\', 'ends in \\\\'],
    ['two\r\nlines', 'two%0D%0Alines'],
    ['100%', '100%'],
    ['%41%0a%0D%22%25', '%41%250a%250D%2522%2525'],
    ['nul\0tab\tdel\u007Fc1\u0085', 'nul\uFFFDtab\uFFFDdel\uFFFDc1\uFFFD'],
    ['half \uD83D pair', 'half \uFFFD pair'],
    ['', ''],
  ])('%j is written as %j', (name, quoted) => {
    expect(quotedName(name)).toBe(quoted);
  });

  it(
    'can be parsed back, and never ends its quotes or its line',
    () => {
      const tricky = fc
        .array(
          fc.oneof(anyText, fc.constantFrom('%0a', '%25', '%2522', '"', '\\', '\\"', '\r\n', '%', '.', '\uD800')),
          { maxLength: 12 },
        )
        .map((parts) => parts.join(''));
      forAny(
        [tricky],
        (name) => {
          const quoted = quotedName(name);
          expect(quoted).not.toMatch(/\p{Cc}/u);
          expect(quoted.replace(/\\["\\]/g, '')).not.toMatch(/["\\]/);
          expect(read(quoted)).toBe(name.toWellFormed().replace(/[^\P{Cc}\r\n]/gu, '\uFFFD'));
        },
        500,
      );
    },
    whenBusy,
  );

  it('is cut at 1,024 characters and keeps its extension', () => {
    const cut = quotedName(`${'x'.repeat(5000)}.tar.gz`);
    expect(cut).toHaveLength(1024);
    expect(cut.endsWith('x.gz')).toBe(true);
    expect(quotedName(`a.${'y'.repeat(5000)}`)).toBe(`a.${'y'.repeat(1022)}`);
    expect(quotedName('z'.repeat(2000))).toHaveLength(1024);
  });

  it('is cut between characters', () => {
    for (const shift of ['', 'x']) {
      const cut = quotedName(`${shift}${'📎'.repeat(1000)}.exe`);
      expect(cut).not.toContain('\uFFFD');
      expect(cut.endsWith('📎.exe')).toBe(true);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(1020 * 2 + 4);
    }
  });
});
