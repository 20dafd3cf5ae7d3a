import { createHash } from 'node:crypto';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { blobPages } from '../../lab/commands.ts';
import type { StoredBlob } from '../../lab/stores/metadata-store.ts';
import { DamagedContainerError } from '../../vault/container/container.ts';
import {
  publicationDifferences,
  publicationIn,
  recordDifferences,
  recordIn,
  tokenDifferences,
  tokenIn,
} from './move-compare.ts';
import type { CopiedContainer } from './move-containers.ts';
import { damageIn, groupsOf, workOn, type LabMove } from './move-lab.ts';
import { type MovedKind, Progress } from './move-report.ts';

const readAtOnce = 8;

/**
 * Reads everything back from the target, and compares it with the source in the form in which the target holds it:
 * bytes by their SHA-256, every row with all its fields. A line for each difference. @returns how many there are
 */
export async function verifyMove<Copied extends CopiedContainer>(move: LabMove<Copied>): Promise<number> {
  const verifying = new Verifying(move);
  await verifying.run();
  return verifying.different;
}

class Verifying<Copied extends CopiedContainer> {
  different = 0;
  readonly #move: LabMove<Copied>;
  readonly #progress: Progress;
  #same = 0;
  #bytes = 0;

  constructor(move: LabMove<Copied>) {
    this.#move = move;
    this.#progress = new Progress(move.terminal.remark);
  }

  async run(): Promise<void> {
    for await (const page of blobPages(this.#move.source))
      for (const group of groupsOf(page)) await this.#compareSamples(group);
    await this.#comparePublications();
    await this.#compareTokens();
    this.#move.terminal.remark(
      `Verified: ${this.#same} the same, ${this.different} different; ${this.#bytes} bytes were read back. ` +
        'Times were compared as instants, to the millisecond.',
    );
  }

  async #compareSamples(group: readonly StoredBlob[]): Promise<void> {
    const { source, target, form } = this.#move;
    const sha256s = group.map(({ sha256 }) => sha256);
    const [records, there] = [await source.recordsBySha256(sha256s), await target.recordsBySha256(sha256s)];
    const error = await workOn([...records.entries()], readAtOnce, async ([index, record]) => {
      if (record === null) return;
      const expected = recordIn(form, record);
      const found = there[index] ?? null;
      const { hashes, sizeBytes } = record.sample;
      const differences = expected === null || found === null ? null : recordDifferences(expected, found);
      const bytes = found && { sha256: hashes.sha256, sizeBytes, place: found.sample.place };
      await this.#note('samples', hashes.sha256, differences, bytes);
    });
    if (error !== null) throw error;
    this.#progress.reached(sha256s.at(-1) ?? '');
    this.#progress.show(() => `verified: ${this.#same} the same, ${this.different} different`);
  }

  async #comparePublications(): Promise<void> {
    const { source, target, form } = this.#move;
    const there = await target.publications();
    const found = new Map(there.map((publication) => [publication.version, publication]));
    const positions = new Map(there.map(({ version }, position) => [version, position]));
    let last = -1;
    for (const publication of await source.publications()) {
      const expected = publicationIn(form, publication);
      const one = found.get(publication.version) ?? null;
      const position = positions.get(publication.version) ?? last;
      const differences = expected === null || one === null ? null : publicationDifferences(expected, one);
      if (position < last) differences?.push('order');
      last = Math.max(last, position);
      await this.#note('publications', publication.version, differences, one);
    }
  }

  async #compareTokens(): Promise<void> {
    const { source, target, form } = this.#move;
    for (const token of await source.tokens()) {
      const expected = tokenIn(form, token);
      const found = await target.tokenByDigest(token.sha256);
      if (found === null && (await target.isRevoked(token.sha256))) continue;
      const differences = expected === null || found === null ? null : tokenDifferences(expected, found);
      // It may have been used since.
      if ((token.lastUsed ?? '') > (found?.lastUsed ?? '')) differences?.push('lastUsed');
      await this.#note('tokens', `${token.id} ${token.name}`, differences, null);
    }
  }

  /** `differences` is null for what is not there. */
  async #note(
    kind: MovedKind,
    what: string,
    differences: readonly string[] | null,
    bytes: StoredBlob | null,
  ): Promise<void> {
    const damage = bytes === null ? null : await this.#damageOf(bytes);
    const found = differences === null ? ['missing'] : differences.map((field) => `other ${field}`);
    if (damage !== null) found.push(damage);
    if (found.length === 0) this.#same += 1;
    else this.different += 1;
    if (found.length > 0)
      this.#move.terminal.result(['different', kind, what, found.join(', ')].map(visibleLine).join('\t'));
  }

  /** Null for bytes that are whole. */
  async #damageOf(blob: StoredBlob): Promise<string | null> {
    const sha256 = createHash('sha256');
    try {
      for await (const chunk of this.#move.containers.read(blob)) {
        sha256.update(chunk);
        this.#bytes += chunk.length;
      }
    } catch (error) {
      if (!(error instanceof DamagedContainerError)) throw error;
      return damageIn(error);
    }
    return sha256.digest('hex') === blob.sha256 ? null : 'its bytes are others';
  }
}
