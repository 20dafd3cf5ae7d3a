import type { OldCopy, RemovedCopy, StorageMove } from '../../../shared/domain/storage.ts';
import { fail } from '../../../shared/failure.ts';
import type { Platform } from '../../platform/platform.ts';
import { sizeOf } from '../../storage/directory/folder-copy.ts';
import { findOldCopy, removeOldCopy } from '../../storage/directory/move-data.ts';
import { placeOfData, planMove, requireNotNamed, requireSpace } from '../../storage/directory/move-plan.ts';
import { throwReadFailure } from '../../vault/disk-failures.ts';

export interface DataMovesOptions {
  platform: Pick<Platform, 'chooseFolder' | 'dataDirectory' | 'namedDirectory' | 'restart'>;
}

/** Has all local data moved to another folder, and removes what a move left behind. */
export class DataMoves {
  readonly #platform: DataMovesOptions['platform'];
  readonly #end = new AbortController();
  #target: string | null = null;
  #removing: Promise<RemovedCopy> | null = null;

  constructor({ platform }: DataMovesOptions) {
    this.#platform = platform;
  }

  /**
   * Has the person choose a folder, and looks whether the data can go there. Nothing is written; what is in use may be
   * another size then.
   * @returns null when they chose none. @throws FailureError `move-refused`, `disk-full`, `not-writable`, `disk-failed`
   */
  async plan(): Promise<StorageMove | null> {
    const { dataDirectory, namedDirectory } = this.#platform;
    this.#target = null;
    requireNotNamed(namedDirectory);
    const chosen = await this.#platform.chooseFolder('data');
    if (chosen === null) return null;
    const plan = await planMove(await placeOfData(dataDirectory), chosen, { isInUse: true });
    await requireSpace(plan);
    this.#target = plan.to;
    return { from: plan.from, to: plan.to, bytes: sizeOf(plan.content), files: plan.content.files.length };
  }

  /**
   * Ends the program, and has the next start move the data to the folder of the last plan. @throws FailureError
   * `move-refused`
   */
  move(): void {
    const { restart, dataDirectory } = this.#platform;
    if (restart === null || this.#target === null)
      return fail({ kind: 'move-refused', path: dataDirectory, reason: 'not-chosen' });
    restart([`--move-data-to=${this.#target}`]);
  }

  /** null: nothing was left behind. @throws FailureError `disk-failed` */
  async oldCopy(): Promise<OldCopy | null> {
    return findOldCopy(this.#platform.dataDirectory).catch((error: unknown) =>
      throwReadFailure(error, this.#platform.dataDirectory),
    );
  }

  /**
   * Once at a time. @throws FailureError `data-in-use`, `not-writable`, `disk-full`, `disk-failed`, `cancelled` when it
   * is closed
   */
  async removeOldCopy(): Promise<RemovedCopy> {
    this.#removing ??= removeOldCopy(this.#platform.dataDirectory, this.#end.signal).finally(() => {
      this.#removing = null;
    });
    return this.#removing;
  }

  /** Resolves when nothing is removed any more. */
  async close(): Promise<void> {
    this.#end.abort();
    await Promise.allSettled([this.#removing]);
  }
}
