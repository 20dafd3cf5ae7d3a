import { existsSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import { OperatorError } from '../../lab/errors.ts';

/** An address that names no database this program can use; the message is for a person and holds no secret. */
export class AddressRefused extends OperatorError {
  override readonly name = 'AddressRefused';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A database, and how it is reached. */
export interface DatabaseAddress {
  /** A name, an IP address, or the directory of a Unix socket. */
  host: string;
  port: number;
  database: string;
  user: string;
  ssl: ConnectionOptions | false;
  /** As libpq's `options`: `-c search_path=lab`. */
  options: string | null;
  /** Read again for each connection, so that a password can be replaced while the lab runs. Null: there is none. */
  password: () => string | null;
}

const passwordFileVariable = 'VITRINE_LAB_DATABASE_PASSWORD_FILE';
const defaultPort = 5432;
/** Where Debian, Fedora and Arch Linux have the server's socket. */
const socketDirectory = '/var/run/postgresql';
const known = ['host', 'port', 'user', 'dbname', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'options'];

/**
 * Reads `postgres://[USER@][HOST][:PORT]/[DATABASE][?PARAMETER=VALUE&…]`, libpq's form of an address (PostgreSQL 15,
 * section 34.1.1.2). A Unix socket is `postgres://USER@/DATABASE?host=/DIRECTORY`. Absent parts come from PGHOST,
 * PGPORT, PGUSER, PGDATABASE, PGSSLMODE and PGSSLROOTCERT.
 *
 * `sslmode` has libpq's meanings (section 34.19):
 * - `disable`: no TLS.
 * - `require`: TLS with whatever certificate the server shows; with `sslrootcert`, the same as `verify-ca`.
 * - `verify-ca`: the certificate must be signed by an authority of the file `sslrootcert`.
 * - `verify-full`: as before, and it must be for this host; without `sslrootcert`, or with `sslrootcert=system`, the
 *   authorities are Node's.
 *
 * `allow` and `prefer`, which fall back to no TLS when someone on the way asks for it, are refused. Where libpq would
 * take `prefer`, this takes `disable` for a Unix socket or this computer and `verify-full` for any other host.
 *
 * The password comes from the first line of the file that VITRINE_LAB_DATABASE_PASSWORD_FILE names, from PGPASSWORD, or
 * from the file that PGPASSFILE names, the first of them that is set. An address with a password is refused: other
 * users of a computer can read the arguments of a program. @throws AddressRefused
 */
export function readDatabaseAddress(address: string, environment: Environment = process.env): DatabaseAddress {
  const parts = /^postgres(?:ql)?:\/\/(?:([^/?#@]*)@)?([^/?#@]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(address);
  if (parts === null)
    throw new AddressRefused('The address of the database must have the form postgres://USER@HOST/DATABASE.');
  const [, userPart = '', hostPart = '', databasePart = '', query = ''] = parts;
  const parameters = new URLSearchParams(query);
  if (userPart.includes(':') || parameters.has('password'))
    throw new AddressRefused(
      'The address of the database holds a password, which other users of this computer can see. ' +
        `Put it into a file and name that in ${passwordFileVariable} or PGPASSFILE, or set PGPASSWORD.`,
    );
  for (const name of parameters.keys())
    if (!known.includes(name))
      throw new AddressRefused(`The address of the database has the unknown parameter ${name}.`);
  const { host, port } = hostOf(hostPart, parameters, environment);
  const user = decoded(userPart) || parameters.get('user') || environment['PGUSER'] || userInfo().username;
  const database = decoded(databasePart) || parameters.get('dbname') || environment['PGDATABASE'] || user;
  const place = { host, port, database, user };
  const options = parameters.get('options');
  return { ...place, options, ssl: sslOf(host, parameters, environment), password: passwordOf(place, environment) };
}

/** The database in a sentence: nothing of it is secret. */
export const databaseLabel = ({ database, host }: Pick<DatabaseAddress, 'database' | 'host'>): string =>
  `database ${database} on ${host}`;

function hostOf(part: string, parameters: URLSearchParams, environment: Environment): { host: string; port: number } {
  const [, bracketed, plain = '', portText] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d*))?$/.exec(part) ?? refusedHost();
  const host = parameters.get('host') ?? bracketed ?? decoded(plain) ?? '';
  const port = Number(portText || parameters.get('port') || environment['PGPORT'] || defaultPort);
  if (host.includes(',') || !Number.isInteger(port) || port < 1 || port > 65_535) refusedHost();
  return { host: host || environment['PGHOST'] || socketDirectory, port };
}

function refusedHost(): never {
  throw new AddressRefused('The address of the database must name one host, and a port between 1 and 65535 or none.');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressRefused('The address of the database has a "%" that is not followed by two hexadecimal digits.');
  }
}

function sslOf(host: string, parameters: URLSearchParams, environment: Environment): ConnectionOptions | false {
  const isHere = host.startsWith('/') || host === 'localhost' || host === '::1' || host.startsWith('127.');
  const mode = parameters.get('sslmode') ?? environment['PGSSLMODE'] ?? (isHere ? 'disable' : 'verify-full');
  // A Unix socket has no TLS, whatever is asked, as with libpq.
  if (mode === 'disable' || host.startsWith('/')) return false;
  const authorities = parameters.get('sslrootcert') ?? environment['PGSSLROOTCERT'] ?? 'system';
  const file = (name: string, holds: string): string | undefined => {
    const path = parameters.get(name);
    return path === null ? undefined : readPem(path, holds);
  };
  const own = { cert: file('sslcert', 'CERTIFICATE'), key: file('sslkey', 'PRIVATE KEY') };
  const ca = authorities === 'system' ? undefined : readPem(authorities, 'CERTIFICATE');
  if (mode === 'verify-full') return { ...own, ca };
  if (mode === 'require' && ca === undefined) return { ...own, rejectUnauthorized: false };
  if (mode !== 'require' && mode !== 'verify-ca')
    throw new AddressRefused('sslmode must be disable, require, verify-ca or verify-full.');
  if (ca === undefined)
    throw new AddressRefused(
      'sslmode=verify-ca takes a file of authorities: add sslrootcert=FILE, or use verify-full.',
    );
  return { ...own, ca, checkServerIdentity: () => undefined };
}

/** OpenSSL takes a file without one as no authority at all, and Node an empty file as its own authorities. */
function readPem(path: string, holds: string): string {
  const pem = pemIn(path);
  if (new RegExp(`^-----BEGIN [A-Z ]*${holds}-----`, 'm').test(pem)) return pem;
  throw new AddressRefused(`The file ${path} holds no ${holds.toLowerCase()} in the PEM form.`);
}

function pemIn(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AddressRefused(`The certificate or key ${path} cannot be read.`, { cause: error });
  }
}

type Place = Pick<DatabaseAddress, 'host' | 'port' | 'database' | 'user'>;

function passwordOf(place: Place, environment: Environment): () => string | null {
  const [file, password, list] = [passwordFileVariable, 'PGPASSWORD', 'PGPASSFILE'].map((name) => environment[name]);
  if (file) return () => textOf(file).split(/\r?\n/, 1)[0] ?? '';
  if (password) return () => password;
  if (list) return () => (existsSync(list) ? passwordInList(readPrivate(list), place) : null);
  return () => null;
}

/** As libpq does, which takes no password from a file that other users can read. Windows has no such bits. */
function readPrivate(path: string): string {
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new AddressRefused(`The password file ${path} is open to other users: run "chmod 600" on it.`);
  return textOf(path);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AddressRefused(`The password file ${path} cannot be read.`, { cause: error });
  }
}

/** Lines of `host:port:database:user:password`, where `*` is any (PostgreSQL 15, section 34.16); the first counts. */
function passwordInList(text: string, { host, port, database, user }: Place): string | null {
  const wanted = [host.startsWith('/') && host === socketDirectory ? 'localhost' : host, `${port}`, database, user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = (line.match(/(?:\\.|[^:\\])*(?::|$)/g) ?? []).map((field) =>
      field.replace(/:$/, '').replaceAll(/\\(.)/g, '$1'),
    );
    if (wanted.every((value, at) => fields[at] === '*' || fields[at] === value)) return fields[4] ?? null;
  }
  return null;
}
