import type { StoredComment, StoredSample } from './metadata-store.ts';

/** A sample as `getfile` sends it (docs/services.md, "The lab"). Times are UTC, ISO 8601. */
export interface SampleReply {
  md5: string;
  sha1: string;
  sha256: string;
  filename: string;
  size: number;
  date: string;
  user_name: string;
  threat: string | null;
  criticity: 1 | 2 | 3;
  mime: string | null;
  /** Its bytes need a right of their own. */
  locked: boolean;
  /** Whether it was submitted with the request to hand it on (docs/services.md, "The lab"). */
  vtsubmit: boolean;
  cksubmit: boolean;
  /** One comma-joined text; no tag holds a comma. */
  tags: string;
  comments: StoredComment[];
}

export function sampleReply(sample: StoredSample, comments: StoredComment[]): SampleReply {
  return {
    ...sample.hashes,
    filename: sample.name,
    size: sample.sizeBytes,
    date: sample.uploaded,
    user_name: sample.uploader,
    threat: sample.threat,
    criticity: sample.criticity,
    mime: sample.mime,
    locked: sample.restricted,
    vtsubmit: sample.virusTotal,
    cksubmit: sample.sandbox,
    tags: sample.tags.join(','),
    comments: comments.map(({ id, parent, content, author, created }) => ({ id, parent, content, author, created })),
  };
}
