/** Where a small sample lies: `packs/<pack>` holds its container from byte `at` on, `length` bytes of it. */
export interface PackSpot {
  /** A file name: 32 hex characters and `.pack`. */
  pack: string;
  at: number;
  length: number;
}

export interface PackPlace extends PackSpot {
  sha256: string;
}

/** What the vault remembers of its packs; the host keeps it in the database. Hashes are lower-case hex. */
export interface PackIndex {
  place(sha256: string): PackPlace | null;
  /** Of those that are known, in any order. */
  places(sha256s: readonly string[]): PackPlace[];
  /**
   * Makes all places known, over older ones, and runs `alongside` in the same transaction: all of it, or nothing and it
   * throws at once. Resolves when that is safe from a power cut too.
   */
  add(places: readonly PackPlace[], alongside: () => void): Promise<void>;
  /** Does nothing for what is not there. */
  remove(sha256: string): void;
  /** Where the last known container of a pack ends; null when none is known. */
  endOf(pack: string): number | null;
  /** At most `limit` SHA-256 that come after this one, in order; begin with an empty text. */
  list(after: string, limit: number): string[];
}
