import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScanVerdict } from '../../../rules/scanning/scan-verdict.ts';
import { NativeEngine } from '../native-engine.ts';
import { openedSession, ordersFor, processes } from './scan-session.ts';

const native = await new NativeEngine(processes).check();

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 5 });
const byte = fc.integer({ min: 0x61, max: 0x64 }).map((value) => value.toString(16));
const pattern = fc.oneof(
  fc
    .tuple(
      letters,
      fc.constantFrom('', ' wide', ' wide ascii', ' nocase', ' fullword', ' xor', ' xor(1-3)', ' base64', ' private'),
    )
    .filter(([text, marks]) => text.length > 2 || !marks.includes('base64'))
    .map(([text, marks]) => `"${text}"${marks}`),
  fc
    .array(fc.oneof(byte, fc.constantFrom('??', '6?', '?1', '[1-3]', '( 61 | 62 63 )')), { maxLength: 4 })
    .chain((middle) => fc.tuple(byte, byte).map(([first, last]) => `{ ${first} ${middle.join(' ')} ${last} }`)),
  fc.tuple(letters, fc.constantFrom('+', '{1,3}', '.b', '[ac]?d', '(ab|c)')).map(([text, end]) => `/${text}${end}/`),
);
const condition = fc.constantFrom(
  'any of them',
  'all of them',
  '#s0 > 1',
  '@s0[1] > 3',
  '$s0 at 0',
  'for any i in (1..#s0) : (!s0[i] > 1)',
  'filesize > 40',
  'extension == "x"',
  'filename contains "1"',
  'uint8(0) == 0x61',
  'math.entropy(0, filesize) > 1.9',
  'hash.md5(0, 2) != ""',
);
const ruleText = fc
  .tuple(
    fc.array(pattern, { minLength: 1, maxLength: 4 }),
    condition,
    condition,
    fc.constantFrom('', '', '', 'private '),
  )
  .map(
    ([patterns, one, other, marks]) =>
      (name: string): string =>
        `${marks}rule ${name} : t { strings: ` +
        `${patterns.map((each, index) => `$s${index} = ${each}`).join('\n ')} condition: (${one} and ${other}) ` +
        'or any of them }',
  );

const found = (verdicts: readonly ScanVerdict[]): unknown =>
  verdicts.map((verdict) => (verdict.kind === 'scanned' ? { found: verdict.found, isCut: verdict.isCut } : verdict));

test.runIf(native.ok)('both engines report the same for hundreds of rules, to the byte', async () => {
  const rules = fc.sample(ruleText, { seed: 4711, numRuns: 300 }).map((write, index) => write(`r${index}`));
  const texts = fc.sample(fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', '\0', ' '), maxLength: 200 }), {
    seed: 4711,
    numRuns: 24,
  });
  const files = Object.fromEntries(
    [...texts, randomBytes(5000), '', Buffer.alloc(300, 'ab')].map((bytes, index) => [`${index}.x`, bytes]),
  );
  const orders = ordersFor(files);
  const small = 'global rule small { condition: filesize < 4500 }';
  const source = `import "math"\nimport "hash"\n${rules.join('\n')}\n${small}\n`;
  const [portable, fast] = [await openedSession(source), await openedSession(source, { engine: 'native' })];
  const said = await Promise.all(orders.map((order) => portable.session.scan(order)));
  expect(found(await Promise.all(orders.map((order) => fast.session.scan(order))))).toEqual(found(said));
  expect(said.flatMap((verdict) => (verdict.kind === 'scanned' ? verdict.found : [])).length).toBeGreaterThan(1000);
});
