import { execFile } from 'node:child_process';
import { platform } from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * What this machine lacks for killing programs between two calls of the system, and for disks of their own, in a
 * sentence; null: nothing.
 */
export async function missingHere(): Promise<string | null> {
  if (platform !== 'linux')
    return 'Programs are killed between two calls of the system by strace, which only Linux has.';
  if (!(await works('strace', '-V'))) return 'strace is missing. On Debian: apt-get install strace.';
  if (!(await works('strace', '-f', '-b', 'execve', '-o', '/dev/null', 'true')))
    return 'strace may not trace here: a container needs the capability SYS_PTRACE. It must be version 6 or newer.';
  if (!(await works('unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt')))
    return 'Small disks cannot be mounted here: it takes root, in a container the capability SYS_ADMIN, too.';
  return null;
}

const works = async (command: string, ...args: string[]): Promise<boolean> =>
  run(command, args).then(
    () => true,
    () => false,
  );
