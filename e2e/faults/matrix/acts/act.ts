import type { Failure } from '../../../../shared/failure.ts';
import type { CellSample } from '../cell-sample.ts';
import type { FaultHost } from '../fault-host.ts';
import type { FaultyService } from '../faulty-service.ts';

/** What an act works with: a host that others use too, and a workspace and a service of its own. */
export interface ActScene {
  vitrine: FaultHost;
  workspaceId: string;
  service: Pick<FaultyService, 'sound'>;
  samples: readonly CellSample[];
}

/** How something ended, in the words of the contract. */
export interface Ending {
  state: string;
  failure: Failure | null;
}

/** One action as a person has it done. */
export interface Act {
  /** Sizes of the samples it is done with, in bytes. */
  sampleBytes: readonly number[];
  /** The service has them from the beginning. */
  areAtService: boolean;
  /** What has to be there before the action, with everything sound. */
  prepare?(scene: ActScene): Promise<void>;
  /** Rejects when it does not end. */
  does(scene: ActScene): Promise<Ending>;
  /** The same once more after a fault that ended so. */
  doesAgain(scene: ActScene, before: Ending): Promise<Ending>;
  /** What there is of it now, here and at the service. Rejects when that is what must never be. */
  kept(scene: ActScene, ending: Ending): Promise<string>;
  /** The value of `kept` once it was done. */
  wholeKept: string;
}

/** Rejects with the sentence when it does not hold. */
export function must(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence);
}
