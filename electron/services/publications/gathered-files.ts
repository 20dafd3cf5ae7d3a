import { randomUUID } from 'node:crypto';
import { fail } from '../../../shared/failure.ts';
import type { GivenFile } from './assembled-package.ts';

/** Lists of files that are handed over in several calls: one call takes a few thousand names. */
const listsAtMost = 8;
/** More than a package has: what is no file of rules is found out later. */
const filesAtMost = 40_000;

/**
 * Files of packages to come, as far as they were named. Held in memory: whoever named them hears when they are gone.
 */
export class GatheredFiles {
  readonly #lists = new Map<string, GivenFile[]>();

  /**
   * @returns the name of the list to go on with. @throws FailureError `staged-file-missing` for a list that is not
   * here, `draft-too-large`
   */
  add(list: string | null, files: readonly GivenFile[]): string {
    const id = list ?? this.#begin();
    const all = this.#lists.get(id) ?? fail({ kind: 'staged-file-missing', id });
    if (all.length + files.length > filesAtMost) fail({ kind: 'draft-too-large', limit: filesAtMost });
    all.push(...files);
    return id;
  }

  /** All of a list, which is gone then. */
  take(list: string): GivenFile[] {
    const all = this.#lists.get(list) ?? fail({ kind: 'staged-file-missing', id: list });
    this.#lists.delete(list);
    return all;
  }

  /** The list that nobody went on with for longest gives way. */
  #begin(): string {
    const [oldest] = this.#lists.keys();
    if (oldest !== undefined && this.#lists.size >= listsAtMost) this.#lists.delete(oldest);
    const id = randomUUID();
    this.#lists.set(id, []);
    return id;
  }
}
