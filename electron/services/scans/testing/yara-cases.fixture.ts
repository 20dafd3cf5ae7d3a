import { extname, posix } from 'node:path';
import fc from 'fast-check';
import { type Condition, conditionOfBytes, conditionOfNames, type Scope } from './yara-conditions.fixture.ts';
import { placeholder, type VariableName } from './yara-expressions.fixture.ts';
import { type Pattern, pattern } from './yara-patterns.fixture.ts';

/** Files of rules, and files to scan with them. */
export interface RuleCase {
  /** By path, with the variables as names; of a scan of one file, with their values in place of the names. */
  texts(values: Readonly<Record<VariableName, string>> | null): Readonly<Record<string, string>>;
  /** The files that no other one includes. */
  roots: readonly string[];
  /** Files of rules by the names that rules have in the namespace of a root. */
  definedIn: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Whether rules ask for variables. */
  asks: boolean;
  scanned: readonly { name: string; bytes: Uint8Array }[];
}

export interface CaseOptions {
  /** Several files, and wildcards of rules. */
  namespaces: boolean;
  /** Names of files that may be taken for numbers. */
  variables: boolean;
  asks: boolean;
}

interface DrawnRule {
  name: number;
  head: string;
  patterns: readonly Pattern[];
  /** Whether the condition by itself decides. */
  isAlone: boolean;
  condition: Condition;
}
interface DrawnFile {
  rules: readonly DrawnRule[];
  /** Files before it that include it, where that is possible; and at which place. */
  includers: readonly { file: number; at: number }[];
}
interface DrawnScanned {
  name: string;
  front: 'plain' | 'pe' | 'elf';
  parts: readonly (string | { pattern: number; plant: number })[];
}

const paths = ['main.yar', 'second.yara', 'parts/one.yar', 'parts/two.yar', 'other/third.yar'];
const ruleNames = ['same', 'a1', 'a2', 'helper', 'helper_2', 'b', 'Same', 'c_long_name'];

const head = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: fc.constant('private ') },
  fc.constantFrom('global ', 'global private ', 'private global '),
);
const drawnRule = (asks: boolean): fc.Arbitrary<DrawnRule> =>
  fc.record({
    name: fc.nat({ max: ruleNames.length - 1 }),
    head,
    patterns: fc.array(pattern, { maxLength: 4 }),
    isAlone: fc.boolean(),
    condition: asks ? fc.oneof(conditionOfBytes, conditionOfNames) : conditionOfBytes,
  });
const includer = fc.record({ file: fc.nat({ max: 4 }), at: fc.nat({ max: 9 }) });
const drawnFile = (asks: boolean): fc.Arbitrary<DrawnFile> =>
  fc.record({
    rules: fc.array(drawnRule(asks), { minLength: 1, maxLength: 12 }),
    includers: fc.array(includer, { maxLength: 2 }),
  });

/** The first are those that a host may take for a number or a truth value. */
const numericNames = ['1234', 'true', 'False', '1.5', '-7', '0x10', '1e5', '00', 'NaN', '9223372036854775808'];
const oddNames = [
  'a.exe',
  'A.EXE',
  'dump.001',
  'lib.so.6',
  'python3.11',
  'driver.386',
  '.hidden',
  '.hidden.exe',
  'no_ending',
  'a.b.c',
  'ends with dot.',
  'two  blanks.txt',
  "quote's.txt",
  'double"quote',
  'back\\slash',
  'umläut.ünd',
  '漢字.文',
  'emoji😀.😀',
  '-dash',
  '#',
  'a:b',
  '%s',
  '$a',
  'n.true',
  'x.1',
  'tab\there',
];
const plainName = fc.stringMatching(/^[a-z0-9 ._-]{1,12}$/).filter((name) => !/^\.{1,2}$/.test(name));
const scannedName = (anyName: boolean): fc.Arbitrary<string> =>
  fc
    .oneof(fc.constantFrom(...(anyName ? numericNames : []), ...oddNames), plainName)
    .filter((name) => anyName || ![name, extname(name).slice(1)].some(mayBeValue));

/** What `yara -d` takes for something else than text; on the safe side. */
export const mayBeValue = (text: string): boolean =>
  /^(?:[-+.]*\d[\d.a-z+-]*|true|false|nan|[+-]?inf(?:inity)?)$/i.test(text);

