import type { ArchiveLimits } from '../../shared/domain/opened-archive.ts';
import { fail, type Failure, type FailureOf } from '../../shared/failure.ts';

/** What one archive has used of its limits. Each method throws FailureError `archive-limit` when one is reached. */
export class ArchiveBudget {
  readonly #archiveName: string;
  readonly #limits: ArchiveLimits;
  #members = 0;
  #outputBytes = 0;
  #met: Failure | null = null;

  constructor(archiveName: string, limits: ArchiveLimits) {
    this.#archiveName = archiveName;
    this.#limits = limits;
  }

  get members(): number {
    return this.#members;
  }

  countMember(): void {
    this.#members += 1;
    if (this.#members > this.#limits.members) this.#stop('members', this.#limits.members);
  }

  /** A member is about to come out: would it go over? `inputBytes` is how far into the archive its end lies. */
  foresee(memberBytes: number, inputBytes: number): void {
    this.#check(this.#outputBytes + memberBytes, memberBytes, inputBytes);
  }

  /**
   * So many bytes came out. `memberBytes` is all of that member until now, `inputBytes` what the archive gave for all.
   */
  spend(bytes: number, memberBytes: number, inputBytes: number): void {
    this.#outputBytes += bytes;
    this.#check(this.#outputBytes, memberBytes, inputBytes);
  }

  /** A limit once reached stays reached, even if caught. */
  requireUnmet(): void {
    if (this.#met !== null) fail(this.#met);
  }

  #check(outputBytes: number, memberBytes: number, inputBytes: number): void {
    const { memberBytes: member, totalBytes, expansion, expansionFreeBytes } = this.#limits;
    if (memberBytes > member) this.#stop('member-size', member);
    if (Math.max(outputBytes, inputBytes) > totalBytes) this.#stop('total-size', totalBytes);
    if (outputBytes > expansionFreeBytes && outputBytes > expansion * inputBytes) this.#stop('expansion', expansion);
  }

  #stop(limit: FailureOf<'archive-limit'>['limit'], value: number): never {
    this.#met = { kind: 'archive-limit', name: this.#archiveName, limit, value };
    fail(this.#met);
  }
}
