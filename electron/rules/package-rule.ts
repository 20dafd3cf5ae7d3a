import type { RuleReading } from './file-reading.ts';
import type { MetaEntry, ParsedRule, RulePrints } from './parsed-package.ts';

export interface RulePlace {
  number: number;
  file: string;
  /** Of all rules of the package, once it is read whole. */
  names: { has(name: string): boolean };
}

/** A rule in its package. What it says by itself belongs to its reading, which packages share. */
export class PackageRule implements ParsedRule {
  readonly number: number;
  readonly file: string;
  readonly name: string;
  readonly line: number;
  readonly endLine: number;
  readonly start: number;
  readonly end: number;
  readonly isGlobal: boolean;
  readonly isPrivate: boolean;
  readonly #reading: RuleReading;
  readonly #names: RulePlace['names'];
  #uses: readonly string[] | null = null;

  constructor(reading: RuleReading, { number, file, names }: RulePlace) {
    const { name, line, endLine, start, end, isGlobal, isPrivate } = reading.split;
    this.number = number;
    this.file = file;
    this.name = name;
    this.line = line;
    this.endLine = endLine;
    this.start = start;
    this.end = end;
    this.isGlobal = isGlobal;
    this.isPrivate = isPrivate;
    this.#reading = reading;
    this.#names = names;
  }

  get tags(): readonly string[] {
    return this.#reading.tags;
  }

  get meta(): readonly MetaEntry[] {
    return this.#reading.meta;
  }

  get prints(): RulePrints {
    return this.#reading.prints;
  }

  get uses(): readonly string[] {
    return (this.#uses ??= [...this.#reading.uses(this.#names)].filter((name) => name !== this.name));
  }
}
