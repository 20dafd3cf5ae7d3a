import { posix } from 'node:path';

export type IncludeTarget = { target: string; problem: null } | { target: null; problem: string };

const shownLength = 100;
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text of a package, fit for one line. */
export const shown = (text: string): string =>
  (text.length > shownLength ? `${text.slice(0, shownLength)}…` : text).replace(hidden, '\ufffd');

/**
 * Which file of the package an `include` means: beside the file that contains it, or else from the root of the package.
 * Never a path on a disk.
 */
export function includeTarget(from: string, value: string, paths: { has(path: string): boolean }): IncludeTarget {
  const problem = problemOf(value);
  if (problem !== null) return { target: null, problem };
  const places = [posix.join(posix.dirname(from), value), posix.normalize(value)].filter((place) => !leads(place));
  const target = places.find((place) => paths.has(place));
  if (target !== undefined) return { target, problem: null };
  return {
    target: null,
    problem: `${places.length === 0 ? 'Outside the package' : 'Not in the package'}: ${shown(value)}`,
  };
}

const leads = (path: string): boolean => path === '..' || path.startsWith('../');

function problemOf(value: string): string | null {
  if (value === '') return 'No file name';
  if (/^[A-Za-z][A-Za-z0-9+.-]+:/.test(value)) return `An address, not a file in the package: ${shown(value)}`;
  if (value.startsWith('/') || /^[A-Za-z]:/.test(value))
    return `An absolute path, not a file in the package: ${shown(value)}`;
  if (value.includes('\\')) return `Use a slash, not a backslash: ${shown(value)}`;
  return null;
}
