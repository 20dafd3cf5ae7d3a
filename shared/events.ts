import { z } from 'zod';
import { bundleOpening } from './domain/bundle.ts';
import { md5 } from './domain/hash.ts';
import { labState, secretsState, shellCommand } from './domain/host.ts';
import { job, jobId } from './domain/job.ts';
import { differenceCounts } from './domain/publication.ts';
import { download } from './domain/sample.ts';
import { workspaceId } from './domain/workspace.ts';
import { failureSchema } from './failure-kinds.ts';

const nothing = z.object({});

/** What the host reports by itself, to every page and command that is connected: names and payloads. */
export const events = {
  'download.progress': download,
  /** The current state of a job, at most ten times a second each. */
  'job.changed': job,
  'job.forgotten': z.object({ id: jobId }),
  /** A draft is not as it was; at most four times a second. */
  'uploads.changed': z.object({ workspaceId }),
  /**
   * What the repository did when it was asked about some files of a draft; `failure` null: it answered. Once for each
   * few files.
   */
  'uploads.asked': z.object({ workspaceId, failure: failureSchema.nullable() }),
  /** The browser has a case without the bytes of some samples that were asked for. `failure`: of the first of them. */
  'cases.left': z.object({ fileName: z.string(), withoutBytes: z.number().int().positive(), failure: failureSchema }),
  'comments.changed': z.object({ workspaceId, md5 }),
  /** What is kept of an unsent comment is not as it was. */
  'comments.drafted': z.object({ workspaceId, md5 }),
  /** A comment that was sent did not arrive, or its arrival is unknown. */
  'comments.lost': z.object({ workspaceId, md5, state: z.enum(['failed', 'may-have-arrived']) }),
  /** Packages, a check or mutes are not as they were; at most four times a second. */
  'publications.changed': z.object({ workspaceId }),
  /** The result of a check that no one waits for. */
  'publications.news': z.object({
    workspaceId,
    kind: z.enum(['found', 'installed', 'failed']),
    version: z.string().nullable(),
    counts: differenceCounts.nullable(),
  }),
  'mutes.changed': z.object({ workspaceId }),
  /** Results of a scan or a hunt came; at most four times a second. */
  'scans.changed': z.object({ workspaceId }),
  /** The answer of `trials.state` has changed; at most four times a second. */
  'trials.changed': z.object({ workspaceId }),
  'ruleCosts.changed': z.object({ workspaceId, isRunning: z.boolean() }),
  /** The answer of `host.describe` has changed, or is no longer available. */
  'host.changed': nothing,
  'lab.changed': labState,
  'workspaces.changed': nothing,
  /** Another state of an action of a workspace's server is known, or its tags may be others. */
  'servers.changed': z.object({ workspaceId }),
  'secrets.changed': secretsState,
  /** Samples came or went, or are not as they were; at most four times a second. */
  'library.changed': nothing,
  /** Rows came to the journal; at most four times a second. */
  'journal.changed': nothing,
  'views.changed': nothing,
  /** The state of reading a bundle; at most four times a second. */
  'bundles.changed': z.object({ opening: bundleOpening.nullable() }),
  /** The answer of `watch.state` has changed; at most four times a second. */
  'watch.changed': nothing,
  /**
   * Files that came into the watched folder are hashed, scanned and drafted; once for each burst. `hits`: how many of
   * them a rule hit. `scan`: the job that has all of those; null: several have.
   */
  'watch.found': z.object({ files: z.number().int(), hits: z.number().int(), scan: jobId.nullable() }),
  /** A deep link's MD5: it fills the look-up field and sends nothing. */
  'lookup.prefill': z.object({ md5 }),
  /** The person chose something in a menu, a notification or the dock of the desktop. */
  'shell.command': shellCommand,
} as const satisfies Record<string, z.ZodType>;

export type EventName = keyof typeof events;

export type EventPayload<N extends EventName> = z.output<(typeof events)[N]>;

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(events, name);
}
