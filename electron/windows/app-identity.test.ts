import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type IdentityOptions, keepProfileIn, type ProfilePorts, registerIdentity } from './app-identity.ts';

function reported(options: Omit<IdentityOptions, 'namedDirectory'>, namedDirectory: string | null = null): unknown[] {
  const heard: unknown[] = [];
  registerIdentity(
    {
      setAppUserModelId: (id) => heard.push(id),
      setAsDefaultProtocolClient: (...client) => heard.push(client) > 0,
    },
    { ...options, namedDirectory },
  );
  return heard;
}
const program = 'C:\\Vitrine\\Vitrine.exe';

test('Windows gets the package id and the link handler, and reads no arguments from them', () => {
  expect(reported({ system: 'win32', isPackaged: true, program })).toEqual([
    'org.vitrine.Vitrine',
    ['vitrine', program, ['--']],
  ]);
});

test('a program run from source takes no links', () => {
  expect(reported({ system: 'win32', isPackaged: false, program })).toEqual([program]);
});

test.each(['linux', 'darwin'] as const)('%s reads both from the package', (system) => {
  expect(reported({ system, isPackaged: true, program })).toEqual([]);
});

test.each([
  ['D:\\case 7', ['--data=D:\\case 7', '--']],
  // Electron puts each argument into quotes, and a backslash before a quote would take it in.
  ['D:\\', ['--data=D:\\\\', '--']],
  ['D:\\100%1', ['--']],
])('links open the data directory %s again when the person named it', (directory, args) => {
  expect(reported({ system: 'win32', isPackaged: true, program }, directory)[1]).toEqual(['vitrine', program, args]);
});

const dataDirectory = join('/', 'data', 'Vitrine');
const profile = join(dataDirectory, 'page');

/** Of a disk on which no folder is there but those that were made, and of an `app` that refuses those that are not. */
function disk(parts: Partial<ProfilePorts> = {}) {
  const made: string[] = [];
  const set: [string, string][] = [];
  const keep = (): void =>
    keepProfileIn(dataDirectory, {
      makeFolder: (path) => void made.push(path),
      setPath: (name, path) => {
        if (!made.includes(path)) throw new Error(`Failed to set '${name}': no such folder`);
        set.push([name, path]);
      },
      ...parts,
    });
  return { keep, set };
}

test('the profile is in the data directory and is created before Electron receives it', () => {
  const { keep, set } = disk();
  keep();
  expect(set).toEqual([['userData', profile]]);
});

test('a profile that cannot be created is reported unchanged, and Electron receives nothing', () => {
  const { keep, set } = disk({
    makeFolder: (path) => {
      throw new Error(`not writable: ${path}`);
    },
  });
  expect(keep).toThrow(`not writable: ${profile}`);
  expect(set).toEqual([]);
});
