import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { fuzzTarget, mustHold } from '../../shared/testing/fuzz-target.ts';
import { bytesForm, choiceForm, pairForm } from '../../shared/testing/input-forms.ts';
import { LabError } from './errors.ts';
import { readParts } from './multipart.ts';
import { boundary, field, file, multipart, type TestPart } from './multipart-body.fixture.ts';

const dispositions = [
  'name="a"',
  'name=a',
  'name="a"; filename="b"',
  'name="a\\"; filename="x"',
  'name="a"; name="b"',
  'filename="b"',
  '',
  'name="\xff\xfe"',
  `name="${'x'.repeat(2000)}"`,
  'name="a"; filename="%22%0d%0a%2522"',
  'name="a"; filename*=UTF-8\'\'x',
  'name="a"\r\nX: y',
];
const contents = [
  '',
  'text',
  '\r\n',
  `--${boundary}`,
  `\r\n--${boundary}`,
  `\r\n--${boundary}-`,
  '\r\n--',
  '\0'.repeat(40),
  'x'.repeat(300),
];
const part: fc.Arbitrary<TestPart> = fc.record({
  disposition: fc.constantFrom(...dispositions),
  content: fc.oneof(fc.constantFrom(...contents), fc.uint8Array({ maxLength: 40 })),
});
const chunkSizes = [1, 7, 64] as const;
const seeds = [
  multipart(field('a', 'b'), file('c.exe', 'bytes')),
  multipart(),
  multipart(file('', ''), field('tags[]', 'x')),
];

export const target = fuzzTarget({
  name: 'lab-form',
  reads: 'a multipart form that a client sends to the lab',
  holds: 'the same parts or the same refusal for any chunk boundaries; no part is skipped',
  form: pairForm(bytesForm, choiceForm(chunkSizes)),
  seeds: seeds.flatMap((body) => chunkSizes.map((size) => [body, size] as const)),
  made: fc.tuple(
    fc.array(part, { maxLength: 5 }).map((parts) => multipart(...parts)),
    fc.constantFrom(...chunkSizes),
  ),
  async attack([body, chunkBytes]) {
    const bytes = body.subarray(0, longestBody);
    const whole = await partsOf(bytes, bytes.length + 1);
    const cut = await partsOf(bytes, chunkBytes);
    const [wholeText, cutText] = [JSON.stringify(whole), JSON.stringify(cut)];
    mustHold(
      wholeText === cutText,
      `it depends on how the bytes are cut: ${wholeText.slice(0, 100)} or ${cutText.slice(0, 100)}`,
    );
  },
});

/** Each chunk takes a turn of the event loop. */
const longestBody = 3000;

async function partsOf(body: Uint8Array, chunkBytes: number): Promise<unknown[]> {
  const reported: unknown[] = [];
  try {
    for await (const { name, fileName, bytes } of readParts(chunksOf(body, chunkBytes), boundary)) {
      const pieces: Uint8Array[] = [];
      for await (const piece of bytes()) pieces.push(piece);
      reported.push([name, fileName, Buffer.concat(pieces).toString('hex')]);
    }
    return reported;
  } catch (error) {
    if (error instanceof LabError && error.code === 'body-malformed') return ['refused'];
    throw error;
  }
}

async function* chunksOf(body: Uint8Array, size: number): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < body.length; at += size) yield Buffer.from(body.subarray(at, at + size));
}
