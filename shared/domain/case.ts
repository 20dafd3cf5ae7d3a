import { z } from 'zod';
import { browserDownload, exportSelection, zipProtection } from './export.ts';
import { anyHash } from './hash.ts';
import { folderGrant } from './host.ts';
import { type CaseFormat, caseFormat } from './job.ts';
import { librarySelection } from './library.ts';
import { seenLine } from './schema-parts.ts';
import { tlpLevel } from './tag.ts';

/**
 * A MISP event, a STIX bundle and a report are read whole by whoever gets them: they have at most so many samples.
 * Tables have any number.
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
  /** Who says it: an organisation or a person; "" for nobody. */
  author: z.union([z.literal(''), caseAuthor]),
  /**
   * Of the case as a whole. null: the strictest of its samples, and without any none. Never less strict than one of its
   * samples.
   */
  tlp: tlpLevel.nullable(),
  /**
   * The person says of the samples whose TLP is not known here, because no record of them was read, that they are no
   * stricter than the case. Without it they go in a case of the strictest TLP alone.
   */
  vouched: z.boolean(),
  /** What is told of each sample besides its facts. */
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

/** So many are told by name. */
export const mostUnknownTold = 20;

const count = z.number().int().nonnegative();

/** A case that is fetched once, and what of what was asked for it does not tell. */
export const preparedCase = browserDownload.extend({
  samples: count,
  /** Hashes that the library does not know, and the first of them. */
  unknown: z.object({ count, hashes: z.array(anyHash).max(mostUnknownTold) }),
  /** Samples whose bytes were asked for, and are not in the vault or too large. */
  withoutBytes: count,
});
export type PreparedCase = z.infer<typeof preparedCase>;
