import { execFile } from 'node:child_process';
import { platform } from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What this machine lacks for killing programs between two calls of the system, in a sentence; null: nothing. */
export async function missingTracer(): Promise<string | null> {
  if (platform !== 'linux') return 'Programs are killed between two calls of the system by strace, which only Linux has.';
  if (!(await works('strace', '-V'))) return 'strace is missing. On Debian: apt-get install strace.';
  if (!(await works('strace', '-f', '-b', 'execve', '-o', '/dev/null', 'true'))) return 'strace may not trace here: a container needs the capability SYS_PTRACE. It must be version 6 or newer.';
  return null;
}

const works = async (command: string, ...args: string[]): Promise<boolean> => run(command, args).then(() => true, () => false);
