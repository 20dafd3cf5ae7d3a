import type { LookupResult } from '../../../shared/contract.ts';
import type { Download } from '../../../shared/domain/download.ts';

/** What is known of a sample now: our own hashes of its bytes before the record's, and a finished download's before both. */
export interface KnownSample {
  sha256: string | null;
  sha1: string | null;
  md5: string;
  inVault: boolean;
  sizeBytes: number | null;
}

export function knownSample({ asked, record, local }: LookupResult, download: Download | null): KnownSample {
  const arrived = download !== null && (download.state === 'done' || download.state === 'already-here') ? download : null;
  return {
    sha256: arrived?.sha256 ?? local.sha256 ?? record.sha256,
    sha1: arrived?.sha1 ?? local.sha1 ?? record.sha1,
    md5: asked,
    inVault: local.inVault || arrived !== null,
    sizeBytes: local.sizeBytes ?? record.sizeBytes,
  };
}
