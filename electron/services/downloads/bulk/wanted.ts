import type { Expected } from '../../../vault/expectation.ts';

/**
 * A sample a bulk download is after, and every item of the job that means it: an MD5 and a SHA-256 may be one sample.
 */
export interface Wanted {
  md5: string;
  /** As the person gave it, of the first item. */
  hash: string;
  positions: number[];
  /** What a record said it is; it must be that, or the record is asked for anew. */
  recordedSha256: string | null;
  /**
   * No archive gives it: other bytes came than a record says that may be out of date, or more than an archive may hold.
   */
  asksAlone: boolean;
}

/** What one archive is asked for. */
export interface WantedList {
  byMd5: ReadonlyMap<string, Wanted>;
  /** The same list for every entry: a group of entries carries it to its worker once. */
  expected: readonly Expected[];
}

export const wantedList = (wanted: readonly Wanted[]): WantedList => ({
  byMd5: new Map(wanted.map((one) => [one.md5, one])),
  expected: wanted.map(({ md5, recordedSha256 }) => ({ md5, sha256: recordedSha256 })),
});

const digests = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/g;

/**
 * The sample that an entry's name holds the MD5 of, in whatever folder and with whatever extension. A label only: the
 * bytes decide.
 */
export function namedBy({ byMd5 }: WantedList, name: string): Wanted | undefined {
  const [found] = (name.toLowerCase().match(digests) ?? []).flatMap((md5) => byMd5.get(md5) ?? []);
  return found;
}
