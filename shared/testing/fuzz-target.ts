import fc from 'fast-check';
import type { Json } from '../domain/sample.ts';

/** How inputs of one form are kept in a corpus, and how new ones are made of those that are there. */
export interface InputForm<Input> {
  /** As JSON that holds no byte of a file as it is. */
  keep(input: Input): Json;
  /** Throws for what `keep` never gives. */
  revive(kept: Json): Input;
  /** Some of them, changed in a few places. */
  changed(from: readonly Input[]): fc.Arbitrary<Input>;
}

/** One reader, what it is attacked with, and what must hold whatever it is given. */
export interface FuzzPlan<Input> {
  /** kebab-case; its corpus has the same name. */
  name: string;
  /** What it reads, in words of the table. */
  reads: string;
  /** What must hold besides: it ends in time, in little memory, and throws nothing but failures. */
  holds: string;
  form: InputForm<Input>;
  /** Sound inputs, which are changed as the corpus is. */
  seeds: readonly Input[];
  /** Inputs made by the structure that the reader looks for. */
  made: fc.Arbitrary<Input>;
  /** Throws when something does not hold. */
  attack(input: Input): void | Promise<void>;
}

/** One input that can be tried. */
export interface FuzzCase {
  kept(): Json;
  attack(): void | Promise<void>;
}

export interface FuzzTarget {
  readonly name: string;
  readonly reads: string;
  readonly holds: string;
  readonly seeds: readonly FuzzCase[];
  revive(kept: Json): FuzzCase;
  /** Inputs by structure and changed ones; `corpus` is what was kept. */
  cases(corpus: readonly Json[]): fc.Arbitrary<FuzzCase>;
}

export function fuzzTarget<Input>(plan: FuzzPlan<Input>): FuzzTarget {
  const { name, reads, holds, form } = plan;
  const caseOf = (input: Input): FuzzCase => ({ kept: () => form.keep(input), attack: () => plan.attack(input) });
  return {
    name,
    reads,
    holds,
    seeds: plan.seeds.map(caseOf),
    revive: (kept) => caseOf(form.revive(kept)),
    cases: (corpus) =>
      fc.oneof(plan.made, form.changed([...plan.seeds, ...corpus.map((kept) => form.revive(kept))])).map(caseOf),
  };
}

/** Something that a reader promises did not hold. */
export class NotHeld extends Error {
  override name = 'NotHeld';
}

export function mustHold(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new NotHeld(otherwise);
}
