import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { sortByPlace } from '../../../../shared/domain/publication.ts';
import type { LocalEngine } from '../../../../shared/domain/scan.ts';
import { filesOf, type Texts } from '../../../rules/library/package.fixture.ts';
import type { RuleLibrary } from '../../../rules/rule-library.ts';
import { programOf } from '../../../rules/scanning/rule-program.ts';
import { openScanSession } from '../../../rules/scanning/scan-session.ts';
import { scanWorkerProcess } from '../native-engine.ts';
import type { ScanSource } from '../read-scan-source.ts';
import { orderFor, processes, saidOf } from './scan-session.ts';
import { mayBeValue, type RuleCase } from './yara-cases.fixture.ts';
import { type VariableName, variableNames } from './yara-expressions.fixture.ts';

/** The `yara` that the differences were seen with; null: this machine has none, or another one. */
export const yaraVersion = ((): string | null => {
  const { error, stdout } = spawnSync('yara', ['--version'], { encoding: 'utf8' });
  return error === undefined && stdout.startsWith('4.2.') ? stdout.trim() : null;
})();

/** Of a file that is scanned where it lies. */
export type ValuesOf = (path: string) => Readonly<Record<VariableName, string>>;

/** As LOKI has them: the extension with its dot, in lower case. A name that begins with its only dot has none. */
export const valuesOf: ValuesOf = (path) => ({
  filename: basename(path),
  extension: extname(basename(path).replace(/^\.+/, 'x')).toLowerCase(),
  filepath: path,
});

/** `file of rules: rule` for each scanned file that has hits, in order. */
export type Hits = Readonly<Record<string, readonly string[]>>;

/** A folder with the files of a case, which is removed when it is disposed of. */
export class CaseFolder implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vitrine-yara-'));
  #written = 0;

  /** @returns the path of each file, which all lie in one folder */
  scanned(files: RuleCase['scanned']): string[] {
    return files.map(({ name, bytes }) => this.#write(join('scanned', name), bytes));
  }

  /** @returns the folder they lie in */
  rules(texts: Texts): string {
    const folder = `rules-${(this.#written += 1)}`;
    for (const [path, text] of Object.entries(texts)) this.#write(join(folder, path), text);
    return join(this.#folder, folder);
  }

  #write(path: string, content: string | Uint8Array): string {
    const whole = join(this.#folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, content);
    return whole;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** It refuses rules, or did not scan a file to its end. */
export class YaraError extends Error {}

/**
 * The answer of `yara` for rules that lie in a folder.
 *
 * @throws YaraError
 */
export function runYara(
  folder: string,
  roots: readonly string[],
  { defines = {}, paths }: { defines?: Readonly<Record<string, string>>; paths: readonly string[] },
): { root: string; rule: string; path: string }[] {
  const list = join(folder, 'scan-list');
  writeFileSync(list, paths.map((path) => `${path}\n`).join(''));
  const args = [
    '-w',
    '-e',
    ...Object.entries(defines).flatMap(([name, value]) => ['-d', `${name}=${value}`]),
    ...roots.map((root, index) => `n${index}:${root}`),
    '--scan-list',
    list,
  ];
  const { stdout, stderr, error } = spawnSync('yara', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error !== undefined) throw error;
  if (stderr !== '') throw new YaraError(`yara: ${stderr.slice(0, 2000)}`);
  return [...stdout.matchAll(/^n(\d+):(\w+) (.+)$/gm)].map(([, index, rule = '', path = '']) => ({
    root: roots[Number(index)] ?? '',
    rule,
    path,
  }));
}

export function hitsOfYara(one: RuleCase, paths: readonly string[], folder: CaseFolder, values: ValuesOf): Hits {
  const runs = one.asks
    ? paths.map((path) => runForOne(one, path, folder, values(path)))
    : [runYara(folder.rules(one.texts(null)), one.roots, { paths })];
  return collected(
    runs.flat().map(({ root, rule, path }) => ({
      scanned: basename(path),
      hit: `${one.definedIn.get(root)?.get(rule) ?? root}: ${rule}`,
    })),
  );
}

/** Text that `yara -d` would take for a number is in the rules themselves. */
function runForOne(
  one: RuleCase,
  path: string,
  folder: CaseFolder,
  values: Readonly<Record<VariableName, string>>,
): ReturnType<typeof runYara> {
  const isPlain = variableNames.every((name) => !mayBeValue(values[name]));
  return runYara(folder.rules(one.texts(isPlain ? null : values)), one.roots, {
    defines: isPlain ? values : {},
    paths: [path],
  });
}

function collected(hits: readonly { scanned: string; hit: string }[]): Hits {
  const all = new Map<string, Set<string>>();
  for (const { scanned, hit } of hits) all.set(scanned, (all.get(scanned) ?? new Set()).add(hit));
  return Object.fromEntries(
    [...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([scanned, found]) => [scanned, [...found].toSorted()]),
  );
}

/** What the program finds, through the gate, a scan session and the processes of its engines. */
export class Vitrine {
  readonly #library: RuleLibrary;
  #packages = 0;

  constructor(library: RuleLibrary) {
    this.#library = library;
  }

  /** Installs a package. @returns what is broken, and scans of files by each engine */
  async install(
    texts: Texts,
  ): Promise<{ broken: string[]; hits(engine: LocalEngine, paths: readonly string[]): Promise<Hits> }> {
    const key = `package ${(this.#packages += 1)}`;
    const { broken } = await this.#library.gate(key, {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      files: filesOf(texts),
    });
    const [pieces, { rows }] = [
      await this.#library.pieces(key),
      await this.#library.rules(
        key,
        { find: '', sort: sortByPlace, known: { stamp: '', hits: [], muted: [], costs: [] } },
        { offset: 0, limit: 100_000, columns: [] },
      ),
    ];
    const places = placesOf(rows.filter((row) => row.broken === null));
    return {
      broken: broken.map(({ rule, file, line, text }) => `${file}:${line} ${rule ?? ''}: ${text}`),
      hits: async (engine, paths) => {
        const leftOut: string[] = [];
        const session = await openScanSession<ScanSource>({
          program: programOf(pieces, null),
          engine,
          startScanWorker: () => scanWorkerProcess(processes),
          workers: 1,
          signal: new AbortController().signal,
          leftOut: (rule, reason) => leftOut.push(`${rule} is left out: ${reason}`),
        });
        try {
          const verdicts = await Promise.all(
            paths.map(async (path) => ({
              path,
              verdict: await session.scan({ ...orderFor(path), facts: [{ name: basename(path), path, owner: null }] }),
            })),
          );
          return collected(
            verdicts.flatMap(({ path, verdict }) => {
              const found =
                verdict.kind === 'scanned'
                  ? verdict.found.map(({ rule }) => places.get(rule) ?? rule)
                  : [saidOf(verdict)];
              return [...found, ...leftOut].map((hit) => ({ scanned: basename(path), hit }));
            }),
          );
        } finally {
          await session.close();
        }
      },
    };
  }
}

/** Where a rule is, by its key: the first of a name has it for a key, the others have their file, too. */
function placesOf(rows: readonly { name: string; file: string }[]): Map<string, string> {
  const places = new Map<string, string>();
  for (const { name, file } of rows) places.set(places.has(name) ? `${file}:${name}` : name, `${file}: ${name}`);
  return places;
}
