import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import type { CheckOutcome } from './check-outcome.ts';
import { root } from './paths.ts';
import { forbiddenNames, type Layer, layers, testPackages } from './layers.ts';
import { sourceImports } from './source-imports.ts';

/** Checks every import of the tree against `layers.ts`, and every name against the drawers we do not have. */
export function checkLayers(tree: string = root): CheckOutcome {
  const files = globSync('{shared,electron,renderer,e2e,build}/**/*.{ts,tsx,mjs,mts,cts,js,cjs}', { cwd: tree }).map(
    (path) => path.replaceAll('\\', '/'),
  );
  const problems = files.flatMap((path) => layerProblems(path, readFileSync(posix.join(tree, path), 'utf8')));
  return { name: 'layers', passed: problems.length === 0, report: problems.join('\n') };
}

const unseenProblem = ({ importsByPath }: Layer): string | null =>
  importsByPath === true ? null : 'imports something that is not a plain string';

/** The sentences for one file; `path` is relative to the project's top, with `/`. */
export function layerProblems(path: string, text: string): string[] {
  const layer = layerOf(path);
  if (layer === null) return [`${path}: belongs to no layer (build/layers.ts)`];
  const drawer = path.split('/').find((part) => forbiddenNames.includes(part.split('.')[0] ?? ''));
  const named = drawer === undefined ? [] : [`${path}: "${drawer}" does not name its content`];
  const imports = sourceImports(path, text);
  if (imports === null) return [...named, `${path}: does not parse`];
  const imported = imports.flatMap(({ specifier, line }) => {
    const problem = specifier === null ? unseenProblem(layer) : importProblem(path, layer, specifier);
    return problem === null ? [] : [`${path}:${line}: ${problem}`];
  });
  return [...named, ...imported];
}

function importProblem(path: string, layer: Layer, specifier: string): string | null {
  if (/^[./]/.test(specifier)) return fileProblem(path, layer, specifier);
  const allowed = isForTests(path) ? [...layer.packages, ...testPackages] : layer.packages;
  return allowed.some((pattern) => matches(pattern, specifier))
    ? null
    : `the layer "${layer.name}" may not import the package ${specifier}`;
}

function fileProblem(path: string, layer: Layer, specifier: string): string | null {
  const target = posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ''));
  const targetLayer = layerOf(target);
  if (targetLayer === null) return `${specifier} is in no layer`;
  if (isForTests(target) && !isForTests(path)) return `only tests may import ${target}`;
  if (targetLayer === layer) return isolationProblem(path, target, layer);
  return layer.layers.includes(targetLayer.name)
    ? null
    : `the layer "${layer.name}" may not import "${targetLayer.name}" (${target})`;
}

function isolationProblem(path: string, target: string, layer: Layer): string | null {
  if (layer.isolated !== true || isSetUp(path) || isSetUp(target)) return null;
  const [from, to] = [entryName(path, layer), entryName(target, layer)];
  return from === to ? null : `in "${layer.name}", ${from} may not import ${to}`;
}

/** `renderer/views/lookup/record.tsx` and `renderer/views/lookup.tsx` are both the entry `lookup`. */
function entryName(path: string, layer: Layer): string {
  const folder = layer.holds.find((prefix) => path.startsWith(prefix)) ?? '';
  return path.slice(folder.length).split(/[/.]/)[0] ?? '';
}

function layerOf(path: string): Layer | null {
  const plain = path.replace(/\.(?:test|fuzz)\.(tsx?)$/, '.$1');
  return (
    layers.find(({ holds }) =>
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
