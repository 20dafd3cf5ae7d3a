import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Desk, deskStart, makeDeskFolders, openDesk, startDesk } from './desk.ts';
import type { DurableCall } from './durable-call.ts';
import type { DurableChange, PreparedChange } from './durable-change.ts';
import { madeOnFullDisk, roomsLeft } from './full-disk.ts';
import { mountSmallDisk } from './small-disk.ts';
import { outOfOrder, outOfOrderBut } from './sync-order.ts';
import { assertInert, assertSound, assertWhole } from './sound-data.ts';
import { type Point, startTraced, type TracedProgram } from './traced-program.ts';

/** strace tells a call before the program goes on; what it told is read a little later. */
const logIsReadWithinMs = 20;
const killedWithinMs = 5000;

interface Made {
  folder: string;
  traced: TracedProgram;
  toldAt: number | null;
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
    await makeDeskFolders(stockOf(folder));
    await mkdir(join(folder, 'servers'));
    const desk = await startDesk(stockOf(folder));
    try {
      return new CrashRuns(folder, await change.prepare(desk, join(folder, 'servers')));
    } finally {
      await desk.program.stop();
    }
  }

  /**
   * Lets the change be made to its end. `callsWhenTold`: those that were over when the program told that it is done.
   */
  async recorded(): Promise<{ folder: string; calls: readonly DurableCall[]; callsWhenTold: readonly DurableCall[] }> {
    const { folder, traced, toldAt } = await this.#made(null);
    await this.#looked(folder, true);
    return { folder, calls: traced.calls, callsWhenTold: traced.calls.slice(0, toldAt ?? 0) };
  }

  /**
   * Kills the program there, starts it again and looks. @returns false when it never came there. Throws what does not
   * hold.
   */
  async crash(point: Point): Promise<boolean> {
    const { folder, toldAt, wasKilled } = await this.#made(point);
    if (wasKilled) await this.#looked(folder, toldAt !== null);
    await rm(folder, { recursive: true, force: true });
    return wasKilled;
  }

  /**
   * Has it made where there is no more room, and looks at the desk when there is again, and once more after a start.
   * Throws what does not hold.
   */
  async full(freeBytes: number): Promise<void> {
    const folder = this.#nextFolder();
    await mkdir(folder);
    const disk = await mountSmallDisk(folder);
    try {
      await cp(stockOf(this.#folder), folder, { recursive: true });
      const { desk, wasTold } = await madeOnFullDisk(disk, freeBytes, this.#prepared);
      await this.#lookedAt(desk, wasTold);
    } finally {
      await disk.close();
    }
    await rm(folder, { recursive: true });
  }

  /** How many crashes it can stand side by side. */
  get atOnce(): number {
    return this.#prepared.isAlone === true ? 1 : 2;
  }

  /** Of the writes with one name; undefined: the first. */
  get writesTried(): number | undefined {
    return this.#prepared.writesTried;
  }

  /** How much room it is to be made in, in bytes. */
  get rooms(): readonly number[] {
    return [...roomsLeft, ...(this.#prepared.roomsBesides ?? [])];
  }

  /** What is not on the disk when the program tells that it is done, and should be, in words. */
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
      ...deskStart(folder, order),
      folder,
      point,
      isFromStart: beforeStart !== undefined,
    });
    let toldAt: number | null;
    try {
      toldAt = await this.#tell(folder, traced);
      await Promise.race([traced.ended, traced.still()]);
    } finally {
      // One that goes on keeps a thread of ours waiting for its log: a few of them, and no log is read any more.
      await traced.kill();
    }
    return { folder, traced, toldAt, wasKilled: await traced.ended };
  }

  /** After how many calls the program told that the change is done; null: it did not come to that. */
  async #tell(folder: string, traced: TracedProgram): Promise<number | null> {
    try {
      const desk = await openDesk(folder, traced.program);
      if (this.#prepared.beforeStart === undefined) {
        await this.#prepared.ready?.(desk);
        await traced.begin();
      }
      await this.#prepared.make(desk);
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

  async #looked(folder: string, wasTold: boolean): Promise<void> {
    await assertInert(folder, this.#prepared.live);
    await this.#lookedAt(await startDesk(folder, this.#prepared.order), wasTold);
  }

  async #lookedAt(desk: Desk, wasTold: boolean): Promise<void> {
    const { look, live } = this.#prepared;
    try {
      await look(desk, wasTold);
      await assertSound(desk);
    } finally {
      await desk.program.stop();
    }
    await assertInert(desk.folder, live);
    await assertWhole(desk.folder);
  }
}

const stockOf = (folder: string): string => join(folder, 'stock');
