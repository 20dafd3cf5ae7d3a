import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Vitrine, startOf, makeFolders, openVitrine, startVitrine } from './vitrine.ts';
import type { DurableCall } from './durable-call.ts';
import type { DurableChange, PreparedChange } from './durable-change.ts';
import { madeOnFullDisk, spaceLeft } from './full-disk.ts';
import { mountSmallDisk } from './small-disk.ts';
import { outOfOrder, outOfOrderBut } from './sync-order.ts';
import { assertStoredEncrypted, assertSound, assertWhole } from './sound-data.ts';
import { type Point, startTraced, type TracedProgram } from './traced-program.ts';

/** strace reports a call before the program continues; the report is read a little later. */
const logIsReadWithinMs = 20;
const killedWithinMs = 5000;

interface Made {
  folder: string;
  traced: TracedProgram;
  reportedAt: number | null;
  wasKilled: boolean;
}

/** A change whose beginning is there to be copied, as often as it is to be tried. */
export class CrashRuns {
  readonly #folder: string;
  readonly #prepared: PreparedChange;
  #runs = 0;

  private constructor(folder: string, prepared: PreparedChange) {
    this.#folder = folder;
    this.#prepared = prepared;
  }

  static async prepare(folder: string, change: DurableChange): Promise<CrashRuns> {
    await makeFolders(stockOf(folder));
    await mkdir(join(folder, 'servers'));
    const vitrine = await startVitrine(stockOf(folder));
    try {
      return new CrashRuns(folder, await change.prepare(vitrine, join(folder, 'servers')));
    } finally {
      await vitrine.program.stop();
    }
  }

  /**
   * Runs the change to its end. `callsWhenReported`: those that were over when the program reported that it is done.
   */
  async recorded(): Promise<{
    folder: string;
    calls: readonly DurableCall[];
    callsWhenReported: readonly DurableCall[];
  }> {
    const { folder, traced, reportedAt } = await this.#made(null);
    await this.#looked(folder, true);
    return { folder, calls: traced.calls, callsWhenReported: traced.calls.slice(0, reportedAt ?? 0) };
  }

  /**
   * Kills the program there, starts it again and checks it. Throws what does not hold.
   *
   * @returns false when it never came there
   */
  async crash(point: Point): Promise<boolean> {
    const { folder, reportedAt, wasKilled } = await this.#made(point);
    if (wasKilled) await this.#looked(folder, reportedAt !== null);
    await rm(folder, { recursive: true, force: true });
    return wasKilled;
  }

  /**
   * Makes the change where there is no more space, and checks the program when there is again, and once more after a
   * start. Throws what does not hold.
   */
  async full(freeBytes: number): Promise<void> {
    const folder = this.#nextFolder();
    await mkdir(folder);
    const disk = await mountSmallDisk(folder);
    try {
      await cp(stockOf(this.#folder), folder, { recursive: true });
      const { vitrine, wasReported } = await madeOnFullDisk(disk, freeBytes, this.#prepared);
      await this.#lookedAt(vitrine, wasReported);
    } finally {
      await disk.close();
    }
    await rm(folder, { recursive: true });
  }

  /** How many crashes may run side by side. */
  get atOnce(): number {
    return this.#prepared.isAlone === true ? 1 : 2;
  }

  /** Of the writes with one name; undefined: the first. */
  get writesTried(): number | undefined {
    return this.#prepared.writesTried;
  }

  /** The free space that it is made in, in bytes. */
  get spaces(): readonly number[] {
    return [...spaceLeft, ...(this.#prepared.spaceBesides ?? [])];
  }

  /** What is not on the disk when the program reports that it is done, and should be, in words. */
  disorder(calls: readonly DurableCall[], folder: string): string[] {
    const { mayFollow } = this.#prepared;
    return mayFollow === undefined ? outOfOrder(calls, folder) : outOfOrderBut(mayFollow, calls, folder);
  }

  async close(): Promise<void> {
    await this.#prepared.close?.();
  }

  async #made(point: Point | null): Promise<Made> {
    const folder = this.#nextFolder();
    await cp(stockOf(this.#folder), folder, { recursive: true });
    const { beforeStart, order } = this.#prepared;
    await beforeStart?.(folder);
    const traced = await startTraced({
      ...startOf(folder, order),
      folder,
      point,
      isFromStart: beforeStart !== undefined,
    });
    let reportedAt: number | null;
    try {
      reportedAt = await this.#report(folder, traced);
      await Promise.race([traced.ended, traced.still()]);
    } finally {
      // A program that continues keeps a thread of ours waiting for its log: after a few of them, no log is read.
      await traced.kill();
    }
    return { folder, traced, reportedAt, wasKilled: await traced.ended };
  }

  /** After how many calls the program reported that the change is done; null: it never did. */
  async #report(folder: string, traced: TracedProgram): Promise<number | null> {
    try {
      const vitrine = await openVitrine(folder, traced.program);
      if (this.#prepared.beforeStart === undefined) {
        await this.#prepared.ready?.(vitrine);
        await traced.begin();
      }
      await this.#prepared.make(vitrine);
      await pause(logIsReadWithinMs);
      return traced.calls.length;
    } catch (error) {
      if (await Promise.race([traced.ended, pause(killedWithinMs, false)])) return null;
      throw error;
    }
  }

  #nextFolder(): string {
    return join(this.#folder, `run-${(this.#runs += 1)}`);
  }

  async #looked(folder: string, wasReported: boolean): Promise<void> {
    await assertStoredEncrypted(folder, this.#prepared.live);
    await this.#lookedAt(await startVitrine(folder, this.#prepared.order), wasReported);
  }

  async #lookedAt(vitrine: Vitrine, wasReported: boolean): Promise<void> {
    const { look, live } = this.#prepared;
    try {
      await look(vitrine, wasReported);
      await assertSound(vitrine);
    } finally {
      await vitrine.program.stop();
    }
    await assertStoredEncrypted(vitrine.folder, live);
    await assertWhole(vitrine.folder);
  }
}

const stockOf = (folder: string): string => join(folder, 'stock');
