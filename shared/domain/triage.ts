import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { anyHash, md5 } from './hash.ts';
import { libraryRow } from './library.ts';

const count = z.number().int().nonnegative();

/**
 * Where the sample of a hash is: in the vault; else at the repository, whose record this triage fetched; else `failed`
 * where that fetch failed; else known here. `needs-md5`: the repository cannot be asked for it. `forbidden` and
 * `failed`: why is in the row's failure.
 */
export const triageStates = [
  'vault',
  'known',
  'repository',
  'unknown',
  'needs-md5',
  'forbidden',
  'failed',
  'waiting',
  'cancelled',
] as const;
export const triageState = z.enum(triageStates);
export type TriageState = z.infer<typeof triageState>;

/** In these states a download brings a sample that has an MD5 to ask for. */
export const downloadedStates: readonly TriageState[] = ['known', 'repository', 'failed', 'waiting', 'cancelled'];

/** Of the samples that were found; `not-set`: no record names a severity. */
export const triageSeverities = ['bad', 'unwanted', 'other', 'not-set'] as const;
export const triageSeverity = z.enum(triageSeverities);
export type TriageSeverity = z.infer<typeof triageSeverity>;

/** What two sources state differently about one sample. */
export const triageConflict = z.object({
  fact: z.enum(['sha1', 'sha256', 'size', 'severity', 'threat']),
  /** `from` is a workspace whose record states it; null: the bytes that were read here. */
  values: z.array(z.object({ value: z.string(), from: z.string().nullable() })).min(2),
});
export type TriageConflict = z.infer<typeof triageConflict>;

export const triageRow = z.object({
  /** From 1, in the order of the text. */
  position: z.number().int().positive(),
  /** As it was pasted, lower case. */
  hash: anyHash,
  state: triageState,
  /** What is known here; null: nothing. */
  sample: libraryRow.nullable(),
  /** The earliest date of its records, as they state it, else when it was first seen here. */
  firstSeen: z.string().nullable(),
  /** Rules have scanned it: no hits is an answer then. */
  isScanned: z.boolean(),
  failure: failureSchema.nullable(),
  conflicts: z.array(triageConflict),
});
export type TriageRow = z.infer<typeof triageRow>;

/** Empty lists mean all. `find`: a part of a hash, a name, a threat, a type or a tag. */
export const triageFilter = z.object({
  states: z.array(triageState),
  severities: z.array(triageSeverity),
  find: z.string().max(200, 'at most 200 characters'),
});
export type TriageFilter = z.infer<typeof triageFilter>;

export const triageSortBy = z.enum([
  'position',
  'hash',
  'name',
  'state',
  'severity',
  'threat',
  'type',
  'size',
  'firstSeen',
  'tags',
  'hits',
]);
export type TriageSortBy = z.infer<typeof triageSortBy>;
/** Rows that have no value come last, whichever way. */
export const triageSort = z.object({ by: triageSortBy, descending: z.boolean() });
export type TriageSort = z.infer<typeof triageSort>;

/**
 * How many rows are in each state, and how many of the samples found have each severity. `requests`: what became of the
 * fetch of their records, whatever is known here besides.
 */
export const triageCounts = z.object({
  states: z.record(triageState, count),
  severities: z.record(triageSeverity, count),
  requests: z.object({ waiting: count, failed: count, cancelled: count }),
});
export type TriageCounts = z.infer<typeof triageCounts>;

/** Rows that are ticked, by position: these, or all that the filter finds but these. */
export const triageTicks = z.object({
  isExcept: z.boolean(),
  positions: z.array(z.number().int().positive()).max(500_000, 'at most 500,000 rows'),
});
export type TriageTicks = z.infer<typeof triageTicks>;

/** What is known of ticked rows, and what a download of them would bring. Several rows may be of one sample. */
export const triageSelected = z.object({
  rows: count,
  /** All that follow are of samples. A hash of which nothing is known counts as one. */
  samples: count,
  /** Those that the library knows. */
  known: count,
  inVault: count,
  /** Not in the vault, and with an MD5 to ask for. */
  toDownload: count,
  /** Of those, as far as their sizes are known. */
  bytes: count,
  /** Of those, how many have no known size. */
  unsized: count,
});
export type TriageSelected = z.infer<typeof triageSelected>;

/** What an action needs of a ticked row. */
export const triageTicked = z.object({
  /** As it was pasted, lower case. */
  hash: anyHash,
  /** What the library knows its sample by; null: it does not. */
  sample: libraryRow.shape.hash.nullable(),
  /** The MD5 to download it by; null: it is in the vault, or cannot be requested. */
  toDownload: md5.nullable(),
});
export type TriageTicked = z.infer<typeof triageTicked>;

export const rowsOf = ({ states }: Pick<TriageCounts, 'states'>): number =>
  triageStates.reduce((sum, state) => sum + states[state], 0);

/** What is known of them is all that is to come: neither waits, nor failed or was cancelled. */
export const answeredOf = (counts: TriageCounts): number => {
  const { waiting, failed, cancelled } = counts.requests;
  return rowsOf(counts) - waiting - failed - cancelled;
};
