/** Hash kinds by the length of their hex form, in characters. */
export const hashLengths = { md5: 32, sha1: 40, sha256: 64 } as const;
export type HashKind = keyof typeof hashLengths;

export interface FoundHash {
  kind: HashKind;
  /** Lower case. */
  value: string;
}
