import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';

/**
 * What a program that is packed starts by itself: the window's host, and the processes and threads of it. The other
 * entries need a Node of their own.
 */
const started = ['electron/{main,lab,scanner}.js', 'electron/**/*-worker.js'];
/** Read or loaded by path: the preload, the engines, and the SQL of the database. */
const readByPath = ['electron/preload.cjs', 'electron/rules/engine/*.{wasm,node}', 'electron/storage/migrations/*.sql'];

/**
 * The files of a built host that the desktop comes to, by what is imported from what it starts. Paths below the host's
 * folder, sorted, with `/`.
 * @throws an error of the system for one that is imported and is not there
 */
export function desktopFiles(host: string): string[] {
  const found = new Set<string>();
  const follow = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const specifier of importsOf(join(host, path))) follow(posix.join(posix.dirname(path), specifier));
  };
  for (const path of globSync(started, { cwd: host })) follow(path.replaceAll('\\', '/'));
  return [...found, ...globSync(readByPath, { cwd: host }).map((path) => path.replaceAll('\\', '/'))].toSorted();
}

/** Of our own files: the others are parts of Node, and Electron. */
function importsOf(path: string): string[] {
  const code = readFileSync(path, 'utf8');
  const { staticImports, dynamicImports, staticExports } = parseSync(path, code).module;
  const asked = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest.value])),
    ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => code.slice(start + 1, end - 1)),
  ];
  return asked.filter((specifier) => specifier.startsWith('.'));
}
