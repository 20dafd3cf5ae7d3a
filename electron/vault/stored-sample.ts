import type { Hashes } from '../../shared/domain/hash.ts';

export interface StoredSample extends Hashes {
  sizeBytes: number;
  /** Two bytes `{}` that were not the sample's followed it and were left out. */
  droppedStrayBytes: boolean;
  /** The vault had this sample already; its copy was replaced by this one, which heals a damaged one. */
  wasThere: boolean;
}
