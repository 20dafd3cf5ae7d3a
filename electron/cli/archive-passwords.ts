import { archivePasswordList } from '../../shared/domain/opened-archive.ts';
import type { CommandRun, Flag } from './command.ts';
import { givenSecret } from './secret-input.ts';
import { wrongUsage } from './usage-error.ts';

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
