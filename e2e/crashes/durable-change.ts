import type { Vitrine, StartOrder } from './vitrine.ts';
import type { Following } from './sync-order.ts';

/** An action of a person that Vitrine must do whole, or not at all, whenever the program dies. */
export interface DurableChange {
  name: string;
  /** Makes what is there before, in a program that is closed then and copied for each crash. */
  prepare(vitrine: Vitrine, servers: string): Promise<PreparedChange>;
}

export interface PreparedChange {
  /** The change is made by a start, not by an open program. Makes what comes before, in the folder of the program. */
  beforeStart?(folder: string): Promise<void>;
  /** The order of that start. */
  order?: StartOrder;
  /** In the program that will be killed, before the change. */
  ready?(vitrine: Vitrine): Promise<void>;
  /** Resolves when the program has reported that it is done. */
  make(vitrine: Vitrine): Promise<void>;
  /**
   * Checks the program that was started after the crash, and does there what a person would to continue. Throws what
   * does not hold. `wasReported`: the program had reported that the change is done.
   */
  look(vitrine: Vitrine, wasReported: boolean): Promise<void>;
  /** Texts of samples: no file may hold one of them as it is. */
  live: readonly string[];
  mayFollow?: Following;
  /**
   * It writes one file in steps, each of which leaves something else: so many of its writes are tried, and not the
   * first alone.
   */
  writesTried?: number;
  /** Further amounts of free space, in bytes, for more of what it writes than those of `full-disk.ts` allow. */
  spaceBesides?: readonly number[];
  /** Its server counts what it is asked: crashes come one after the other. */
  isAlone?: true;
  /** Ends its servers. */
  close?(): Promise<void>;
}
