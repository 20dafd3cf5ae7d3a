import type { CaseOptions } from '../../../shared/domain/case.ts';
import type { SampleNote } from '../../../shared/domain/library.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import type { TlpLevel } from '../../../shared/domain/tag.ts';
import type { CaseSummary } from './case-summary.ts';

/** What somebody wrote about a sample; all of it is untrusted text. `id` is of this one comment on this desk. */
export interface CaseComment {
  id: string;
  author: string | null;
  /** As sent: a time without a zone is a service's local time. */
  created: string | null;
  text: string;
}

/** A sample as a case tells of it: what was not asked for is empty. */
export interface CaseSample extends SampleFacts {
  /** What it is known by: its SHA-256, or its MD5 until one is known. */
  hash: string;
  /** As a service says. */
  mime: string | null;
  note: SampleNote | null;
  comments: readonly CaseComment[];
  /** How its bytes look (`ByteStrip`). */
  strip: string | null;
}

/** What is said of the case as a whole. */
export interface CaseHead {
  /** Which desk tells it: two desks never give one identifier to their cases. */
  desk: string;
  title: string;
  /** "" for nobody. */
  author: string;
  tlp: TlpLevel | null;
  include: CaseOptions['include'];
  made: Date;
  summary: CaseSummary;
}

/** A case on its way out. `pages` gives the samples from the first one on each time it is called. */
export interface CaseStory {
  head: CaseHead;
  pages(): AsyncIterable<readonly CaseSample[]>;
}
