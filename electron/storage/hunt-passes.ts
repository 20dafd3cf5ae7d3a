/** A set of the rules of a package, by their places in it: a bit each. */
export type RuleBits = Uint32Array;

export const bitsFor = (rules: number): RuleBits => new Uint32Array(Math.ceil(rules / 32));

export function setBit(bits: RuleBits, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
}

export function clearBit(bits: RuleBits, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) & ~(1 << (place & 31));
}

export function countBits(bits: RuleBits): number {
  let count = 0;
  for (const word of bits) if (word !== 0) count += bitsOfWord(word);
  return count;
}

/** Bits of pairs, of fours and of bytes, added up beside each other. */
function bitsOfWord(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function placesIn(bits: RuleBits): number[] {
  const places: number[] = [];
  for (const [index, word] of bits.entries())
    for (let bit = 0; bit < 32; bit += 1) if ((word & (1 << bit)) !== 0) places.push(32 * index + bit);
  return places;
}

/** Samples that a hunt looks at with the same rules. `states`: of the coverage. */
export interface HuntGroup {
  rules: RuleBits;
  samples: number;
  bytes: number;
  states: number[];
}

const mostPasses = 8;

/**
 * In units of what one rule takes of one small file: reading and scanning a file at all is as much as 500 rules, a rule
 * is compiled in the time of 1,500 files, and a pass takes a moment to begin.
 */
const costOf = (rules: number, samples: number): number => samples * (rules + 500) + 1500 * rules + 1_000_000;

/**
 * Few passes in which every group is looked at with all of its rules. Two groups share a pass, with the rules of both,
 * only where that takes no longer than a pass for each: five new rules for a whole vault and all rules for three new
 * samples stay apart.
 */
export function huntPasses(groups: readonly HuntGroup[]): HuntGroup[] {
  const passes: HuntGroup[] = [];
  const costs = new Map(groups.map((group) => [group, costOfGroup(group)]));
  for (const group of groups.toSorted((a, b) => (costs.get(b) ?? 0) - (costs.get(a) ?? 0))) {
    const best = cheapest(passes, group);
    if (best === null || (best.increase > costOfGroup(group) && passes.length < mostPasses))
      passes.push({ ...group, states: [...group.states] });
    else passes[best.index] = joined(passes[best.index] ?? group, group);
  }
  return passes;
}

const costOfGroup = ({ rules, samples }: HuntGroup): number => costOf(countBits(rules), samples);

function cheapest(passes: readonly HuntGroup[], group: HuntGroup): { index: number; increase: number } | null {
  let best: { index: number; increase: number } | null = null;
  for (const [index, pass] of passes.entries()) {
    const increase =
      costOf(countBits(pass.rules.map((word, at) => word | (group.rules[at] ?? 0))), pass.samples + group.samples) -
      costOfGroup(pass);
    if (best === null || increase < best.increase) best = { index, increase };
  }
  return best;
}

function joined(pass: HuntGroup, group: HuntGroup): HuntGroup {
  return {
    rules: pass.rules.map((word, at) => word | (group.rules[at] ?? 0)),
    samples: pass.samples + group.samples,
    bytes: pass.bytes + group.bytes,
    states: [...pass.states, ...group.states],
  };
}
