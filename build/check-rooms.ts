import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import type { CheckOutcome } from './check-outcome.ts';
import { root } from './paths.ts';
import { forbiddenNames, type Room, rooms, testPackages } from './rooms.ts';
import { sourceImports } from './source-imports.ts';

/** Checks every import of the tree against `rooms.ts`, and every name against the drawers we do not have. */
export function checkRooms(tree: string = root): CheckOutcome {
  const files = globSync('{shared,electron,renderer,e2e,build}/**/*.{ts,tsx,mjs,mts,cts,js,cjs}', { cwd: tree }).map(
    (path) => path.replaceAll('\\', '/'),
  );
  const problems = files.flatMap((path) => roomProblems(path, readFileSync(posix.join(tree, path), 'utf8')));
  return { name: 'layers', passed: problems.length === 0, report: problems.join('\n') };
}

const unseenProblem = ({ importsByPath }: Room): string | null =>
  importsByPath === true ? null : 'imports something that is not a plain string';

/** The sentences for one file; `path` is relative to the project's top, with `/`. */
export function roomProblems(path: string, text: string): string[] {
  const room = roomOf(path);
  if (room === null) return [`${path}: belongs to no layer (build/rooms.ts)`];
  const drawer = path.split('/').find((part) => forbiddenNames.includes(part.split('.')[0] ?? ''));
  const named = drawer === undefined ? [] : [`${path}: "${drawer}" does not name its content`];
  const imports = sourceImports(path, text);
  if (imports === null) return [...named, `${path}: does not parse`];
  const imported = imports.flatMap(({ specifier, line }) => {
    const problem = specifier === null ? unseenProblem(room) : importProblem(path, room, specifier);
    return problem === null ? [] : [`${path}:${line}: ${problem}`];
  });
  return [...named, ...imported];
}

function importProblem(path: string, room: Room, specifier: string): string | null {
  if (/^[./]/.test(specifier)) return fileProblem(path, room, specifier);
  const allowed = isForTests(path) ? [...room.packages, ...testPackages] : room.packages;
  return allowed.some((pattern) => matches(pattern, specifier))
    ? null
    : `the layer "${room.name}" may not import the package ${specifier}`;
}

function fileProblem(path: string, room: Room, specifier: string): string | null {
  const target = posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ''));
  const targetRoom = roomOf(target);
  if (targetRoom === null) return `${specifier} is in no layer`;
  if (isForTests(target) && !isForTests(path)) return `only tests may import ${target}`;
  if (targetRoom === room) return apartProblem(path, target, room);
  return room.rooms.includes(targetRoom.name)
    ? null
    : `the layer "${room.name}" may not import "${targetRoom.name}" (${target})`;
}

function apartProblem(path: string, target: string, room: Room): string | null {
  if (room.apart !== true || isSetUp(path) || isSetUp(target)) return null;
  const [from, to] = [entryName(path, room), entryName(target, room)];
  return from === to ? null : `in "${room.name}", ${from} may not import ${to}`;
}

/** `renderer/views/lookup/record.tsx` and `renderer/views/lookup.tsx` are both the entry `lookup`. */
function entryName(path: string, room: Room): string {
  const folder = room.holds.find((prefix) => path.startsWith(prefix)) ?? '';
  return path.slice(folder.length).split(/[/.]/)[0] ?? '';
}

function roomOf(path: string): Room | null {
  const plain = path.replace(/\.(?:test|fuzz)\.(tsx?)$/, '.$1');
  return (
    rooms.find(({ holds }) =>
      holds.some((place) => (place.endsWith('/') ? plain.startsWith(place) : plain === place)),
    ) ?? null
  );
}

function isForTests(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || isSetUp(path);
}

/** What several tests are set up with, and what attacks a reader. It may put together what the program keeps apart. */
function isSetUp(path: string): boolean {
  return /\.(fixture|fuzz)\.tsx?$|\/(test(ing)?|fuzz)\//.test(path);
}

function matches(pattern: string, specifier: string): boolean {
  if (pattern === 'node:') return specifier.startsWith('node:') && isBuiltin(specifier);
  if (pattern.endsWith('/*')) return specifier.startsWith(pattern.slice(0, -1));
  return specifier === pattern || specifier.startsWith(`${pattern}/`);
}
