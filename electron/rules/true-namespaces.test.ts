import { Compiler } from '@virustotal/yara-x';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { RuleVariable } from '../../shared/domain/rule-variable.ts';
import { longAfter } from '../../shared/testing/long-after.ts';
import { compileNative, loadNative } from './engine/native-yara.ts';
import { compilePortable } from './engine/portable-yara.ts';
import type { CompiledRules } from './engine/scan-engine.ts';
import { loadEngine } from './engine/yara-compiler.ts';
import { yaraXModule } from './engine/yara-x.ts';
import { withoutUsers } from './gate/compile-gate.ts';
import { PieceCompiler } from './gate/compile-pieces.ts';
import { GatePlan } from './gate/gate-plan.ts';
import { type IndexedPackage, indexPackage, rulesMeant } from './library/indexed-package.ts';
import { filesOf } from './library/package.fixture.ts';
import { usablePieces } from './library/usable-rules.ts';
import { parsePackage } from './parse-package.ts';
import type { ParsedPackage } from './parsed-package.ts';
import { bindRules, type RuleInstance } from './rule-binding.ts';
import { definedVariables } from './scanning/post-program.ts';
import { identifierOf, programOf } from './scanning/rule-program.ts';

beforeAll(async () => loadEngine(await yaraXModule()));

interface Rule {
  name: string;
  head: string;
  /** `*` after a name means all rules of the namespace so far that begin with it. */
  condition: string;
}
type Item = { include: number } | Rule;

const names = ['same', 'a1', 'a2', 'helper', 'helper__2'];
const name = fc.constantFrom(...names);
const atom = fc.oneof(
  { weight: 4, arbitrary: name },
  { weight: 2, arbitrary: name.map((used) => `not ${used}`) },
  fc.constantFrom(
    '$s',
    'not $s',
    'true',
    'filename == ""',
    'any of (a*)',
    '1 of (same, a*)',
    'none of (helper*)',
    'all of (a1*)',
    '2 * 3 == 6',
  ),
  name.map((used) => `for any same in (0..2) : (same == 1 and ${used === 'same' ? 'true' : used})`),
  name.map((used) => `for all helper__2 in (0..2) : (${used === 'helper__2' ? '' : `${used} and `}helper__2 < 9)`),
  name.map((used) => `for any a1, a2 in test_dictionary : (${used})`),
  name.map(
    (used) =>
      `with same = 1, helper = same + 1 : (helper == 2 and (${used === 'same' || used === 'helper' ? 'true' : used}))`,
  ),
  name.map((used) => `(${used} or /* ) */ not\n ${used})`),
);
const rule: fc.Arbitrary<Rule> = fc.record({
  name,
  head: fc.constantFrom('', '', '', 'private ', 'global ', 'private global ', 'global\nprivate '),
  condition: fc.array(atom, { minLength: 1, maxLength: 2 }).map((parts) => parts.join(' or // )\n ')),
});
const item = (files: number): fc.Arbitrary<Item> =>
  fc.oneof(
    { weight: 3, arbitrary: rule },
    fc.nat({ max: files - 1 }).map((include) => ({ include })),
  );
const generated = fc
  .integer({ min: 1, max: 4 })
  .chain((files) =>
    fc.array(fc.array(item(files), { minLength: 1, maxLength: 4 }), { minLength: files, maxLength: files }),
  );

const pathOf = (file: number): string => `f${file}.yar`;
const textOf = ({ name: own, head, condition }: Rule, letter: string): string =>
  `${head}rule ${own} {\n strings: $s = "${letter}"\n condition:\n  ${condition} or ($s and #s > 9) // end\n}`;
const letterOf = (file: number, place: number): string => 'abcdefghijklmnop'.charAt(file * 4 + place);
const packageText = (items: readonly Item[], file: number): string =>
  items
    .map((one, place) => ('include' in one ? `include "${pathOf(one.include)}"` : textOf(one, letterOf(file, place))))
    .join('\n');

/** A rule by its file and its place there. */
type Place = string;
interface Source {
  place: Place;
  name: string;
  text: string;
}

/**
 * What YARA reads of a file: the text of includes in their place, each file once. Written for this test, not what is
 * under test.
 */
function expand(
  files: readonly (readonly Item[])[],
  file: number,
  seen: Set<number>,
): { place: Place; rule: Rule; letter: string }[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return (files[file] ?? []).flatMap((one, place) =>
    'include' in one
      ? expand(files, one.include, seen)
      : [{ place: `${pathOf(file)} ${place}`, rule: one, letter: letterOf(file, place) }],
  );
}

function namespacesOf(files: readonly (readonly Item[])[]): { place: Place; rule: Rule; letter: string }[][] {
  const included = new Set(
    files.flatMap((items, file) =>
      items.flatMap((one) => ('include' in one && one.include !== file ? [one.include] : [])),
    ),
  );
  const covered = new Set<number>();
  const roots = files.map((_, file) => file).filter((file) => !included.has(file));
  const take = (root: number) => {
    const seen = new Set<number>();
    const rules = expand(files, root, seen);
    for (const file of seen) covered.add(file);
    return rules;
  };
  const found = roots.map(take);
  for (const file of files.keys()) if (!covered.has(file)) found.push(take(file));
  return found;
}

