/** A file of the starter rules as both packages have it. */
export interface StarterFile {
  /** In the package. */
  path: string;
  release: string;
  test: string;
}

/** A rule file of these pieces, each of them whole rules or statements. */
export const fileOf = (...pieces: readonly string[]): string => pieces.map((piece) => `${piece.trim()}\n`).join('\n');
