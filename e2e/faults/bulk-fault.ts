/**
 * What can go wrong with a bulk download. Entries are named by the MD5 they were asked as, whatever chunk they come in.
 */
export type BulkFault = InsteadOfArchive | ArchiveFault;

/** Answered to the next bulk request, which the service behind never sees. */
export type InsteadOfArchive =
  | { kind: 'text'; text: string }
  | { kind: 'login-page' }
  | { kind: 'busy'; retryAfterSeconds: number }
  | { kind: 'unavailable' };

/** Done to the next archive that it can be done to. */
export type ArchiveFault =
  /** Other bytes, with the right CRC for them. */
  | { kind: 'replaced'; md5: string; bytes: Uint8Array }
  /** A byte flipped on the way: the CRC no longer fits, or the entry cannot be inflated. */
  | { kind: 'damaged'; md5: string }
  | { kind: 'renamed'; md5: string; name: string }
  | { kind: 'left-out'; md5: string }
  | { kind: 'twice'; md5: string }
  /** An entry that was not requested, before the others. */
  | { kind: 'unasked'; name: string; bytes: Uint8Array }
  | { kind: 'encrypted'; encryption: 'aes-256' | 'zipcrypto'; password: string }
  | { kind: 'zip64' }
  /** Sizes and CRC behind each entry only; the end of a stored one cannot then be found without the directory. */
  | { kind: 'descriptors'; stored: boolean }
  /** Ends in the middle of the entry after so many, as if that were all. */
  | { kind: 'truncated'; afterEntries: number }
  | { kind: 'slow-drip'; bytes: number; everyMs: number };

export function isInstead(fault: BulkFault): fault is InsteadOfArchive {
  return fault.kind === 'text' || fault.kind === 'login-page' || fault.kind === 'busy' || fault.kind === 'unavailable';
}

/** Whether a fault can be done to an archive with these entries. */
export function fits(fault: ArchiveFault, names: readonly string[]): boolean {
  if ('md5' in fault) return names.includes(fault.md5);
  return fault.kind !== 'truncated' || fault.afterEntries < names.length;
}
