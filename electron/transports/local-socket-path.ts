import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { deskSocketName } from '../../shared/desk-files.ts';

/** Of the systems that have such sockets the one that takes the shortest, in bytes without the zero at its end. */
const longestPath = 103;

export interface SocketPlace {
  system: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
}

/**
 * Where a desk with that data directory listens. It is told in the key's file, and never worked out a second time: a
 * command may have another environment. A pipe of Windows has another name at each start, so that nobody can be there
 * first.
 */
export async function placeForSocket(dataDirectory: string, { system, environment }: SocketPlace): Promise<string> {
  if (system === 'win32') return `\\\\.\\pipe\\vitrine-${nameOf(dataDirectory)}-${randomBytes(8).toString('hex')}`;
  const usual = join(dataDirectory, deskSocketName);
  if (Buffer.byteLength(usual) <= longestPath) return usual;
  const folder = join(runtimeFolder(environment), `vitrine-${process.getuid?.() ?? 0}`);
  await makeOwnFolder(folder);
  return join(folder, `${nameOf(dataDirectory)}.sock`);
}

/** The variable may outlive the session whose folder it names. */
function runtimeFolder({ XDG_RUNTIME_DIR: named }: NodeJS.ProcessEnv): string {
  return named && isAbsolute(named) && existsSync(named) ? named : tmpdir();
}

const nameOf = (dataDirectory: string): string => createHash('sha256').update(dataDirectory).digest('hex').slice(0, 32);

/** Others may write to the folder above it: one that somebody else made there is not used. */
async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Error(`${folder} belongs to another user`);
  await chmod(folder, 0o700);
}
