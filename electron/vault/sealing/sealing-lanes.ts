import { availableParallelism } from 'node:os';
import { Lane } from './lane.ts';
import type { OpenSealer } from './sealer.ts';

export interface SealingLanes {
  readonly openSealer: OpenSealer;
  /** Ends the workers; what they were working on fails as `cancelled` and leaves no file. */
  close(): Promise<void>;
}

/** A lane is two threads, and more threads than processors only take turns. */
const lanesAtMost = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));

/** Lanes start with the first sample that needs one, are used again, and are replaced when they end by themselves. */
export function openSealingLanes(): SealingLanes {
  const lanes: Lane[] = [];
  let closed = false;

  function laneForOneMore(): Lane {
    const usable = lanes.filter((lane) => lane.isAlive).toSorted((one, other) => one.load - other.load);
    const [idlest] = usable;
    if (idlest && (idlest.load === 0 || usable.length >= lanesAtMost)) return idlest;
    const started = new Lane();
    lanes.splice(0, lanes.length, ...usable, started);
    return started;
  }

  return {
    openSealer(target) {
      if (closed) throw new Error('the sealing workers are closed');
      return laneForOneMore().open(target);
    },
    async close() {
      closed = true;
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}
