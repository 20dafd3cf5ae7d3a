/** Where the bytes of a staged file are. It can be handed to a thread. */
export type StagedSource = ContainerSource | InPlaceSource;

export interface ContainerSource {
  kind: 'container';
  path: string;
}

/** A file of the person's, and what it was when it was staged. */
export interface InPlaceSource {
  kind: 'in-place';
  /** As text: see `systemPath`. */
  path: string;
  sizeBytes: number;
  /** When it was last modified, in milliseconds since 1970, as `stat` gives it. */
  changedMs: number;
}

/** The file was changed since it was staged, or is no file any more. */
export class ChangedFileError extends Error {
  override readonly name = 'ChangedFileError';
}

/** There is nothing at such a path, however it is written. */
const missingCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
export const isMissingCode = (code: string | null): boolean => code !== null && missingCodes.has(code);
