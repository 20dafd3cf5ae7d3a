import { fail } from '../../shared/failure.ts';

/**
 * A file of rules inside a package. `path` has `/` between its parts; it names the file and is never a path on a disk.
 */
export interface RuleFile {
  path: string;
  bytes: Uint8Array;
}

export interface PackageLimits {
  readonly bytes: number;
  readonly files: number;
  readonly rules: number;
  /** Rules, statements, tags and entries of meta: each takes memory beside its text. */
  readonly particulars: number;
}

/** What is read of one package. */
export const packageLimits: PackageLimits = {
  bytes: 256 * 1024 * 1024,
  files: 20_000,
  rules: 100_000,
  particulars: 3_000_000,
};

/**
 * Of the broken rules in a package, the first are named to the caller; more would block the thread that receives them.
 */
export const brokenNamedAtMost = 10_000;
export const warningsNamedAtMost = 20_000;

export type Counted = Readonly<Pick<PackageLimits, 'rules' | 'particulars'>>;

/** Counts while a package is read. Each throws a FailureError where there is too much. */
export class PackageBudget {
  readonly #limits: PackageLimits;
  #rules = 0;
  #particulars = 0;

  constructor(limits: PackageLimits) {
    this.#limits = limits;
  }

  checkFiles(files: readonly RuleFile[]): void {
    if (files.length > this.#limits.files) tooMany('files', this.#limits.files);
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    if (bytes > this.#limits.bytes) fail({ kind: 'package-too-large', limitBytes: this.#limits.bytes });
  }

  get counted(): Counted {
    return { rules: this.#rules, particulars: this.#particulars };
  }

  countRule(): void {
    this.add({ rules: 1, particulars: 1 });
  }

  countParticular(): void {
    this.add({ rules: 0, particulars: 1 });
  }

  add({ rules, particulars }: Counted): void {
    this.#rules += rules;
    if (this.#rules > this.#limits.rules) tooMany('rules', this.#limits.rules);
    this.#particulars += particulars;
    if (this.#particulars > this.#limits.particulars) tooMany('particulars', this.#limits.particulars);
  }
}

function tooMany(what: 'files' | 'rules' | 'particulars', value: number): never {
  const names = {
    files: 'files of the package',
    rules: 'rules of the package',
    particulars: 'meta, tags and includes of the package',
  };
  fail({ kind: 'archive-limit', name: names[what], limit: 'members', value });
}
