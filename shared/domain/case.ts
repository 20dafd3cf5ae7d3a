import { z } from 'zod';
import { browserDownload, exportSelection, zipProtection } from './export.ts';
import { anyHash } from './hash.ts';
import { folderGrant } from './host.ts';
import { type CaseFormat, caseFormat } from './job.ts';
import { librarySelection } from './library.ts';
import { seenLine } from './schema-parts.ts';
import { tlpLevel } from './tag.ts';

/**
 * The recipient reads a MISP event, a STIX bundle and a report whole: they have at most so many samples. Tables have
 * any number.
 */
export const mostCaseSamples = 10_000;
export const isCaseTable = (format: CaseFormat): boolean => format === 'csv' || format === 'jsonl';

/**
 * Samples of a case: rows of the library, also those whose bytes or whose SHA-256 are not here, or the items of a job.
 */
export const caseSelection = z.discriminatedUnion('kind', [
  librarySelection.options[0],
  exportSelection.options[1],
  librarySelection.options[1],
]);
export type CaseSelection = z.infer<typeof caseSelection>;

/** MiB: a larger sample is left out of an event, and said to be. */
export const mostMispSampleMebibytes = 100;

export const caseTitle = seenLine('a title', 200);
export const caseAuthor = seenLine('an author', 100);

export const caseOptions = z.object({
  format: caseFormat,
  title: caseTitle,
  /** The author: an organisation or a person; "" for none. */
  author: z.union([z.literal(''), caseAuthor]),
  /**
   * Of the case as a whole. null: the strictest of its samples, and without any none. Never less strict than one of its
   * samples.
   */
  tlp: tlpLevel.nullable(),
  /**
   * The person vouches that samples whose TLP is not known here, because no record of them was read, are no stricter
   * than the case. Without it they go only in a case of the strictest TLP.
   */
  vouched: z.boolean(),
  /** What is included of each sample besides its facts. */
  include: z.object({ notes: z.boolean(), comments: z.boolean(), hits: z.boolean() }),
  /** `malware-sample` attributes of a MISP event: each sample in a ZIP with this password. null: no bytes leave. */
  samples: z.object({ password: zipProtection.password }).nullable(),
});
export type CaseOptions = z.infer<typeof caseOptions>;

export const caseRequest = z.object({ selection: caseSelection, options: caseOptions });
/** Who fetches a case that goes into no folder of the host's. */
export const caseTaker = z.enum(['browser', 'command-line']);
export type CaseTaker = z.infer<typeof caseTaker>;
export const caseFolder = { folder: folderGrant.optional() };

/** So many are listed by name. */
export const mostUnknownShown = 20;

const count = z.number().int().nonnegative();

/** A case that is fetched once, and which requested parts it leaves out. */
export const preparedCase = browserDownload.extend({
  samples: count,
  /** Hashes that the library does not know, and the first of them. */
  unknown: z.object({ count, hashes: z.array(anyHash).max(mostUnknownShown) }),
  /** Samples whose bytes were asked for, and are not in the vault or too large. */
  withoutBytes: count,
});
export type PreparedCase = z.infer<typeof preparedCase>;
