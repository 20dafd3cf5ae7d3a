import { Buffer } from 'node:buffer';
import { readConditionNames } from './condition-names.ts';
import { PackageBudget, packageLimits } from './package-files.ts';
import { type SplitRule, splitRules } from './split-rules.ts';

export interface ArrangedRules {
  bytes: Uint8Array;
  /** Rules of the file, also those that are not whole. */
  rules: number;
}

/**
 * The text of a file of rules with its rules in an order that depends on nothing but themselves: by name, what a rule
 * uses before it. Whatever order a file comes in, its rules give the same bytes, and each can be compiled, as YARA
 * resolves a name to a rule above. The text of each rule stays as it is, with the comments above it; only space between
 * rules is changed. A file where that could change what a rule means is left as it is.
 *
 * @throws FailureError `archive-limit` for more rules than a package may have
 */
export function arrangedRules(bytes: Uint8Array): ArrangedRules {
  // YARA's own signs are ASCII: each byte is a character here, and none of them is changed.
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const { rules, imports, includes, strays } = splitRules(source, new PackageBudget(packageLimits));
  const headEnd = imports.at(-1)?.end ?? 0;
  const isMovable =
    includes.length === 0 &&
    headEnd <= (rules[0]?.start ?? Infinity) &&
    rules.every(({ damage }) => damage === null) &&
    strays.every(({ cause }) => cause !== 'open-comment');
  const order = isMovable ? dependentOrder(source, partsOf(source, rules, headEnd)) : null;
  if (order === null) return { bytes, rules: rules.length };
  const head = source.slice(0, headEnd);
  const tail = source.slice(rules.at(-1)?.end ?? headEnd);
  const texts = [head, ...order.map(({ text }) => text), tail].map((text) => text.trim()).filter((text) => text !== '');
  return { bytes: Buffer.from(`${texts.join('\n\n')}\n`, 'latin1'), rules: rules.length };
}

/** A rule with all that is between it and the rule above. */
interface RulePart {
  rule: SplitRule;
  text: string;
}

const partsOf = (source: string, rules: readonly SplitRule[], headEnd: number): RulePart[] =>
  rules.map((rule, index) => ({ rule, text: source.slice(rules[index - 1]?.end ?? headEnd, rule.end).trim() }));

/** More than rules that people write have: of a name with a star, each rule that it may mean counts. */
const mostUses = 1_000_000;

/** null: they use each other too much to be ordered. */
function dependentOrder(source: string, parts: readonly RulePart[]): readonly RulePart[] | null {
  const sorted = parts.toSorted(
    (one, other) => compared(one.rule.name, other.rule.name) || compared(one.text, other.text),
  );
  const used = usesOf(source, sorted);
  if (used === null) return null;
  const order: RulePart[] = [];
  const isSeen = new Set<number>();
  for (const first of sorted.keys()) {
    // Each with the place of the use that is looked at next. A rule that is open already uses itself by others.
    const open = isSeen.has(first) ? [] : [{ at: first, next: 0 }];
    isSeen.add(first);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const use = used[top.at]?.[top.next];
      top.next += 1;
      if (use === undefined) {
        const part = sorted[top.at];
        if (part !== undefined) order.push(part);
        open.pop();
      } else if (!isSeen.has(use)) {
        isSeen.add(use);
        open.push({ at: use, next: 0 });
      }
    }
  }
  return order;
}

/** Of each rule, the places of those that its condition names. Of one name the first rule counts. */
function usesOf(source: string, sorted: readonly RulePart[]): number[][] | null {
  const places = new Map<string, number>();
  for (const [place, { rule }] of sorted.entries()) if (!places.has(rule.name)) places.set(rule.name, place);
  let left = mostUses;
  const used: number[][] = [];
  for (const { rule } of sorted) {
    const own: number[] = [];
    for (const { name, isWildcard } of readConditionNames(source, rule.condition).mentions) {
      const found = isWildcard ? beginningWith(sorted, name) : [places.get(name) ?? []].flat();
      left -= found.length + 1;
      if (left < 0) return null;
      own.push(...found);
    }
    used.push(own);
  }
  return used;
}

/** They are beside each other, as they are sorted by name. */
function beginningWith(sorted: readonly RulePart[], prefix: string): number[] {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.rule.name ?? '') < prefix) low = middle + 1;
    else high = middle;
  }
  const found: number[] = [];
  for (let at = low; sorted[at]?.rule.name.startsWith(prefix) === true && found.length <= mostUses; at += 1)
    found.push(at);
  return found;
}

/** By code units, the same on every computer. */
const compared = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
