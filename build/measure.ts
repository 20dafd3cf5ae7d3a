import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';
import type { CheckOutcome } from './check-outcome.ts';
import { root } from './paths.ts';
import { sourceImports } from './source-imports.ts';
import { isNode, lineAt, visit } from './syntax-tree.ts';

/** A product file of the tree: `path` from its top; the files it names, all of them and those that it runs. */
interface SourceFile {
  path: string;
  lines: number;
  imports: number;
  /** Every file that it names, types included. */
  names: readonly string[];
  /** The files that load with it: named by a static import or export of values. */
  runs: readonly string[];
  functions: readonly number[];
}

/** The files whose static imports a person follows who wants to understand one service, and how many they may be. */
const closures = [
  { name: 'look-up', from: 'electron/services/samples.ts', most: 45 },
  { name: 'bulk download', from: 'electron/services/downloads/bulk/bulk-downloads.ts', most: 65 },
  { name: 'rule update', from: 'electron/services/publications/publications.ts', most: 90 },
] as const;
const crumb = 25;
const mostImports = 60;
const mostCrumbs = 0.1;

const isProduct = (path: string): boolean =>
  !/\.(test|fuzz|fixture)\.tsx?$|\/testing\/|^electron\/fuzz\/|^renderer\/test\/|\.d\.ts$/.test(path);

function productFiles(tree: string): Map<string, SourceFile> {
  const paths = globSync('{shared,electron,renderer}/**/*.{ts,tsx}', { cwd: tree })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(isProduct);
  const known = new Set(paths);
  return new Map(
    paths.toSorted().map((path) => [path, readSource(path, readFileSync(join(tree, path), 'utf8'), known)]),
  );
}

function readSource(path: string, text: string, known: ReadonlySet<string>): SourceFile {
  const fileOf = (specifier: string): string => posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ''));
  const own = (specifiers: readonly (string | null)[]): string[] => [
    ...new Set(specifiers.flatMap((each) => (each?.startsWith('.') && known.has(fileOf(each)) ? [fileOf(each)] : []))),
  ];
  const named = sourceImports(path, text) ?? [];
  const { module, program } = parseSync(path, text);
  const runs = [
    ...module.staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
    ),
  ];
  return {
    path,
    lines: text.split('\n').length - 1,
    imports: named.length,
    names: own(named.map(({ specifier }) => specifier)),
    runs: own(runs),
    functions: functionLines(program, text),
  };
}

function functionLines(program: unknown, text: string): number[] {
  const found: number[] = [];
  visit(program, (node) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(String(node.type))) return;
    if (isNode(node.body)) found.push(lineAt(text, Number(node.end)) - lineAt(text, Number(node.start)) + 1);
  });
  return found;
}

function closureOf(from: string, files: ReadonlyMap<string, SourceFile>): Set<string> {
  const reached = new Set<string>();
  const open = [from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    open.push(...(files.get(path)?.runs ?? []));
  }
  return reached;
}

