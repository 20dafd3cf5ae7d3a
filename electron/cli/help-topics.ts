import { commands } from './commands.ts';
import { helpText } from './help-text.ts';
import { withCurrentWord } from './known-words.ts';
import { suggestion } from './nearest-word.ts';
import { optionsHelp, topHelp } from './top-help.ts';
import { wrongUsage } from './usage-error.ts';

/** What is no command, but has a help. */
const options = 'options';

/** The help of a command, of one of its sub-commands, or of Vitrine. @throws UsageError for an unknown one */
export async function helpOfTopic([name, typed, ...more]: readonly string[]): Promise<string> {
  if (name === undefined) return topHelp();
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
