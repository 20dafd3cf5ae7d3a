import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { hostKeyName, hostSocketName } from '../../shared/host-files.ts';
import { type LocalSocketLimits, LocalSocketSession, type SocketHost } from './local-socket-session.ts';

interface LocalSocketOptions extends Omit<SocketHost, 'isKey' | 'proof'> {
  /** Held by this process: what a host that crashed left there is replaced. */
  dataDirectory: string;
  limits?: Partial<LocalSocketLimits>;
  place?: SocketPlace;
}

export interface LocalSocketHost {
  close(): Promise<void>;
}

const defaultLimits: LocalSocketLimits = { helloMs: 5_000, questions: 64, waitingBytes: 16 * 1024 * 1024 };
const commandsAtOnce = 32;

/**
 * Lets commands of the same user use this host. Any client with the key is let in: only the user can read the key's
 * file, while others can open a pipe of Windows. Never fails: without space on the disk for a socket the host works all
 * the same, and the log records the failure.
 */
export async function serveLocalSocket(options: LocalSocketOptions): Promise<LocalSocketHost> {
  const sessions = new Set<LocalSocketSession>();
  const [key, proof] = [newSecret(), newSecret()];
  const host: SocketHost = { ...options, isKey: isSameAs(key), proof };
  const server = createServer((socket) => {
    const session = new LocalSocketSession(socket, host, { ...defaultLimits, ...options.limits });
    sessions.add(session);
    socket.once('close', () => sessions.delete(session));
  });
  server.maxConnections = commandsAtOnce;
  const keyFile = join(options.dataDirectory, hostKeyName);
  try {
    const address = await listen(server, options);
    await publish(keyFile, `${key}\n${proof}\n${address}\n${process.pid}\n`);
  } catch (error) {
    options.logDefect(randomUUID(), 'local-socket', error);
  }
  server.on('error', (error) => options.logDefect(randomUUID(), 'local-socket', error));
  return {
    close: async () => {
      // Gone with the data directory it may be.
      await rm(keyFile, { force: true }).catch((error: unknown) =>
        options.logDefect(randomUUID(), 'local-socket', error),
      );
      for (const session of sessions) session.end();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @returns where */
async function listen(
  server: Server,
  { dataDirectory, place = placeOfThisProcess() }: LocalSocketOptions,
): Promise<string> {
  const path = await placeForSocket(dataDirectory, place);
  const isFile = place.system !== 'win32';
  if (isFile) await rm(path, { force: true });
  server.listen(path);
  await once(server, 'listening');
  if (isFile) await chmod(path, 0o600);
  return path;
}

/** Creates a new file: one left there by someone else may be open to others, or a link. */
async function publish(keyFile: string, text: string): Promise<void> {
  await rm(keyFile, { force: true });
  await writeFile(keyFile, text, { mode: 0o600, flag: 'wx' });
}

function isSameAs(key: string): (other: string) => boolean {
  const digest = digestOf(key);
  return (other) => timingSafeEqual(digest, digestOf(other));
}

const newSecret = (): string => randomBytes(32).toString('base64url');
const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
const placeOfThisProcess = (): SocketPlace => ({ system: process.platform, environment: process.env });

/** Of the systems that have such sockets the one that takes the shortest, in bytes without the zero at its end. */
const longestPath = 103;

interface SocketPlace {
  system: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
}

/**
 * Where a host with that data directory listens. It is written to the key's file and never derived a second time: a
 * command may have another environment. A pipe of Windows has another name at each start, so that no other program can
 * be there first.
 */
export async function placeForSocket(dataDirectory: string, { system, environment }: SocketPlace): Promise<string> {
  if (system === 'win32') return `\\\\.\\pipe\\vitrine-${nameOf(dataDirectory)}-${randomBytes(8).toString('hex')}`;
  const usual = join(dataDirectory, hostSocketName);
  // The key's file has it on a line.
  if (Buffer.byteLength(usual) <= longestPath && !usual.includes('\n')) return usual;
  const folder = join(runtimeFolder(environment), `vitrine-${process.getuid?.() ?? 0}`);
  await makeOwnFolder(folder);
  return join(folder, `${nameOf(dataDirectory)}.sock`);
}

/** The variable may outlive the session whose folder it names. */
function runtimeFolder({ XDG_RUNTIME_DIR: named }: NodeJS.ProcessEnv): string {
  return named && isAbsolute(named) && existsSync(named) ? named : tmpdir();
}

const nameOf = (dataDirectory: string): string => createHash('sha256').update(dataDirectory).digest('hex').slice(0, 32);

/** Others may write to the folder above it: a folder made by someone else is not used. */
async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Error(`${folder} belongs to another user`);
  await chmod(folder, 0o700);
}
