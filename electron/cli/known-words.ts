import type { Command, CommandWord, OptionValues } from './command.ts';
import { commonOptions } from './common-options.ts';
import { suggestion } from './nearest-word.ts';
import { wrongUsage } from './usage-error.ts';

const mostShown = 80;

/** @throws UsageError for a word behind the command's name, an argument or an option that would mean nothing there */
export function requireKnown(
  { name, words }: Pick<Command, 'name' | 'words'>,
  { args, options }: { args: readonly string[]; options: OptionValues },
): void {
  if (words === undefined) return;
  const { word, rest } = wordOf({ name, words }, args);
  const { most, options: taken } = words[word] ?? { most: 0, options: [] };
  const [tooMany] = rest.slice(most);
  if (tooMany !== undefined)
    wrongUsage(`"${tooMany.slice(0, mostShown)}" is one word too many behind "${wholeName(name, word)}"`);
  const foreign = Object.keys(options).find(
    (option) => !Object.hasOwn(commonOptions, option) && !taken.includes(option),
  );
  if (foreign !== undefined)
    wrongUsage(
      `--${foreign} is for ${takersOf(words, foreign)
        .map((taker) => `"${wholeName(name, taker)}"`)
        .join(' and ')}`,
    );
}

function wordOf(
  { name, words }: { name: string; words: Readonly<Record<string, CommandWord>> },
  args: readonly string[],
): { word: string; rest: readonly string[] } {
  const [first, ...rest] = args;
  if (first !== undefined && first !== '' && Object.hasOwn(words, first)) return { word: first, rest };
  const known = Object.keys(words).filter((word) => word !== '');
  if (first === undefined ? Object.hasOwn(words, '') : (words['']?.most ?? 0) > 0) return { word: '', rest: args };
  if (first === undefined) return wrongUsage(`one of these words is needed behind it: ${known.join(', ')}`);
  return wrongUsage(
    `there is no "${wholeName(name, first.slice(0, mostShown))}": ${known.join(', ')}${suggestion(first, known)}`,
  );
}

const takersOf = (words: Readonly<Record<string, CommandWord>>, option: string): string[] =>
  Object.keys(words).filter((word) => words[word]?.options.includes(option));
const wholeName = (name: string, word: string): string => (word === '' ? name : `${name} ${word}`);
