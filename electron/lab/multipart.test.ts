import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundary, field, file, multipart, type TestPart } from './multipart-body.fixture.ts';
import { readParts } from './multipart.ts';

interface ReadPart {
  name: string;
  fileName: string | null;
  content: Buffer;
}

async function* inPieces(body: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer, void, void> {
  for (let at = 0, piece = 0; at < body.length; piece += 1) {
    const size = sizes[piece % sizes.length] ?? 1;
    yield body.subarray(at, at + size);
    at += size;
  }
}

async function read(body: Buffer, sizes: readonly number[] = [64 * 1024]): Promise<ReadPart[]> {
  const parts: ReadPart[] = [];
  for await (const { name, fileName, bytes } of readParts(inPieces(body, sizes), boundary)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes()) chunks.push(Uint8Array.from(chunk));
    parts.push({ name, fileName, content: Buffer.concat(chunks) });
  }
  return parts;
}

const malformed = expect.objectContaining({ code: 'body-malformed' });
/** Bytes that look like a delimiter until their last one. */
const nearDelimiter = fc
  .nat({ max: boundary.length + 3 })
  .map((length) => Buffer.from(`\r\n--${boundary}`.slice(0, length + 1).slice(0, boundary.length + 3)));
const content = fc
  .array(
    fc.oneof(
      nearDelimiter,
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(Buffer.from('\r'), Buffer.from('\n'), Buffer.from('--')),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => Buffer.concat(pieces))
  .filter((bytes) => !Buffer.concat([Buffer.from('\r\n'), bytes, Buffer.from('\r\n')]).includes(`\r\n--${boundary}`));
const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 });

test('the multipart reader returns parts as sent, whatever their content and however they are split', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 6 }), sizes, async (contents, cut) => {
      const parts = contents.map((bytes, index): TestPart =>
        index % 2 === 0 ? file(`f${index}`, bytes) : { ...field(`n${index}`, ''), content: bytes },
      );
      const expected = contents.map((bytes, index) =>
        index % 2 === 0
          ? { name: 'files[]', fileName: `f${index}`, content: bytes }
          : { name: `n${index}`, fileName: null, content: bytes },
      );
      expect(await read(multipart(...parts), cut)).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

const whole = multipart(file('a.bin', 'first\r\n--X-vitrine\r\n'), field('comment', 'second'), file('b.bin', ''));

test('the multipart reader refuses a body that ends anywhere before its last delimiter', async () => {
  const end = whole.length - '\r\n'.length;
  for (let length = 0; length < end; length += 1)
    await expect(read(whole.subarray(0, length), [(length % 37) + 1])).rejects.toEqual(malformed);
  expect(await read(whole.subarray(0, end))).toHaveLength(3);
});

test.each(['-', '-\r', 'x', '\r', '\n', '-x-'])(
  'the multipart reader refuses a body whose delimiter is followed by %j, however it is split',
  async (behind) => {
    const body = Buffer.concat([
      whole.subarray(0, whole.length - '--\r\n'.length),
      Buffer.from(`${behind}\r\n--${boundary}--\r\n`),
    ]);
    for (const size of [1, 5, 29, 64 * 1024]) await expect(read(body, [size])).rejects.toEqual(malformed);
  },
);

test('the multipart reader ignores text before the first delimiter and after the last', async () => {
  const odd = Buffer.concat([
    Buffer.from('preamble\r\n'),
    whole,
    Buffer.from(`epilogue\r\n--${boundary}\r\nmore\r\n--${boundary}--\r\n`.repeat(3)),
  ]);
  for (const size of [1, 5, 29, 64 * 1024]) expect(await read(odd, [size])).toHaveLength(3);
});

const head = (...lines: string[]): Buffer =>
  Buffer.from([`--${boundary}`, ...lines, '', 'content', `--${boundary}--`, ''].join('\r\n'), 'latin1');
const disposition = 'Content-Disposition: form-data; name="f"; filename="a"';

test.each([
  ['without a Content-Disposition', head('Content-Type: text/plain')],
  ['without any head', head()],
  ['that is no form data', head('Content-Disposition: attachment; filename="a"')],
  ['with two of them', head(disposition, disposition)],
  ['with a bare line feed in its name', head('Content-Disposition: form-data; name="f"; filename="a\nb"')],
  ['whose head does not end', Buffer.from(`--${boundary}\r\n${disposition}\r\n--${boundary}--\r\n`)],
  ['whose head is too long', head(`X-Long: ${'x'.repeat(20_000)}`, disposition)],
  ['whose head is longer than the parser reads', head(`X-Long: ${'x'.repeat(100_000)}`, disposition)],
  [
    'whose name is longer than the parser reads',
    head(`Content-Disposition: form-data; name="f"; filename="${'x'.repeat(100_000)}"`),
  ],
  ['with too many lines', head(...Array.from({ length: 40 }, (_, index) => `X-${index}: 1`), disposition)],
  [
    'with more lines than the parser reads',
    head(...Array.from({ length: 3000 }, (_, index) => `X-${index}: 1`), disposition),
  ],
])('the multipart reader refuses, instead of skipping, a part %s', async (_title, body) => {
  for (const size of [3, 1000, 64 * 1024]) await expect(read(body, [size])).rejects.toEqual(malformed);
});

test('the multipart reader accepts folded lines and odd spacing in a head', async () => {
  const body = head('X-Folded: one', ' two', 'content-disposition:form-data; name=f;', '\tfilename="a b"');
  expect(await read(body, [7])).toEqual([{ name: 'f', fileName: 'a b', content: Buffer.from('content') }]);
});

test('the multipart reader reads any bytes as parts or refuses them as malformed', async () => {
  const piece = fc.constantFrom(
    `--${boundary}`,
    `\r\n--${boundary}`,
    '--',
    '\r\n',
    '\r\n\r\n',
    disposition,
    'Content-Disposition: form-data; name="n"',
    'x',
    '\0',
    ':',
    ' ',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 25 }), sizes, async (pieces, cut) => {
      const outcome: unknown = await read(Buffer.from(pieces.join('')), cut).catch((error: unknown) => error);
      expect(outcome instanceof Error ? outcome : { code: 'body-malformed' }).toEqual(malformed);
    }),
    { numRuns: 300 },
  );
});

test('the multipart reader returns a thousand tiny parts of one chunk in order', async () => {
  const parts = await read(multipart(...Array.from({ length: 1000 }, (_, index) => field(`n${index}`, String(index)))));
  expect(parts.map(({ content: bytes }) => bytes.toString())).toEqual(
    Array.from({ length: 1000 }, (_, index) => String(index)),
  );
});

test.each([65_535, 65_536, 65_600, 100_000, 1_000_000])(
  'the multipart reader returns parts of %i bytes that come in one chunk with what follows them',
  async (length) => {
    const contents = [Buffer.alloc(length, 'a'), Buffer.alloc(length, 'b'), Buffer.from('c')];
    const body = multipart(...contents.map((bytes, at) => file(`${at}`, bytes)));
    const parts = await read(body, [body.length]);
    expect(parts.map((part) => part.content.equals(contents[Number(part.fileName)] ?? Buffer.alloc(0)))).toEqual([
      true,
      true,
      true,
    ]);
  },
);

test('the multipart reader passes an error of the body itself on unchanged', async () => {
  const broken = async function* (): AsyncGenerator<Uint8Array, void, void> {
    yield whole.subarray(0, 100);
    throw new TypeError('broken off');
  };
  const reading = async (): Promise<void> => {
    for await (const part of readParts(broken(), boundary)) for await (const _ of part.bytes());
  };
  await expect(reading()).rejects.toThrow(TypeError);
});
