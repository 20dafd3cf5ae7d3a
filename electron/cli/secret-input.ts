import type { CommandRun } from './command.ts';
import { allInput } from './all-input.ts';
import { fileText } from './file-input.ts';
import { textOf } from './option-values.ts';
import { wrongUsage } from './usage-error.ts';

export interface SecretPlaces {
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
