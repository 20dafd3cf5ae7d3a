import type { CommandGroup, Commands } from './command.ts';
import { commonFlags } from './common-options.ts';
import { wrongUsage } from './exit.ts';
import { capitalized, flagLines, helpText } from './help-text.ts';
import { suggestion } from './nearest-word.ts';
import { withCurrentWord } from './suggestions.ts';

/** What is no command, but has a help. */
const options = 'options';

/** The help of a command, of one of its sub-commands, or of Vitrine. @throws UsageError for an unknown one */
export async function helpOfTopic(commands: Commands, [name, typed, ...more]: readonly string[]): Promise<string> {
  if (name === undefined) return topHelp(commands);
  if (name === options && typed === undefined) return optionsHelp();
  const listed = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (listed === undefined)
    return wrongUsage(`unknown command "${name.slice(0, 80)}"${suggestion(name, [...Object.keys(commands), options])}`);
  const command = await listed.load();
  const [word] = withCurrentWord(command, typed === undefined ? [] : [typed]);
  if (word === undefined) return helpText(command);
  const known = Object.keys(command.words ?? {});
  if (!known.includes(word))
    return wrongUsage(`unknown command "${name} ${word.slice(0, 80)}"${suggestion(word, known)}`);
  if (more.length > 0) wrongUsage('help takes a command and a sub-command at most');
  return helpText(command, word);
}

const groups: readonly CommandGroup[] = ['SAMPLES', 'RULES', 'SHARE', 'DATA', 'SETUP'];

/** What `vitrine` alone and `vitrine --help` print. */
export const topHelp = (commands: Commands): string => `Look up, download, scan and organize malware samples.

USAGE
  vitrine COMMAND [flags]
${groups.map((group) => groupText(group, commands)).join('\n')}

EXAMPLES
  $ vitrine lookup 44d88612fea8a8f36de82e1278abb02f
  $ vitrine scan incoming/ --fail-on-hit

EXIT CODES
  0 done  1 failed  2 wrong usage  3 not found  4 not allowed  5 service failed
  6 data or disk  7 refused by a safety rule (TLP, live bytes)  8 rule hit

"vitrine help COMMAND" shows more; "vitrine help options" lists common options.`;

const groupText = (group: CommandGroup, commands: Commands): string => {
  const longestName = Math.max(...Object.keys(commands).map((name) => name.length));
  return [
    group,
    ...Object.entries(commands)
      .filter(([, listed]) => listed.group === group)
      .map(([name, { summary }]) => `  ${name.padEnd(longestName)}  ${capitalized(summary)}`),
  ].join('\n');
};

/** What `vitrine help options` prints. */
export const optionsHelp = (): string =>
  `All commands have these options.\n\nFLAGS\n${flagLines(commonFlags).join('\n')}`;
