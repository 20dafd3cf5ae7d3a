/** How far an archive that somebody sent is opened. */
export interface ArchiveLimits {
  /** Entries, folders and refused ones among them. */
  members: number;
  memberBytes: number;
  /** Bytes of all members together, unpacked. */
  totalBytes: number;
  /** How many times larger than what was read of the archive its members may become. */
  expansion: number;
  /** Bytes that come out before `expansion` counts: small things of zeros expand far and do no harm. */
  expansionFreeBytes: number;
}

/** An archive in an archive in an archive, and so on: deeper ones are stored as they are. */
export const mostArchiveDepth = 8;

export const archiveLimits: ArchiveLimits = {
  members: 10_000,
  memberBytes: 4 * 2 ** 30,
  totalBytes: 20 * 2 ** 30,
  expansion: 200,
  expansionFreeBytes: 100 * 2 ** 20,
};