const glue = fc.constantFrom('', ' ', 'a', 'b', '\n', '\0', 'x', '_', 'ab'.repeat(9), '\xff\xfe');
const scannedPart = fc.oneof(
  { weight: 3, arbitrary: fc.record({ pattern: fc.nat({ max: 60 }), plant: fc.nat({ max: 12 }) }) },
  glue,
);
const drawnScanned = (anyName: boolean): fc.Arbitrary<DrawnScanned> =>
  fc.record({
    name: scannedName(anyName),
    front: fc.constantFrom('plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'pe', 'elf'),
    parts: fc.array(scannedPart, { maxLength: 12 }),
  });

/** A case that both `yara` and we take. */
export const ruleCase = ({ namespaces, variables, asks }: CaseOptions): fc.Arbitrary<RuleCase> =>
  fc
    .record({
      files: fc.array(drawnFile(asks), { minLength: 1, maxLength: namespaces ? paths.length : 1 }),
      scanned: fc.uniqueArray(drawnScanned(variables), {
        selector: ({ name }) => name,
        minLength: 1,
        maxLength: asks ? 10 : 40,
      }),
    })
    .map(({ files, scanned }) => ({
      ...new CaseBuilder(files, namespaces).build(),
      asks,
      scanned: scanned.map((drawn) => ({
        name: drawn.name,
        bytes: bytesOf(
          drawn,
          files.flatMap(({ rules }) => rules.flatMap(({ patterns }) => patterns)),
        ),
      })),
    }));

interface PlacedRule {
  drawn: DrawnRule;
  path: string;
  name: string;
}
type Item = PlacedRule | { include: string };

/** Gives rules names that are free in each of their namespaces, and conditions that name only what precedes them. */
class CaseBuilder {
  readonly #items = new Map<string, Item[]>();
  /** Of each file: the roots whose namespaces it is in. */
  readonly #roots = new Map<string, Set<string>>();
  readonly #hasWildcards: boolean;

  constructor(files: readonly DrawnFile[], hasWildcards: boolean) {
    this.#hasWildcards = hasWildcards;
    for (const [index, file] of files.entries()) this.#place(paths[index] ?? `${index}.yar`, file);
    const taken = new Map<string, Set<string>>();
    for (const root of this.#rootPaths()) taken.set(root, new Set());
    for (const [path, items] of this.#items) {
      const names = [...(this.#roots.get(path) ?? [])].flatMap((root) => taken.get(root) ?? []);
      for (const item of items) if ('drawn' in item) item.name = freeName(item.drawn.name, names);
    }
  }

  build(): Pick<RuleCase, 'texts' | 'roots' | 'definedIn'> {
    const roots = this.#rootPaths();
    const namespaces = new Map(roots.map((root) => [root, this.#expand(root)]));
    const definedIn = new Map(
      [...namespaces].map(([root, rules]) => [root, new Map(rules.map(({ name, path }) => [name, path]))]),
    );
    const texts = [...this.#items].map(([path, items]): [string, string] => [
      path,
      this.#write(path, items, namespaces),
    ]);
    return {
      roots,
      definedIn,
      texts: (values) => Object.fromEntries(texts.map(([path, text]) => [path, withVariables(text, values)])),
    };
  }

  #place(path: string, { rules, includers }: DrawnFile): void {
    const own = new Set<string>();
    const earlier = [...this.#items.keys()];
    for (const { file, at } of includers) {
      const parent = earlier[file % Math.max(earlier.length, 1)];
      if (parent === undefined) continue;
      const roots = this.#roots.get(parent) ?? new Set();
      // YARA refuses a file that comes twice in one namespace.
      if ([...roots].some((root) => own.has(root))) continue;
      for (const root of roots) own.add(root);
      const items = this.#items.get(parent) ?? [];
      const way = posix.relative(posix.dirname(parent), path);
      items.splice(at % (items.length + 1), 0, { include: at % 2 === 0 ? way : `./${way}` });
    }
    this.#roots.set(path, own.size === 0 ? new Set([path]) : own);
    this.#items.set(
      path,
      rules.map((drawn) => ({ drawn, path, name: '' })),
    );
  }

  #rootPaths(): string[] {
    return [...this.#roots].flatMap(([path, roots]) => (roots.has(path) ? path : []));
  }

  #expand(path: string): PlacedRule[] {
    return (this.#items.get(path) ?? []).flatMap((item) =>
      'drawn' in item ? item : this.#expand(posix.join(posix.dirname(path), item.include)),
    );
  }

  #write(path: string, items: readonly Item[], namespaces: ReadonlyMap<string, readonly PlacedRule[]>): string {
    const rules = [...this.#items.values()].flat().flatMap((item) => ('drawn' in item ? item : []));
    const surroundings: Surroundings = {
      namespaces: [...(this.#roots.get(path) ?? [])].map((root) => namespaces.get(root) ?? []),
      allNames: this.#hasWildcards ? rules.map(({ name }) => name) : null,
    };
    const written = items.map((item) => ('drawn' in item ? ruleText(item, surroundings) : `include "${item.include}"`));
    return [...['pe', 'elf', 'math', 'hash', 'time'].map((module) => `import "${module}"`), ...written, ''].join('\n');
  }
}

function freeName(drawn: number, namespaces: readonly Set<string>[]): string {
  const candidates = [...ruleNames.slice(drawn), ...ruleNames].values();
  for (let count = 0; ; count += 1) {
    const name = candidates.next().value ?? `${ruleNames[drawn] ?? 'r'}${count}`;
    if (namespaces.some((names) => names.has(name))) continue;
    for (const names of namespaces) names.add(name);
    return name;
  }
}

interface Surroundings {
  /** Those that the rule is in. */
  namespaces: readonly (readonly PlacedRule[])[];
  /** Of the whole package; null: no condition has a wildcard of rules. */
  allNames: readonly string[] | null;
}

/** YARA counts names of other namespaces, too, for a wildcard: only one that makes no difference is taken. */
function scopeOf(own: PlacedRule, { namespaces, allNames }: Surroundings, patterns: readonly string[]): Scope {
  const places = namespaces.map((rules) => {
    const names = rules.map(({ name }) => name);
    const at = rules.indexOf(own);
    return { before: names.slice(0, at), from: names.slice(at) };
  });
  const isWhole = (beginning: string): boolean =>
    allNames?.every((name) => !name.startsWith(beginning) || places.every(({ before }) => before.includes(name))) ??
    false;
  const rules = (places[0]?.before ?? []).filter((name) => places.every(({ before }) => before.includes(name)));
  const beginnings = [...new Set(rules.flatMap((name) => [name.slice(0, 1), name.slice(0, -1), name]))].filter(
    (beginning) =>
      beginning !== '' &&
      isWhole(beginning) &&
      places.every(({ from }) => !from.some((name) => name.startsWith(beginning))),
  );
  return { patterns, rules, beginnings };
}

function ruleText(rule: PlacedRule, surroundings: Surroundings): string {
  const {
    drawn: { head: marks, patterns, isAlone, condition },
    name,
  } = rule;
  const ids = patterns.map((_, index) => `${index < 2 ? 's' : 't'}${index}`);
  const written = condition(scopeOf(rule, surroundings, ids)) ?? 'filesize > 20';
  // YARA refuses patterns that the condition does not ask for.
  const end = isAlone ? 'or (all of them and filesize > 10MB)' : 'and (any of them or filesize < 50)';
  const used = ids.length === 0 ? `(${written})` : `(${written}) ${end}`;
  const whole = marks.includes('global') ? `filesize > 25 or ${used}` : used;
  const strings =
    ids.length === 0
      ? ''
      : `  strings:\n${ids.map((id, index) => `    $${id} = ${patterns[index]?.text ?? ''}`).join('\n')}\n`;
  return `${marks}rule ${name} {\n${strings}  condition:\n    ${whole}\n}`;
}

const withVariables = (text: string, values: Readonly<Record<string, string>> | null): string =>
  text.replaceAll(placeholder, (_, name: string) => (values === null ? name : textOf(values[name] ?? '')));

const textOf = (value: string): string =>
  `"${Array.from(Buffer.from(value), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;

function bytesOf({ front, parts }: DrawnScanned, patterns: readonly Pattern[]): Uint8Array {
  const bytes = parts.map((part) => {
    if (typeof part === 'string') return Buffer.from(part, 'latin1');
    const plants = patterns[part.pattern % Math.max(patterns.length, 1)]?.plants ?? [];
    return plants[part.plant % Math.max(plants.length, 1)] ?? Buffer.alloc(0);
  });
  return Buffer.concat([front === 'plain' ? Buffer.alloc(0) : front === 'pe' ? smallPe() : smallElf(), ...bytes]);
}

/** Headers of a program for x86-64 with one section, which cannot run. */
function smallPe(): Buffer {
  const bytes = Buffer.alloc(0x40 + 24 + 240 + 40);
  bytes.write('MZ', 0);
  bytes.writeUInt32LE(0x40, 0x3c);
  bytes.write('PE\0\0', 0x40);
  for (const [at, value] of [
    [0x44, 0x8664],
    [0x46, 1],
    [0x54, 240],
    [0x56, 0x22],
    [0x58, 0x20b],
    [0x5a, 14],
    [0x9c, 3],
  ] as const)
    bytes.writeUInt16LE(value, at);
  for (const [at, value] of [
    [0x48, 0x61626364],
    [0x78, 0x1000],
    [0x7c, 0x200],
    [0x90, 0x2000],
    [0x94, 0x200],
    [0xc4, 16],
  ] as const)
    bytes.writeUInt32LE(value, at);
  bytes.write('.text', 0x40 + 24 + 240);
  bytes.writeUInt32LE(16, 0x40 + 24 + 240 + 16);
  return bytes;
}

function smallElf(): Buffer {
  // YARA does not read one that ends with its header.
  const bytes = Buffer.alloc(80);
  bytes.write('\x7fELF\x02\x01\x01', 'latin1');
  for (const [at, value] of [
    [16, 2],
    [18, 62],
    [20, 1],
    [52, 64],
    [54, 56],
    [58, 64],
  ] as const)
    bytes.writeUInt16LE(value, at);
  return bytes;
}
