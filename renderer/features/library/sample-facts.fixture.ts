import type { SampleFacts } from '../../../shared/domain/sample.ts';
import type { LibraryRow } from '../../../shared/domain/library.ts';

/** What a host reports of a row. */
export function factsOf({
  sha256,
  sha1,
  md5,
  name,
  sizeBytes,
  type,
  tlp,
  isRecorded,
  threat,
  tags,
  serviceTags,
  firstSeen,
  lastSeen,
  vault,
}: LibraryRow): SampleFacts {
  return {
    sha256,
    sha1,
    md5,
    name,
    sizeBytes,
    type,
    tlp,
    isRecorded,
    ownTlp: null,
    threat,
    tags,
    serviceTags,
    hits: [],
    firstSeen,
    lastSeen,
    inVault: vault === 'held',
    hasBytes: vault !== 'none',
  };
}
