import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What the 7z program, not ours, thinks of a password ZIP. Rejects when it does not accept it. */
export async function testWith7z(zip: string, password: string): Promise<void> {
  await run('7z', ['t', `-p${password}`, zip]);
}

/** SHA-256 of a member as 7z takes it out, without it ever touching the disk. */
export async function sha256Of(zip: string, member: string, password: string): Promise<string> {
  const { stdout } = await run('7z', ['x', '-so', `-p${password}`, zip, member], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  });
  return createHash('sha256').update(stdout).digest('hex');
}
