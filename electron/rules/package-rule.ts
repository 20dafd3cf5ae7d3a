import type { ConditionNames } from './condition-names.ts';
import type { RuleReading } from './file-reading.ts';
import type { MetaEntry, ParsedRule, RulePrints } from './parsed-package.ts';
import type { Span } from './split-file.ts';

export interface RulePlace {
  number: number;
  file: string;
}

/** A rule in its package. Its own content belongs to its reading, which packages share. */
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

  constructor(reading: RuleReading, { number, file }: RulePlace) {
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

  get condition(): Span | null {
    return this.#reading.split.condition;
  }

  get names(): ConditionNames {
    return this.#reading.names;
  }
}