/** Groups of files that import each other, directly or over others (Tarjan's strongly connected components). */
function cyclesOf(files: ReadonlyMap<string, SourceFile>): string[][] {
  const cycles: string[][] = [];
  const stack: string[] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const walk = (path: string): number => {
    const index = order.size;
    order.set(path, index);
    let low = index;
    stack.push(path);
    for (const next of files.get(path)?.names ?? []) {
      if (!order.has(next)) low = Math.min(low, walk(next));
      else if (stack.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? index);
    }
    lowest.set(path, low);
    if (low === index) {
      const cycle = stack.splice(stack.indexOf(path));
      if (cycle.length > 1) cycles.push(cycle.toSorted());
    }
    return low;
  };
  for (const path of files.keys()) if (!order.has(path)) walk(path);
  return cycles;
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? 0;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export interface Measures {
  files: number;
  lines: number;
  fileLines: { median: number; max: number };
  functionLines: { median: number; p90: number };
  importsPerThousandLines: number;
  crumbs: number;
  /** `files`: null where the first of them is not there. */
  closures: { name: string; files: number | null; most: number }[];
  cycles: string[][];
  cssLines: number;
}

/** The figures of a tree's product code: what a reader must open to understand it. */
export function measure(tree: string = root): Measures {
  const files = productFiles(tree);
  const all = [...files.values()];
  const lines = sum(all.map((file) => file.lines));
  const functions = all.flatMap((file) => file.functions);
  const css = globSync('renderer/**/*.css', { cwd: tree }).map((path) => readFileSync(join(tree, path), 'utf8'));
  return {
    files: all.length,
    lines,
    fileLines: {
      median: quantile(
        all.map((file) => file.lines),
        0.5,
      ),
      max: Math.max(...all.map((file) => file.lines)),
    },
    functionLines: { median: quantile(functions, 0.5), p90: quantile(functions, 0.9) },
    importsPerThousandLines: (sum(all.map((file) => file.imports)) / lines) * 1000,
    crumbs: all.filter((file) => file.lines <= crumb).length,
    closures: closures.map(({ name, from, most }) => ({
      name,
      files: files.has(from) ? closureOf(from, files).size : null,
      most,
    })),
    cycles: cyclesOf(files),
    cssLines: sum(css.map((text) => text.split('\n').length - 1)),
  };
}

function table(measures: Measures): string {
  const rows: [string, string][] = [
    ['product files', measures.files.toLocaleString('en')],
    ['lines', measures.lines.toLocaleString('en')],
    ['lines of a file, median / max', `${measures.fileLines.median} / ${measures.fileLines.max}`],
    ['lines of a function, median / p90', `${measures.functionLines.median} / ${measures.functionLines.p90}`],
    ['imports per 1,000 lines', measures.importsPerThousandLines.toFixed(1)],
    [`files of ${crumb} lines or fewer`, String(measures.crumbs)],
    ...measures.closures.map(({ name, files }): [string, string] => [`files that ${name} loads`, String(files ?? '–')]),
    ['import cycles', String(measures.cycles.length)],
    ['lines of CSS', measures.cssLines.toLocaleString('en')],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('');
}

/** A Mermaid flowchart of which folder imports which; below `folder`, of its files. Arrows carry counts of imports. */
export function graph(folder: string | null, tree: string = root): string {
  const files = productFiles(tree);
  const nodeOf = (path: string): string =>
    folder !== null && path.startsWith(folder)
      ? path.slice(folder.length).replace(/^\//, '')
      : path
          .split('/')
          .slice(0, Math.min(2, path.split('/').length - 1))
          .join('/');
  const arrows = new Map<string, number>();
  for (const { path, names } of files.values()) {
    for (const name of names) {
      if (folder !== null && !path.startsWith(folder) && !name.startsWith(folder)) continue;
      const [from, to] = [nodeOf(path), nodeOf(name)];
      if (from !== to) arrows.set(`"${from}" "${to}"`, (arrows.get(`"${from}" "${to}"`) ?? 0) + 1);
    }
  }
  const ids = new Map<string, string>();
  const idOf = (name: string): string => {
    const id = ids.get(name) ?? `n${ids.size}`;
    ids.set(name, id);
    return id;
  };
  const lines = [...arrows].map(([arrow, count]) => {
    const [, from = '', to = ''] = /^"(.*)" "(.*)"$/.exec(arrow) ?? [];
    return `  ${idOf(from)} -->|${count}| ${idOf(to)}`;
  });
  return ['flowchart LR', ...[...ids].map(([name, id]) => `  ${id}["${name}"]`), ...lines, ''].join('\n');
}

/** The ratios that a change must keep: how much of the tree is imports and crumbs, and how far a reader must go. */
export function checkShape(tree: string = root): CheckOutcome {
  const measures = measure(tree);
  const share = measures.crumbs / measures.files;
  if (measures.files === 0) return { name: 'shape', passed: false, report: `no product files in ${tree}` };
  const problems = [
    ...(measures.importsPerThousandLines > mostImports
      ? [`${measures.importsPerThousandLines.toFixed(1)} imports per 1,000 lines; at most ${mostImports}`]
      : []),
    ...(share > mostCrumbs
      ? [`${(share * 100).toFixed(1)} % of files have ${crumb} lines or fewer; at most ${mostCrumbs * 100} %`]
      : []),
    ...measures.closures.flatMap(({ name, files, most }) => {
      if (files === null) return [`the file of ${name} is not there: build/measure.ts names it`];
      return files > most ? [`${name} loads ${files} files; at most ${most}`] : [];
    }),
    ...measures.cycles.map((cycle) => `import cycle: ${cycle.join(', ')}`),
  ];
  return { name: 'shape', passed: problems.length === 0, report: problems.join('\n') };
}

if (import.meta.main) {
  const at = process.argv.indexOf('--graph');
  process.stdout.write(at === -1 ? table(measure()) : graph(process.argv[at + 1] ?? null));
}
