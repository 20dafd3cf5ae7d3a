import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from './paths.ts';
import { hostLibraries, pageLibraries } from './layers.ts';

const names = z.record(z.string(), z.unknown()).default({});
const lockedPackage = z.object({
  version: z.string().default(''),
  license: z.string().optional(),
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
});
const lockFile = z.object({ packages: z.record(z.string(), lockedPackage) });
type Locked = z.infer<typeof lockFile>['packages'];

export interface LicensedPackage {
  name: string;
  version: string;
  /** An SPDX expression, from the package. */
  licence: string;
  /** Which of the texts; null: the package brings none. */
  text: number | null;
}

/** Each text once: many packages have the same. */
export interface Licences {
  packages: LicensedPackage[];
  texts: string[];
}

const folder = 'node_modules/';

/**
 * Whatever goes out with the program, by name: what the page and the host are bundled with, all that those need in
 * turn, and Electron.
 */
export function readLicences(tree: string = root): Licences {
  const { packages: locked } = lockFile.parse(JSON.parse(readFileSync(join(tree, 'package-lock.json'), 'utf8')));
  const texts: string[] = [];
  const packages = shippedPaths(locked).map((path): LicensedPackage => {
    const text = textIn(join(tree, path));
    if (text !== null && !texts.includes(text)) texts.push(text);
    const { version = '', license = '' } = locked[path] ?? {};
    return {
      name: path.slice(path.lastIndexOf(folder) + folder.length),
      version,
      licence: license,
      text: text === null ? null : texts.indexOf(text),
    };
  });
  return { packages: packages.toSorted((one, other) => (one.name < other.name ? -1 : 1)), texts };
}

function shippedPaths(locked: Locked): string[] {
  const patterns = [...hostLibraries, ...pageLibraries].map((name) => folder + name);
  const isLibrary = (path: string): boolean =>
    patterns.some((pattern) => (pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern));
  const { devDependencies, optionalDependencies } = locked[''] ?? lockedPackage.parse({});
  const asked = Object.keys({ ...devDependencies, ...optionalDependencies })
    .map((name) => folder + name)
    .filter(isLibrary);
  const found = new Set([...asked, `${folder}electron`]);
  for (const path of found) {
    if (path !== `${folder}electron`) for (const needed of neededBy(path, locked)) found.add(needed);
  }
  return [...found];
}

function neededBy(path: string, locked: Locked): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = locked[path] ?? lockedPackage.parse({});
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    .filter((name) => !name.startsWith('@types/'))
    .map((name) => nearest(path, name, locked))
    .filter((needed) => needed !== null);
}

/** As Node looks for it: in the package itself, then in each folder above. */
function nearest(path: string, name: string, locked: Locked): string | null {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf(folder) - 1))) {
    const candidate = `${at === '' ? '' : `${at}/`}${folder}${name}`;
    if (candidate in locked) return candidate;
    if (at === '') return null;
  }
}

function textIn(directory: string): string | null {
  if (!existsSync(directory)) return null;
  const files = readdirSync(directory)
    .filter((name) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(name))
    .toSorted();
  const texts = files
    .map((name) => readFileSync(join(directory, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .filter((text) => text !== '');
  return texts.length === 0 ? null : texts.join('\n\n');
}
