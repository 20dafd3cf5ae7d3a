/** A sample a bulk download is after, and every item of the job that means it: an MD5 and a SHA-256 may be one sample. */
export interface Wanted {
  md5: string;
  /** As the person gave it, of the first item. */
  hash: string;
  positions: number[];
  /** What a record said it is; it must be that, or the record is asked for anew. */
  recordedSha256: string | null;
  /** No archive gives it: other bytes came than a record says that may be out of date, or more than an archive may hold. */
  asksAlone: boolean;
}

/** Samples by the name their entries have in the service's archive. */
export type WantedByMd5 = ReadonlyMap<string, Wanted>;

export const byMd5 = (wanted: readonly Wanted[]): WantedByMd5 => new Map(wanted.map((one) => [one.md5, one]));
