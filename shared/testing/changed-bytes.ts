import fc from 'fast-check';
import { assertNever } from '../assert-never.ts';

type Edit =
  | { kind: 'bit'; at: number; bit: number }
  | { kind: 'number'; at: number; bytes: number; value: number; isBig: boolean }
  | { kind: 'insert'; at: number; bytes: Uint8Array }
  | { kind: 'repeat'; at: number; length: number; times: number }
  | { kind: 'remove'; at: number; length: number }
  | { kind: 'splice'; at: number; from: number; start: number; length: number }
  | { kind: 'cut'; at: number };

/** Where counts, lengths and offsets go wrong. */
const edges = [
  0, 1, 2, 7, 8, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0xffffff, 0x7fffffff, 0x80000000, 0xfffffffe,
  0xffffffff,
];
const longest = 256 * 1024;

const place = fc.nat({ max: 0xffffffff });
const length = fc.oneof(fc.nat({ max: 8 }), fc.nat({ max: 300 }));
const anyEdit = (sources: number): fc.Arbitrary<Edit> =>
  fc.oneof(
    fc.record({ kind: fc.constant('bit' as const), at: place, bit: fc.nat({ max: 7 }) }),
    fc.record({
      kind: fc.constant('number' as const),
      at: place,
      bytes: fc.constantFrom(1, 2, 4, 8),
      value: fc.oneof(fc.constantFrom(...edges), fc.nat({ max: 0xffffffff })),
      isBig: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('insert' as const),
      at: place,
      bytes: fc.uint8Array({ minLength: 1, maxLength: 12 }),
    }),
    fc.record({ kind: fc.constant('repeat' as const), at: place, length, times: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ kind: fc.constant('remove' as const), at: place, length }),
    fc.record({
      kind: fc.constant('splice' as const),
      at: place,
      from: fc.nat({ max: sources - 1 }),
      start: place,
      length: fc.nat({ max: 4000 }),
    }),
    fc.record({ kind: fc.constant('cut' as const), at: place }),
  );

/** Sound bytes with a few places changed: bits, numbers, parts left out, repeated, put in, or taken from another. */
export function changedBytes(from: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  const edits = fc.array(anyEdit(from.length), { minLength: 1, maxLength: 6 });
  return fc
    .tuple(fc.constantFrom(...from), edits)
    .map(([bytes, changes]) => changes.reduce((changed, edit) => edited(changed, edit, from), bytes));
}

function edited(bytes: Uint8Array, edit: Edit, from: readonly Uint8Array[]): Uint8Array {
  const at = edit.at % (bytes.length + 1);
  switch (edit.kind) {
    case 'bit':
      return withBytes(bytes, at, [(bytes[at] ?? 0) ^ (1 << edit.bit)]);
    case 'number':
      return withBytes(bytes, at, digitsOf(edit.value, edit.bytes, edit.isBig));
    case 'insert':
      return joined(bytes.subarray(0, at), edit.bytes, bytes.subarray(at));
    case 'repeat':
      return joined(
        bytes.subarray(0, at),
        ...repeated(bytes.subarray(at, at + edit.length), edit.times),
        bytes.subarray(at),
      );
    case 'remove':
      return joined(bytes.subarray(0, at), bytes.subarray(at + edit.length));
    case 'splice':
      return joined(bytes.subarray(0, at), taken(from[edit.from], edit.start, edit.length), bytes.subarray(at));
    case 'cut':
      return bytes.subarray(0, at);
    default:
      return assertNever(edit);
  }
}

const taken = (source: Uint8Array = new Uint8Array(), start: number, count: number): Uint8Array => {
  const from = start % (source.length + 1);
  return source.subarray(from, from + count);
};

function repeated(piece: Uint8Array, times: number): Uint8Array[] {
  return Array.from({ length: times }, () => piece);
}

function digitsOf(value: number, count: number, isBig: boolean): number[] {
  const little = Array.from({ length: count }, (_, index) => Math.floor(value / 256 ** index) % 256);
  return isBig ? little.toReversed() : little;
}

/** As many of them as fit. */
function withBytes(bytes: Uint8Array, at: number, values: readonly number[]): Uint8Array {
  const changed = bytes.slice();
  changed.set(values.slice(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length));
  return changed;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole.subarray(0, longest);
}
