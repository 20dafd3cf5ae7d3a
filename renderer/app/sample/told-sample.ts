import { type ToldSample, toldSample } from '../../../shared/domain/sample-table.ts';
import type { SampleHit } from '../../../shared/domain/scan.ts';
import { normalTag, tlpOf } from '../../../shared/domain/tag.ts';
import type { ShownSample } from './shown-sample.ts';

/** What services and this desk say of the sample, as it is copied. */
export function toldOf(sample: ShownSample, hits: readonly SampleHit[]): ToldSample {
  const { sha256, sha1, md5, sizeBytes, name, type, tlp, threat, tags, serviceTags, firstSeen, lastSeen, vault } =
    sample;
  return toldSample({
    sha256,
    sha1,
    md5,
    sizeBytes,
    name,
    type,
    tlp,
    threat,
    firstSeen,
    lastSeen,
    inVault: vault === 'held',
    tags: [...tags],
    serviceTags: serviceTags.filter((tag) => tlpOf([tag]) === null && !tags.includes(normalTag(tag))),
    hits: [...new Set(hits.map(({ rule }) => rule))],
  });
}
