import { archivePasswordList } from '../../shared/domain/opened-archive.ts';
import type { CommandRun, Flag } from './command.ts';
import { wrongUsage } from './exit.ts';
import { allInput, fileText } from './file-input.ts';
import { textOf } from './option-values.ts';

interface SecretPlaces {
  /** The option that names a file; "-" is standard input. */
  option: string;
  /** The variable of the environment, where the option is not given. */
  variable: string;
  /** What it is, after "A": "passphrase of the bundle". */
  what: string;
}

/**
 * A passphrase or a password: never an argument, which every process of the machine can read. The end of its line is no
 * part of it.
 * @throws UsageError where it is nowhere, or its file cannot be read
 */
export async function secretInput(run: CommandRun, places: SecretPlaces): Promise<string> {
  return (
    (await givenSecret(run, places)) ??
    wrongUsage(`the ${places.what} is missing: use --${places.option} FILE (- for stdin) or ${places.variable}`)
  );
}

/** The same; null where nothing was given. */
export async function givenSecret(
  { options, terminal, secrets, signal }: CommandRun,
  { option, variable }: Pick<SecretPlaces, 'option' | 'variable'>,
): Promise<string | null> {
  const path = textOf(options, option);
  if (path === null) return secrets.get(variable) ?? null;
  const text = path === '-' ? await allInput(terminal) : await fileText({ path, option, signal });
  return text.replace(/\r?\n$/, '');
}

const option = 'archive-password-file';
export const archivePasswordOption = option;
/** For commands that open archives. */
export const archivePasswordFlag: Flag = {
  value: 'FILE',
  text: 'archive passwords, one per line; - for stdin. Common ones are always tried',
};

/**
 * Passwords that were given for archives, in their order: never as arguments, which every process of the computer can
 * read. An empty line is none.
 * @throws UsageError where there is none in it, too many or too long ones, or its file cannot be read
 */
export async function archivePasswords(run: CommandRun): Promise<string[]> {
  const text = await givenSecret(run, { option, variable: '' });
  if (text === null) return [];
  const passwords = [...new Set(text.split(/\r?\n/).filter((line) => line !== ''))];
  if (passwords.length === 0) wrongUsage(`--${option}: the file has no password`);
  const read = archivePasswordList.safeParse(passwords);
  return read.data ?? wrongUsage(`--${option}: ${read.error?.issues[0]?.message}`);
}
