import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepProfileIn, type ProfilePorts } from './app-identity.ts';

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

test('the profile lies in the data directory, and is made before Electron is told of it', () => {
  const { keep, set } = disk();
  keep();
  expect(set).toEqual([['userData', profile]]);
});

test('one that cannot be made is told as it is, and Electron is told nothing', () => {
  const { keep, set } = disk({
    makeFolder: (path) => {
      throw new Error(`not writable: ${path}`);
    },
  });
  expect(keep).toThrow(`not writable: ${profile}`);
  expect(set).toEqual([]);
});
