import type { Command, OptionValues, SubCommand } from './command.ts';
import { commonOptions } from './common-options.ts';
import { wrongUsage } from './exit.ts';
import { suggestion } from './nearest-word.ts';

const mostShown = 80;
type Known = Pick<Command, 'name' | 'words' | 'most' | 'flags'>;

/** The arguments, with an earlier name of a sub-command replaced by the present one. */
export function withCurrentWord({ aliases = {} }: Pick<Command, 'aliases'>, args: readonly string[]): string[] {
  const [first = '', ...rest] = args;
  const current = Object.hasOwn(aliases, first) ? aliases[first] : undefined;
  return current === undefined ? [...args] : [current, ...rest];
}

/** @throws UsageError for a sub-command, an argument or an option that the command does not take */
export function requireKnown(
  command: Known,
  { args, options }: { args: readonly string[]; options: OptionValues },
): void {
  const { name, words } = command;
  if (words === undefined) return;
  const { word, rest } = wordOf(command, words, args);
  const { most = 0, flags = {} } = words[word] ?? command;
  const [tooMany] = rest.slice(most);
  if (tooMany !== undefined)
    wrongUsage(`"${tooMany.slice(0, mostShown)}" is one argument too many for "${wholeName(name, word)}"`);
  const foreign = Object.keys(options).find(
    (option) => !Object.hasOwn(commonOptions, option) && !Object.hasOwn(flags, option),
  );
  if (foreign !== undefined)
    wrongUsage(
      `--${foreign} is an option of ${takersOf(command, words, foreign)
        .map((taker) => `"${wholeName(name, taker)}"`)
        .join(' and ')}`,
    );
}

function wordOf(
  { name, most }: Known,
  words: Readonly<Record<string, SubCommand>>,
  args: readonly string[],
): { word: string; rest: readonly string[] } {
  const [first, ...rest] = args;
  if (first !== undefined && first !== '' && Object.hasOwn(words, first)) return { word: first, rest };
  const known = Object.keys(words);
  if (first === undefined ? most !== undefined : (most ?? 0) > 0) return { word: '', rest: args };
  if (first === undefined) return wrongUsage(`missing command: one of ${known.join(', ')}`);
  return wrongUsage(
    `unknown command "${wholeName(name, first.slice(0, mostShown))}", known: ${known.join(', ')}` +
      suggestion(first, known),
  );
}

const takersOf = ({ flags = {} }: Known, words: Readonly<Record<string, SubCommand>>, option: string): string[] => [
  ...(Object.hasOwn(flags, option) ? [''] : []),
  ...Object.keys(words).filter((word) => Object.hasOwn(words[word]?.flags ?? {}, option)),
];
const wholeName = (name: string, word: string): string => (word === '' ? name : `${name} ${word}`);