/** Rules of a namespace that compile in it, with their wildcards written out, as YARA understands them. */
function soundRules(rules: ReturnType<typeof expand>): Source[] {
  const compiler = newCompiler();
  const seen: string[] = [];
  const sound: Source[] = [];
  for (const { place, rule: one, letter } of rules) {
    if (seen.includes(one.name)) continue;
    const condition = one.condition.replaceAll(
      /(\w+)\*(?=[,)])/g,
      (whole, start: string) => seen.filter((each) => each.startsWith(start)).join(', ') || whole,
    );
    const source = { place, name: one.name, text: textOf({ ...one, condition }, letter) };
    seen.push(one.name);
    try {
      compiler.addSource(source.text);
      sound.push(source);
    } catch {
      // Others are compiled without it.
    }
  }
  compiler.free();
  return sound;
}

function newCompiler(): Compiler {
  const compiler = new Compiler();
  for (const { name: variable } of definedVariables([], () => false)) compiler.defineGlobal(variable, '');
  return compiler;
}

const scanned = z.object({
  matches: z.array(z.object({ namespace: z.string(), identifier: z.string(), isPrivate: z.boolean() })),
});
const samples = ['', 'a', 'bcd', 'abcdefghijklmnop', 'bbbbbbbbbbbb eeeeeeeeeeee iiiiiiiiiiiiii'].map((text) =>
  Buffer.from(text),
);

/** By the engine's own namespaces: where each sample hits. */
function trueHits(files: readonly (readonly Item[])[]): Place[][] {
  const compiler = newCompiler();
  const namespaces = namespacesOf(files).map(soundRules);
  for (const [index, rules] of namespaces.entries()) {
    compiler.newNamespace(`n${index}`);
    for (const { text } of rules) compiler.addSource(text);
  }
  const scanner = compiler.build().scanner();
  compiler.free();
  return samples.map((bytes) => {
    return sortedSet(
      scanned
        .parse(scanner.scan(bytes))
        .matches.filter(({ isPrivate }) => !isPrivate)
        .map(
          ({ namespace, identifier }) =>
            namespaces[Number(namespace.slice(1))]?.find((one) => one.name === identifier)?.place ?? '?',
        ),
    );
  });
}

const sortedSet = (values: readonly string[]): string[] => [...new Set(values)].toSorted();

/** The gate's result for a package, without its threads. */
function gated(parsed: ParsedPackage): IndexedPackage {
  const broken = rulesMeant(parsed, parsed.broken);
  const { instances } = bindRules(parsed, (one) => broken.has(one));
  const plan = new GatePlan(parsed, instances);
  const { pieces } = plan.chunkOf(plan.chunks.flatMap(({ own }) => own).toSorted((a, b) => a.place - b.place));
  const { findings } = new PieceCompiler(
    definedVariables([], (each) => plan.hasName(each)),
    () => undefined,
  ).compile({ pieces: pieces.map(({ text }) => text), how: 'together' });
  const refused = findings.flatMap(({ piece, text }) => {
    const instance = pieces[piece]?.instance ?? null;
    return instance === null
      ? []
      : [
          [
            instance,
            { rule: instance.rule.name, file: instance.rule.file, line: instance.rule.line, kind: 'engine', text },
          ] as const,
        ];
  });
  const own = withoutUsers(new Map<RuleInstance, IndexedPackage['broken'][number]['broken']>(refused));
  for (const one of own.keys()) broken.add(one);
  return indexPackage(parsed, [
    ...parsed.broken,
    ...own.values(),
    ...bindRules(parsed, (one) => broken.has(one)).broken,
  ]);
}

function hitsOf(
  pack: IndexedPackage,
  places: ReadonlyMap<string, Place>,
  compile: (source: string, variables: readonly RuleVariable[]) => CompiledRules,
): Place[][] {
  const { pieces, reported } = programOf(usablePieces(pack, 0), null);
  const compiled = compile(
    pieces.rules.map(({ text }) => text).join('\n'),
    definedVariables([], (each) => pieces.rules.some((piece) => identifierOf(piece) === each)),
  );
  const keys = new Map(pieces.rules.map((piece) => [identifierOf(piece), piece.name]));
  return samples.map((bytes) => {
    const hits = compiled.scan(bytes, {}).map(({ rule: identifier }) => keys.get(identifier) ?? '?');
    for (const key of hits) expect(reported).toContain(key);
    return sortedSet(
      hits.map((key) => {
        const { file = '?', line = 0 } = pack.usable.get(key) ?? {};
        return places.get(`${file} ${line}`) ?? '?';
      }),
    );
  });
}

/** By file and line. */
function placesIn(files: readonly (readonly Item[])[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const [file, items] of files.entries()) {
    let line = 1;
    for (const [place, one] of items.entries()) {
      places.set(`${pathOf(file)} ${line}`, `${pathOf(file)} ${place}`);
      line += ('include' in one ? '' : textOf(one, '')).split('\n').length;
    }
  }
  return places;
}

for (const { tags, cases } of longAfter(1, [40, 120]))
  test.each(cases)(
    'a package matches the same in one namespace of an engine as in its own namespaces, %i times',
    { tags, timeout: 300_000 },
    (numRuns) => {
      fc.assert(
        fc.property(generated, (files) => {
          const texts = Object.fromEntries(files.map((items, file) => [pathOf(file), packageText(items, file)]));
          const pack = gated(parsePackage(filesOf(texts)));
          const expected = trueHits(files);
          expect(hitsOf(pack, placesIn(files), compilePortable)).toEqual(expected);
          expect(
            hitsOf(pack, placesIn(files), (source, variables) => compileNative(loadNative(), source, variables)),
          ).toEqual(expected);
        }),
        { numRuns },
      );
    },
  );
