import { copyFileSync, cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build, type CliOptions, type Configuration } from 'electron-builder';
import { runVite } from './build-with-vite.ts';
import { desktopFiles } from './desktop-files.ts';
import { packaging } from './packaging.ts';
import { root } from './paths.ts';
import { electronVersion, standInRuntime } from './stand-in-runtime.ts';

export interface PackOrder extends Pick<CliOptions, 'dir' | 'linux'> {
  /** Holds package.json, and in `.out` the built host and page. */
  tree: string;
  /** The folder of Electron's runtime. */
  electronDist: string;
  /** What differs from the installers' configuration. */
  changes?: Configuration;
}

/**
 * Packs the program as it is built in the tree, with those files alone that it comes to, and no package of its tree.
 * @returns the paths of the installers it made
 */
export function packProgram({ tree, electronDist, changes, ...options }: PackOrder): Promise<string[]> {
  const host = desktopFiles(join(tree, '.out', 'host')).map((path) => `.out/host/${path}`);
  const config: Configuration = {
    ...packaging,
    ...changes,
    files: ['package.json', '.out/page/**', ...host, '!**/node_modules/**'],
    electronDist,
  };
  return build({ projectDir: tree, publish: 'never', config, ...options });
}

/** A program around a runtime that cannot be started. */
export interface PackedStandIn {
  executable: string;
  archive: string;
  /** The archive once more, beside which the system finds native code. */
  besides: string;
}

/** How a tree is built. Left out, it is built as it is shipped. */
export interface TreeBuild {
  /** Configurations of vite, below `build/`. */
  hostConfig?: string;
  pageConfig?: string;
  /** The engine of the preload, as vite names targets. */
  preloadTarget?: string;
}

/** Builds the host and the page into a folder as a tree that can be packed. @throws an error with what vite said */
export async function buildTree(
  tree: string,
  { hostConfig = 'vite.host.ts', pageConfig = 'vite.page.ts', preloadTarget }: TreeBuild = {},
): Promise<void> {
  layTree(tree);
  const steps = [
    { config: hostConfig, name: 'host', options: [] },
    {
      config: 'vite.preload.ts',
      name: 'host',
      options: preloadTarget === undefined ? [] : ['--target', preloadTarget],
    },
    { config: pageConfig, name: 'page', options: [] },
  ];
  for (const { config, name, options } of steps) {
    const { code, output } = await runVite(`build/${config}`, '--outDir', join(tree, '.out', name), ...options);
    if (code !== 0) throw new Error(output);
  }
}

/** The same tree of a host and a page that are built already. */
export function copyTree(tree: string, parts: Readonly<Record<'host' | 'page', string>>): void {
  layTree(tree);
  for (const [name, built] of Object.entries(parts)) cpSync(built, join(tree, '.out', name), { recursive: true });
}

/** All of a tree but what is built. */
function layTree(tree: string): void {
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(join(tree, '.out'), { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(root, name), join(tree, name));
  // As the installers are packed: what electron-builder would take from there is what matters.
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction');
}

/** Packs a tree for Linux as the installers are made, on machines that have no runtime of Electron. */
export async function packStandIn(tree: string): Promise<PackedStandIn> {
  const output = join(tree, 'packed');
  await packProgram({
    tree,
    dir: true,
    linux: [],
    electronDist: await standInRuntime(join(tree, 'runtime')),
    changes: { electronVersion, directories: { output, buildResources: join(root, 'build', 'icons') } },
  });
  const folder = join(output, 'linux-unpacked');
  const archive = join(folder, 'resources', 'app.asar');
  return { executable: join(folder, 'vitrine'), archive, besides: `${archive}.unpacked` };
}
