import type { Desk, StartOrder } from './desk.ts';
import type { Following } from './sync-order.ts';

/** Something that a person has the desk do, and that must be done whole, or not at all, whenever the program dies. */
export interface DurableChange {
  name: string;
  /** Makes what is there before, in a desk that is closed afterwards and copied for each crash. */
  prepare(desk: Desk, servers: string): Promise<PreparedChange>;
}

export interface PreparedChange {
  /** It is made by a start, and not at a desk that is open. What comes before, in the folder of the desk. */
  beforeStart?(folder: string): Promise<void>;
  /** What that start is told to do. */
  order?: StartOrder;
  /** At the desk that will be killed, before the change. */
  ready?(desk: Desk): Promise<void>;
  /** Resolves when the program has told that it is done. */
  make(desk: Desk): Promise<void>;
  /**
   * Looks at the desk that was started after the crash, and does there what a person would to go on. Throws what does
   * not hold. `wasTold`: the program had told that the change is done.
   */
  look(desk: Desk, wasTold: boolean): Promise<void>;
  /** Texts of samples: no file may hold one of them as it is. */
  live: readonly string[];
  mayFollow?: Following;
  /**
   * It writes one file in steps, each of which leaves something else: so many of its writes are tried, and not the
   * first alone.
   */
  writesTried?: number;
  /** How many bytes of room there may be besides, for more of what it writes than those of `full-disk.ts` are. */
  roomsBesides?: readonly number[];
  /** Its server counts what it is asked: crashes come one after the other. */
  isAlone?: true;
  /** Ends its servers. */
  close?(): Promise<void>;
}
