import { createHash } from 'node:crypto';
import type { ParsedRule } from '../parsed-package.ts';
import type { IndexedPackage } from './indexed-package.ts';

/**
 * What a rule does: 32 hexadecimal digits over its modifiers, strings and condition, over what it uses and over the global rules that bind it.
 * Layout, comments, meta, tags and the rule's own name are left out. Rules with equal fingerprints hit the same files.
 */
export interface RuleFingerprint {
  rule: string;
  print: string;
}

/** `next`: where the next window begins; null: this is the last one. */
export interface FingerprintWindow {
  rules: RuleFingerprint[];
  next: number | null;
}

const rulesAWindow = 2000;
const digits = 32;
const known = new WeakMap<IndexedPackage, readonly RuleFingerprint[]>();

/** Of the rules that can hit: private ones count only in the fingerprints of those that use them. `from` counts rules. */
export function fingerprintWindow(pack: IndexedPackage, from: number): FingerprintWindow {
  const all = known.get(pack) ?? fingerprintsOf(pack);
  known.set(pack, all);
  const next = from + rulesAWindow;
  return { rules: all.slice(from, next), next: next < all.length ? next : null };
}

function fingerprintsOf(pack: IndexedPackage): RuleFingerprint[] {
  const rules = inOrder(pack);
  const alone = new Map<string, string>();
  for (const rule of rules) alone.set(rule.name, printWithUses(rule, alone));
  const globals = rules.filter(({ isGlobal }) => isGlobal).map(({ name }) => alone.get(name) ?? '').toSorted();
  const bound = globals.length === 0 ? '' : printOf(globals);
  return rules.filter(({ isPrivate }) => !isPrivate).map(({ name }) => ({ rule: name, print: printOf([alone.get(name) ?? '', bound]) }));
}

/** In the order to compile in: what a rule uses comes before it. */
const inOrder = ({ parsed: { files }, usable }: IndexedPackage): ParsedRule[] => files.flatMap(({ rules }) => rules.filter((rule) => usable.get(rule.name) === rule));

/** A name that has no print yet is no rule that this one could use. */
function printWithUses({ name, isGlobal, prints, uses }: ParsedRule, alone: ReadonlyMap<string, string>): string {
  const used = uses.toSorted().flatMap((each) => (each !== name && alone.has(each) ? [each, alone.get(each) ?? ''] : []));
  return printOf([isGlobal ? 'global' : '', prints.strings ?? '', prints.condition ?? '', ...used]);
}

const printOf = (parts: readonly string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, digits);
