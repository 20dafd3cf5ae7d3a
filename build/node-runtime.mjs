import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { arch, platform } from 'node:process';

/**
 * Finds a Node of version 24 or newer: the pinned one from the optional packages, else the one this process runs on.
 * The registry has none for macOS at this version, so there it must be the machine's own.
 *
 * @param {{ root: string, execPath: string, version: string, system?: string }} machine
 * @returns {string | null} the executable's path; null where there is none
 */
export function findNode24({ root, execPath, version, system = `${platform}-${arch}` }) {
  const packaged = join(root, 'node_modules', `node-${system.replace('win32', 'win')}`, 'bin', 'node');
  for (const path of [packaged, `${packaged}.exe`]) if (existsSync(path)) return path;
  return Number.parseInt(version, 10) >= 24 ? execPath : null;
}

/**
 * The version of the Node that npm itself runs on, which is the machine's own. Scripts run on that of
 * `node_modules/.bin`, which npm puts in front, so this process cannot detect it. Without npm it is this process's.
 *
 * @param {string | undefined} userAgent npm's `npm_config_user_agent`, such as "npm/11.0.0 node/v20.20.2 linux x64"
 * @param {string} version
 * @returns {string}
 */
export const machineNode = (userAgent, version) => /\bnode\/v(\d+\.\d+\.\d+)/.exec(userAgent ?? '')?.[1] ?? version;

/** The oldest Node that package.json asks for under `engines`. */
const oldestSupported = 22;

/**
 * One line that names the Node in use, for the two commands of the README when a person starts them with a Node older
 * than package.json asks for. Every other verb stays silent: its output may be read by a program.
 *
 * @param {{ root: string, verb: string, node: string, version: string }} run
 *   `node`: the executable that runs the verb; `version`: of the machine's own Node
 * @returns {string | null}
 */
export function olderNodeLine({ root, verb, node, version }) {
  if (!['start', 'test'].includes(verb) || Number.parseInt(version, 10) >= oldestSupported) return null;
  const folder = join(node, '..', '..');
  const inUse = `Node ${packageVersion(folder)} from ${relative(root, folder).replaceAll('\\', '/')}`;
  return `Node ${version} is older than ${oldestSupported}. Using ${inUse}.`;
}

/** @param {string} folder @returns {string} */
function packageVersion(folder) {
  /** @type {unknown} */
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null;
  return typeof version === 'string' ? version : '24';
}
