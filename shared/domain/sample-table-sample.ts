import type { SampleFacts } from './sample-facts.ts';

/** A sample that is written as text: as the library knows it, or as a list has it that tells less. */
export type ToldSample = Omit<SampleFacts, 'ownTlp' | 'isRecorded' | 'firstSeen' | 'lastSeen' | 'inVault'> & {
  /** UTC, ISO 8601; null: the list does not tell. */
  firstSeen: string | null;
  lastSeen: string | null;
  /** null: the list does not tell. */
  inVault: boolean | null;
};

const nothingTold: ToldSample = {
  sha256: null,
  sha1: null,
  md5: null,
  name: null,
  sizeBytes: null,
  type: null,
  tlp: null,
  threat: null,
  tags: [],
  serviceTags: [],
  hits: [],
  firstSeen: null,
  lastSeen: null,
  inVault: null,
};

/** Of a list that tells no more than what is given. */
export const toldSample = (told: Partial<ToldSample>): ToldSample => ({ ...nothingTold, ...told });
