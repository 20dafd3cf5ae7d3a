import type { LookupResult } from '../../../shared/domain/lookup.ts';
import { type ToldSample, toldSample } from '../../../shared/domain/sample-table-sample.ts';
import type { SampleHit } from '../../../shared/domain/scan.ts';
import { normalTag } from '../../../shared/domain/tag.ts';
import { tlpOf } from '../../../shared/domain/tlp.ts';
import type { KnownSample } from './sample-hashes.ts';

/** What the record and this desk say of the sample, as it is copied. */
export function toldOf({ record, local }: LookupResult, { sha256, sha1, md5, sizeBytes, inVault }: KnownSample, hits: readonly SampleHit[]): ToldSample {
  return toldSample({
    sha256, sha1, md5, sizeBytes, inVault,
    name: record.name, type: record.mime, tlp: tlpOf(record.tags), threat: record.threat,
    tags: local.tags,
    serviceTags: record.tags.filter((tag) => tlpOf([tag]) === null && !local.tags.includes(normalTag(tag))),
    hits: [...new Set(hits.map(({ rule }) => rule))],
    firstSeen: local.firstSeen, lastSeen: local.lastSeen,
  });
}
