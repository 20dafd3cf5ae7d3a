import fc from 'fast-check';
import type { Json } from '../domain/sample.ts';
import { changedBytes } from './changed-bytes.ts';
import { changedText } from './changed-text.ts';
import type { InputForm } from './fuzz-target.ts';

/** Bytes are kept as hexadecimal digits. */
export const bytesForm: InputForm<Uint8Array> = {
  keep: (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  revive: (kept) => {
    if (typeof kept !== 'string' || !/^(?:[0-9a-f]{2})*$/.test(kept)) throw new TypeError('no bytes');
    return Uint8Array.from(kept.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  },
  changed: changedBytes,
};

/** Text; `words` are what its reader takes for more than letters. */
export const textForm = (words: readonly string[]): InputForm<string> => ({
  keep: (text) => text,
  revive: (kept) => {
    if (typeof kept !== 'string') throw new TypeError('no text');
    return kept;
  },
  changed: (from) => changedText(from, words),
});

/** Something made of others: kept as a list, changed one part at a time or all at once. */
export function pairForm<One, Other>(one: InputForm<One>, other: InputForm<Other>): InputForm<readonly [One, Other]> {
  return {
    keep: ([first, second]) => [one.keep(first), other.keep(second)],
    revive: (kept) => {
      if (!Array.isArray(kept) || kept.length !== 2) throw new TypeError('no pair');
      const [first = null, second = null]: readonly Json[] = kept;
      return [one.revive(first), other.revive(second)];
    },
    changed: (from) => {
      const firsts = from.map(([first]) => first);
      const seconds = from.map(([, second]) => second);
      return fc.tuple(
        fc.oneof(fc.constantFrom(...firsts), one.changed(firsts)),
        fc.oneof(fc.constantFrom(...seconds), other.changed(seconds)),
      );
    },
  };
}

/** One of a few values that are JSON themselves, such as options. */
export const choiceForm = <Choice extends Json>(choices: readonly Choice[]): InputForm<Choice> => ({
  keep: (choice) => choice,
  revive: (kept) => {
    const chosen = choices.find((choice) => JSON.stringify(choice) === JSON.stringify(kept));
    if (chosen === undefined) throw new TypeError('none of the choices');
    return chosen;
  },
  changed: () => fc.constantFrom(...choices),
});
