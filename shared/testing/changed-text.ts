import fc from 'fast-check';
import { assertNever } from '../assert-never.ts';
import { anyUnit } from './any-unit.ts';

type Edit =
  | { kind: 'insert'; at: number; text: string }
  | { kind: 'replace'; at: number; length: number; text: string }
  | { kind: 'remove'; at: number; length: number }
  | { kind: 'repeat'; at: number; length: number; times: number }
  | { kind: 'splice'; at: number; from: number; start: number; length: number };

/**
 * What readers of text stumble over: ends of lines, halves of pairs, what cannot be seen, what reads from right to
 * left.
 */
const oddities = [
  '\0',
  '\n',
  '\r',
  '\r\n',
  '\t',
  ' ',
  '\u00a0',
  '\u00ad',
  '\u200b',
  '\u2028',
  '\u202e',
  '\ufeff',
  '\ud800',
  '\udc00',
  '\u0130',
  '\u212a',
  'e\u0301',
  '\u{1f600}',
  '\u{e0041}',
  '\\',
  '"',
  "'",
  '`',
  '<',
  '>',
  '&',
  '%',
  '%00',
  '=',
  '-',
  '__proto__',
  'constructor',
];
const longest = 256 * 1024;

const place = fc.nat({ max: 0xffffffff });
const length = fc.oneof(fc.nat({ max: 4 }), fc.nat({ max: 80 }));
const anyEdit = (sources: number, words: readonly string[]): fc.Arbitrary<Edit> => {
  const text = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...words, ...oddities) },
    { weight: 1, arbitrary: fc.string({ unit: anyUnit, maxLength: 4 }) },
  );
  return fc.oneof(
    fc.record({ kind: fc.constant('insert' as const), at: place, text }),
    fc.record({ kind: fc.constant('replace' as const), at: place, length, text }),
    fc.record({ kind: fc.constant('remove' as const), at: place, length }),
    fc.record({
      kind: fc.constant('repeat' as const),
      at: place,
      length,
      times: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 2000 })),
    }),
    fc.record({
      kind: fc.constant('splice' as const),
      at: place,
      from: fc.nat({ max: sources - 1 }),
      start: place,
      length: fc.nat({ max: 400 }),
    }),
  );
};

/** Sound text with a few places changed; `words` are what its reader takes for more than letters. */
export function changedText(from: readonly string[], words: readonly string[]): fc.Arbitrary<string> {
  const edits = fc.array(anyEdit(from.length, words), { minLength: 1, maxLength: 8 });
  return fc
    .tuple(fc.constantFrom(...from), edits)
    .map(([text, changes]) => changes.reduce((changed, edit) => edited(changed, edit, from), text));
}

/** Text of a reader's own words, in any order. */
export const textOfWords = (words: readonly string[], maxLength = 30): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...words) },
        { weight: 1, arbitrary: fc.constantFrom(...oddities) },
        { weight: 1, arbitrary: fc.string({ unit: anyUnit, maxLength: 4 }) },
      ),
      { maxLength },
    )
    .map((parts) => parts.join(''));

function edited(text: string, edit: Edit, from: readonly string[]): string {
  const at = edit.at % (text.length + 1);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  switch (edit.kind) {
    case 'insert':
      return bounded(before + edit.text + after);
    case 'replace':
      return bounded(before + edit.text + after.slice(edit.length));
    case 'remove':
      return before + after.slice(edit.length);
    case 'repeat':
      return bounded(before + after.slice(0, edit.length).repeat(edit.times) + after);
    case 'splice':
      return bounded(before + taken(from[edit.from] ?? '', edit.start, edit.length) + after);
    default:
      return assertNever(edit);
  }
}

function taken(source: string, start: number, count: number): string {
  const from = start % (source.length + 1);
  return source.slice(from, from + count);
}

const bounded = (text: string): string => text.slice(0, longest);
