import { fail } from '../../shared/failure.ts';
import type { RuleFile } from './rule-file.ts';

/** What is read of one package. `particulars`: rules, statements, tags and entries of meta, each of which takes memory beside its text. */
export const packageLimits = { bytes: 64 * 1024 * 1024, files: 10_000, rules: 100_000, particulars: 3_000_000 } as const;

/** Counts while a package is read. Each throws a FailureError where there is too much. */
export class PackageBudget {
  #rules = 0;
  #particulars = 0;

  checkFiles(files: readonly RuleFile[]): void {
    if (files.length > packageLimits.files) tooMany('files', packageLimits.files);
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    if (bytes > packageLimits.bytes) fail({ kind: 'package-too-large', limitBytes: packageLimits.bytes });
  }

  countRule(): void {
    this.#rules += 1;
    if (this.#rules > packageLimits.rules) tooMany('rules', packageLimits.rules);
    this.countParticular();
  }

  countParticular(): void {
    this.#particulars += 1;
    if (this.#particulars > packageLimits.particulars) tooMany('particulars', packageLimits.particulars);
  }
}

function tooMany(what: 'files' | 'rules' | 'particulars', value: number): never {
  const names = { files: 'files of the package', rules: 'rules of the package', particulars: 'meta, tags and includes of the package' };
  fail({ kind: 'archive-limit', name: names[what], limit: 'members', value });
}
