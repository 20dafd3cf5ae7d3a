import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { LocalEngine } from '../../../../shared/domain/scan.ts';
import { longAfter } from '../../../../shared/testing/long-after.ts';
import { knownMisses } from '../../../rules/gate/known-misses.ts';
import { parsePackage } from '../../../rules/parse-package.ts';
import { openRuleLibrary } from '../../../rules/rule-library.ts';
import { NativeEngine } from '../native-engine.ts';
import {
  CaseFolder,
  hitsOfYara,
  runYara,
  type ValuesOf,
  valuesOf,
  Vitrine,
  YaraError,
  yaraVersion,
} from './against-yara.fixture.ts';
import { processes } from './scan-session.ts';
import { ruleCase, type RuleCase } from './yara-cases.fixture.ts';
import { differences, differencesOfNamespaces, type Said } from './yara-differences.fixture.ts';

/**
 * What the program can do. `namespaces`: a file that no other one includes is a namespace. `variables`: any name of
 * a file is text to its rules, `extension` has its dot, and `filepath` is the whole path.
 */
const holds = { namespaces: true, variables: true };

const engines: readonly LocalEngine[] = (await new NativeEngine(processes).check()).ok ? ['native', 'wasm'] : ['wasm'];
const library = openRuleLibrary();
const vitrine = new Vitrine(library);
afterAll(() => library.close());

const values: ValuesOf = (path) => {
  const all = valuesOf(path);
  const dot = all.filename.lastIndexOf('.');
  const withoutDot = dot <= 0 ? '' : all.filename.slice(dot + 1).toLowerCase();
  return holds.variables ? all : { ...all, extension: withoutDot, filepath: '' };
};

/** @throws with both where they say different things */
async function compare(one: RuleCase): Promise<number> {
  using folder = new CaseFolder();
  const paths = folder.scanned(one.scanned);
  const expected = hitsOfYara(one, paths, folder, values);
  const { broken, hits } = await vitrine.install(one.texts(null));
  expect(broken).toEqual([]);
  for (const engine of engines) expect({ engine, hits: await hits(engine, paths) }).toEqual({ engine, hits: expected });
  return Object.values(expected).flat().length;
}

const describeCase = (one: RuleCase): string =>
  [
    ...Object.entries(one.texts(null)).map(([path, text]) => `--- ${path}\n${text}`),
    ...one.scanned.map(({ name, bytes }) => `--- ${JSON.stringify(name)}: ${Buffer.from(bytes).toString('hex')}`),
  ].join('\n');

interface Run {
  seed: number;
  asks: boolean;
  cases: number;
  /** After this time no further case is begun, nor a smaller one looked for. */
  mostSeconds: number;
}

async function compareMany({ seed, asks, cases, mostSeconds }: Run): Promise<void> {
  let hits = 0;
  const property = fc.asyncProperty(ruleCase({ ...holds, asks }), async (one) => {
    hits += await compare(one);
  });
  const { failed, counterexample, errorInstance, counterexamplePath } = await fc.check(property, {
    seed,
    numRuns: cases,
    interruptAfterTimeLimit: mostSeconds * 1000,
  });
  if (failed && counterexample !== null) {
    const said = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
    throw new Error(`seed ${seed}, path ${counterexamplePath ?? ''}: ${said}\n${describeCase(counterexample[0])}`, {
      cause: errorInstance,
    });
  }
  expect(hits).toBeGreaterThan(0);
}

const withoutYara = yaraVersion === null ? ' (left out: there is no yara 4.2 on this machine)' : '';
const random = (): number => Math.floor(Math.random() * 0x7fffffff);
const seeds: Run[] = [
  { seed: 1, asks: false, cases: 8, mostSeconds: 40 },
  { seed: 2, asks: true, cases: 4, mostSeconds: 40 },
  ...Array.from({ length: 20 }, (_, index) => ({ seed: random(), asks: index % 4 === 0, cases: 20, mostSeconds: 120 })),
];

for (const { tags, cases } of longAfter(2, seeds)) {
  test.runIf(yaraVersion !== null).each(cases)(
    `generated rules hit what they hit in yara, seed $seed, with variables: $asks${withoutYara}`,
    { tags, timeout: 180_000 },
    compareMany,
  );
}

test.runIf(yaraVersion !== null)(
  `the named differences from yara behave as named${withoutYara}`,
  { timeout: 180_000 },
  async () => {
    using folder = new CaseFolder();
    const expected = { ...differences, ...(holds.namespaces ? differencesOfNamespaces : {}) };
    const all = Object.entries(expected).map(
      ([title, { rule, front = '', files = {}, roots = [], ...rest }], index) => {
        const [name, file] = [`d${index}`, `${index}.yar`];
        return {
          title,
          ...rest,
          name,
          roots: [...roots, file],
          texts: { [file]: `${front} rule ${name} ${rule.replace('RULE', name)}\n`, ...files },
        };
      },
    );
    const paths = folder.scanned(all.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) })));
    const { broken, hits } = await vitrine.install(
      Object.fromEntries(all.flatMap(({ texts }) => Object.entries(texts))),
    );
    for (const engine of engines) {
      const found = await hits(engine, paths);
      const said = all.map(({ title, name, roots, texts }, index): unknown => ({
        title,
        yara: saidByYara(folder.rules(texts), { roots, name, path: paths[index] ?? '' }),
        ours: broken.some((line) => line.startsWith(`${index}.yar:`))
          ? 'refuses'
          : found[name]?.includes(`${index}.yar: ${name}`) === true
            ? 'hits'
            : 'misses',
      }));
      expect({ engine, said }).toEqual({ engine, said: all.map(({ title, yara, ours }) => ({ title, yara, ours })) });
    }
  },
);

function saidByYara(
  folder: string,
  { roots, name, path }: { roots: readonly string[]; name: string; path: string },
): Said {
  try {
    return runYara(folder, roots, { paths: [path] }).some(({ rule }) => rule === name) ? 'hits' : 'misses';
  } catch (error) {
    if (!(error instanceof YaraError)) throw error;
    return error.message.includes('error scanning') ? 'fails' : 'refuses';
  }
}

test('named differences that lose hits get a warning when one rule alone shows them, and no others do', () => {
  const missesOf = (source: string): unknown[] => {
    const [file] = parsePackage([{ path: 'a.yar', bytes: Buffer.from(source) }]).files;
    return file?.rules.flatMap((rule) => knownMisses(file.text, rule)) ?? [];
  };
  const lost = Object.entries(differences).filter(([, { yara, ours }]) => yara === 'hits' && ours === 'misses');
  const warned = lost
    .filter(([, { rule, front = '' }]) => missesOf(`${front}\nrule a ${rule}`).length > 0)
    .map(([name]) => name);
  expect(warned).toEqual([
    'a serial correlation',
    'brackets inside of each other by the thousand',
    'a place that has no value',
    'a hash beyond the end of the file',
    'a full word behind xor',
    'an edge of a word at the end of the file',
    'an edge of a wide word',
    'a jump over more than 4096 bytes between two bytes',
    'a jump over more than 4096 bytes beside one byte',
    'an edge of a wide word behind it',
  ]);
  const others = Object.values(differences).filter(({ yara, ours }) => yara !== 'hits' || ours !== 'misses');
  expect(others.filter(({ rule, front = '' }) => missesOf(`${front}\nrule a ${rule}`).length > 0)).toEqual([]);
});
