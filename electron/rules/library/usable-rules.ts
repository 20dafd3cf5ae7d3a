import { createHash } from 'node:crypto';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { withRelaxedRegexes, withShortMeta } from '../engine/rule-rewrites.ts';
import { type RuleInstance, textForEngine, usedBy } from '../rule-binding.ts';
import type { RulePiece } from '../scanning/rule-program.ts';
import { type IndexedPackage, keyIn } from './indexed-package.ts';
import { asksOf, textOf } from './rule-views.ts';

/** Some of the pieces of a package. */
export interface PieceWindow {
  /** All of the package's. */
  imports: string[];
  rules: RulePiece[];
  /** Where the next window begins; null: this is the last one. */
  next: number | null;
}

const mostRules = 2000;
const mostCharacters = 1024 * 1024;

/** `from` is a place among all rules in the order to compile in. */
export function usablePieces(pack: IndexedPackage, from: number): PieceWindow {
  const rules: RulePiece[] = [];
  let characters = 0;
  for (const [place, instance] of pack.instances.entries()) {
    if (place < from) continue;
    const piece = pieceOf(instance, pack);
    rules.push(piece);
    characters += piece.text.length;
    if (rules.length === mostRules || characters >= mostCharacters)
      return { imports: importsOf(pack), rules, next: place + 1 };
  }
  return { imports: importsOf(pack), rules, next: null };
}

/**
 * What an engine takes by itself is not changed by relaxing it; where a gate was strict, what needs it is broken and
 * not among these.
 */
function pieceOf(instance: RuleInstance, pack: IndexedPackage): RulePiece {
  const { rule, identifier, guards, isGlobal, isPrivate } = instance;
  const name = keyIn(pack, rule);
  const namesOf = (used: Iterable<RuleInstance>): string[] => [
    ...new Set(Array.from(used, (one) => keyIn(pack, one.rule))),
  ];
  const text = withShortMeta(withRelaxedRegexes(textForEngine(instance, textOf(pack, rule), { isGuarded: true })));
  return {
    name,
    text,
    uses: namesOf(usedBy(instance)),
    asks: asksOf(pack, rule).asks ?? [],
    isGlobal,
    isPrivate,
    ...(identifier === name ? {} : { identifier }),
    ...(guards.length === 0 ? {} : { guards: namesOf(guards) }),
  };
}

/** Without those that an engine has no module for. */
function importsOf({ parsed, broken }: IndexedPackage): string[] {
  const refused = new Set(
    broken
      .filter(({ broken: { rule, kind } }) => rule === null && kind === 'engine')
      .map(({ broken: { file, line } }) => placeOf(file, line)),
  );
  const imports = parsed.files.flatMap(({ path, imports: all }) =>
    all.filter(({ line }) => !refused.has(placeOf(path, line))),
  );
  return [...new Set(imports.map(({ value }) => value))];
}

const placeOf = (file: string, line: number): string => `${line} ${file}`;

/**
 * What a rule does: 32 hexadecimal digits over its modifiers, strings and condition, over what it uses, over the global
 * rules that bind it and over the values of the workspace's variables that it asks for. Layout, comments, meta, tags
 * and the rule's own name are left out. Rules with equal fingerprints hit the same files.
 */
export interface RuleFingerprint {
  rule: string;
  print: string;
  /** Whether its hits depend on what a file is called. */
  asksName?: true;
}

/** `next`: where the next window begins; null: this is the last one. */
export interface FingerprintWindow {
  rules: RuleFingerprint[];
  next: number | null;
}

const rulesAWindow = 2000;
const digits = 32;
/** With the variables that they were made with. */
const known = new WeakMap<IndexedPackage, { of: string; all: readonly RuleFingerprint[] }>();

/**
 * Of the rules that can hit: private ones count only in the fingerprints of those that use them. `from` counts rules.
 * `own`: variables of the workspace.
 */
export function fingerprintWindow(pack: IndexedPackage, from: number, own: readonly RuleVariable[]): FingerprintWindow {
  const of = JSON.stringify(own);
  const before = known.get(pack);
  const all = before?.of === of ? before.all : fingerprintsOf(pack, own);
  known.set(pack, { of, all });
  const next = from + rulesAWindow;
  return { rules: all.slice(from, next), next: next < all.length ? next : null };
}

function fingerprintsOf(pack: IndexedPackage, variables: readonly RuleVariable[]): RuleFingerprint[] {
  const { instances } = pack;
  const values = new Map(variables.map(({ name, type, value }) => [name, `${name} ${type} ${JSON.stringify(value)}`]));
  const alone = new Map<RuleInstance, string>();
  for (const instance of instances) alone.set(instance, printWithUses(instance, alone, values));
  // In a package of one namespace these bind all; otherwise each rule has its guards.
  const globals = instances
    .filter(({ isGlobal }) => isGlobal)
    .map((instance) => alone.get(instance) ?? '')
    .toSorted();
  const bound = globals.length === 0 ? '' : printOf(globals);
  const asking = askingInstances(instances);
  const meanings = Map.groupBy(
    instances.filter(({ isPrivate }) => !isPrivate),
    ({ rule }) => rule,
  );
  return [...meanings].map(([rule, own]) => {
    const [first = '', ...others] = own.map((instance) => printOf([alone.get(instance) ?? '', bound])).toSorted();
    return {
      rule: keyIn(pack, rule),
      print: others.length === 0 ? first : printOf([first, ...others]),
      ...(own.some((instance) => asking.has(instance)) && { asksName: true }),
    };
  });
}

/**
 * Those that mention a variable made of a file's name, and those that depend on such a rule. What an instance uses
 * comes before it.
 */
function askingInstances(instances: readonly RuleInstance[]): ReadonlySet<RuleInstance> {
  const asking = new Set<RuleInstance>();
  for (const instance of instances) {
    const {
      rule: { names },
      targets,
      guards,
    } = instance;
    const asks = names.mentions.some(
      ({ name }, index) =>
        targets[index]?.some((one) => asking.has(one)) ?? (name === 'filename' || name === 'extension'),
    );
    if (asks || guards.some((guard) => asking.has(guard))) asking.add(instance);
  }
  return instances.some((instance) => instance.isGlobal && asking.has(instance)) ? new Set(instances) : asking;
}

/** What an instance uses comes before it. */
function printWithUses(
  { rule, targets, guards, isGlobal }: RuleInstance,
  alone: ReadonlyMap<RuleInstance, string>,
  values: ReadonlyMap<string, string>,
): string {
  const { prints, names } = rule;
  const used = targets.flatMap((target, index) =>
    target === null ? [] : [names.mentions[index]?.name ?? '', ...target.map((one) => alone.get(one) ?? '')],
  );
  const variables = names.mentions.flatMap(({ name }, index) =>
    (targets[index] ?? null) === null ? (values.get(name) ?? []) : [],
  );
  const asked = guards.map((guard) => alone.get(guard) ?? '').toSorted();
  return printOf([
    isGlobal ? 'global' : '',
    prints.strings ?? '',
    prints.condition ?? '',
    ...used,
    'guards',
    ...asked,
    ...(variables.length === 0 ? [] : ['variables', ...variables]),
  ]);
}

const printOf = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, digits);
