import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AddressRefused, readDatabaseAddress } from './pg-address.ts';

function fileOf(text: string, mode = 0o600): string {
  const directory = mkdtempSync(join(tmpdir(), 'vitrine-pg-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'file');
  writeFileSync(path, text, { mode });
  return path;
}

test.each([
  ['postgres://lab@db.example.org/samples', 'db.example.org', 5432, 'lab', 'samples'],
  ['postgresql://lab@db.example.org:6000/', 'db.example.org', 6000, 'lab', 'lab'],
  ['postgres://db/samples?user=a%40b', 'db', 5432, 'a@b', 'samples'],
  ['postgres://a%3Ab@[::1]:6000/a%20b', '::1', 6000, 'a:b', 'a b'],
  ['postgres://lab@/samples?host=/run/pg&port=6000', '/run/pg', 6000, 'lab', 'samples'],
  ['postgres://lab@%2Frun%2Fpg/samples', '/run/pg', 5432, 'lab', 'samples'],
  ['postgres:///samples?user=lab', '/var/run/postgresql', 5432, 'lab', 'samples'],
  ['postgres://?dbname=samples&user=lab', '/var/run/postgresql', 5432, 'lab', 'samples'],
])('the address %s names its parts', (address, host, port, user, database) => {
  expect(readDatabaseAddress(address, {})).toMatchObject({ host, port, user, database });
});

test('parts that the address leaves out come from the environment', () => {
  const environment = { PGHOST: '/run/pg', PGPORT: '6000', PGUSER: 'lab', PGDATABASE: 'samples' };
  const expected = { host: '/run/pg', port: 6000, user: 'lab', database: 'samples' };
  expect(readDatabaseAddress('postgres://', environment)).toMatchObject(expected);
  const { username } = userInfo();
  expect(readDatabaseAddress('postgres://', {})).toMatchObject({ user: username, database: username, options: null });
});

test.each([
  ['http://db/samples', /must have the form/],
  ['postgres://a@b@c/samples', /must have the form/],
  ['postgres://lab:secret@db/samples', /holds a password/],
  ['postgres://lab:@db/samples', /holds a password/],
  ['postgres://lab@db/samples?password=secret', /holds a password/],
  ['postgres://lab@one,two/samples', /one host/],
  ['postgres://lab@db:99999/samples', /port/],
  ['postgres://lab@db:x/samples', /one host/],
  ['postgres://lab@db/samples%zz', /hexadecimal/],
  ['postgres://lab@db/samples?sslcompression=1', /unknown parameter sslcompression/],
  ['postgres://lab@db/samples?sslmode=prefer', /sslmode must be/],
  ['postgres://lab@db/samples?sslmode=verify-ca', /sslrootcert/],
  ['postgres://lab@db/samples?sslrootcert=/does/not/exist', /cannot be read/],
])('the address %s is refused', (address, reason) => {
  const reading = () => readDatabaseAddress(address, {});
  expect(reading).toThrow(AddressRefused);
  expect(reading).toThrow(reason);
  expect(reading).not.toThrow(/secret/);
});

test.each(['', '-----BEGIN PRIVATE KEY-----\n'])('a file of authorities with the text "%s" is refused', (text) => {
  const address = `postgres://lab@db/samples?sslrootcert=${encodeURIComponent(fileOf(text))}`;
  expect(() => readDatabaseAddress(address, {})).toThrow(/holds no certificate/);
});

const pem = '-----BEGIN CERTIFICATE-----\n';

test('sslmode decides whether the certificate and its name are verified', () => {
  const authorities = `sslrootcert=${encodeURIComponent(fileOf(pem))}`;
  const ssl = (parameters: string, host = 'db', environment = {}) =>
    readDatabaseAddress(`postgres://lab@${host}/samples?${parameters}`, environment).ssl;
  const namesUnchecked = expect.objectContaining({ ca: pem, checkServerIdentity: expect.any(Function) as unknown });
  expect(ssl('')).toEqual({});
  expect(ssl('', 'localhost')).toBe(false);
  expect(ssl('', '[::1]')).toBe(false);
  expect(ssl('host=/run/pg&sslmode=verify-full')).toBe(false);
  expect(ssl('sslmode=disable')).toBe(false);
  expect(ssl('', 'db', { PGSSLMODE: 'disable' })).toBe(false);
  expect(ssl('sslmode=require')).toEqual({ rejectUnauthorized: false });
  expect(ssl(`sslmode=require&${authorities}`)).toEqual(namesUnchecked);
  expect(ssl(`sslmode=verify-ca&${authorities}`)).toEqual(namesUnchecked);
  expect(ssl(`sslmode=verify-full&${authorities}`)).toEqual({ ca: pem });
  expect(ssl('sslmode=verify-full&sslrootcert=system', 'localhost')).toEqual({});
});

test('the password is the first line of a file, or a variable, or a line of the password file', () => {
  const passwordOf = (environment: Readonly<Record<string, string>>, address = 'postgres://lab@db/samples') =>
    readDatabaseAddress(address, environment).password();
  const file = fileOf('first\nsecond\n');
  const list = fileOf(
    String.raw`# db:5432:samples:lab:comment
other:*:*:*:x
db:5432:samples:lab:with\:colon\\
*:*:*:*:any`,
  );
  expect(passwordOf({})).toBeNull();
  expect(passwordOf({ VITRINE_LAB_DATABASE_PASSWORD_FILE: file, PGPASSWORD: 'x' })).toBe('first');
  expect(passwordOf({ PGPASSWORD: 'variable', PGPASSFILE: list })).toBe('variable');
  expect(passwordOf({ PGPASSFILE: list })).toBe('with:colon\\');
  expect(passwordOf({ PGPASSFILE: list }, 'postgres://lab@db/other')).toBe('any');
  expect(passwordOf({ PGPASSFILE: fileOf('localhost:*:*:lab:local') }, 'postgres://lab@/samples')).toBe('local');
  expect(passwordOf({ PGPASSFILE: fileOf('db:5432:samples:eve:x') })).toBeNull();
  expect(passwordOf({ PGPASSFILE: '/does/not/exist' })).toBeNull();
});

test.skipIf(process.platform === 'win32')('a password file that other users can read is refused', () => {
  const environment = { PGPASSFILE: fileOf('*:*:*:*:x', 0o640) };
  const { password } = readDatabaseAddress('postgres://lab@db/samples', environment);
  expect(password).toThrow(/open to other users/);
});

test('a password file that cannot be read is refused in a sentence', () => {
  for (const file of ['/does/not/exist', '/'])
    expect(readDatabaseAddress('postgres://lab@db/s', { VITRINE_LAB_DATABASE_PASSWORD_FILE: file }).password).toThrow(
      new AddressRefused(`The password file ${file} cannot be read.`),
    );
});

test('a password is read again for each connection', () => {
  const file = fileOf('old');
  const { password } = readDatabaseAddress('postgres://lab@db/s', { VITRINE_LAB_DATABASE_PASSWORD_FILE: file });
  expect(password()).toBe('old');
  writeFileSync(file, 'new');
  expect(password()).toBe('new');
});
