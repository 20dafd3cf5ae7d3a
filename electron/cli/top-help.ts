import { commonFlags } from './common-options.ts';
import { type CommandGroup, commands } from './commands.ts';
import { capitalized, flagLines } from './help-text.ts';

const groups: readonly CommandGroup[] = ['SAMPLES', 'RULES', 'SHARE', 'DATA', 'SETUP'];
const longestName = Math.max(...Object.keys(commands).map((name) => name.length));

/** What `vitrine` alone and `vitrine --help` print. */
export const topHelp = (): string => `Look up, download, scan and organize malware samples.

USAGE
  vitrine COMMAND [flags]

${groups.map(groupText).join('\n')}

EXAMPLES
  $ vitrine lookup 44d88612fea8a8f36de82e1278abb02f
  $ vitrine scan incoming/ --fail-on-hit

EXIT CODES
  0 done  1 failed  2 wrong usage  3 not found  4 not allowed  5 service failed
  6 data or disk  7 refused by a safety rule (TLP, live bytes)  8 rule hit

"vitrine help COMMAND" shows more; "vitrine help options" lists common options.`;

const groupText = (group: CommandGroup): string =>
  [
    group,
    ...Object.entries(commands)
      .filter(([, listed]) => listed.group === group)
      .map(([name, { summary }]) => `  ${name.padEnd(longestName)}  ${capitalized(summary)}`),
  ].join('\n');

/** What `vitrine help options` prints. */
export const optionsHelp = (): string =>
  `All commands have these options.\n\nFLAGS\n${flagLines(commonFlags).join('\n')}`;
