import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { packageId } from './publication.ts';
import { workspaceId } from './workspace.ts';

const count = z.number().int().nonnegative();

/** Files of one trial: more are for a hunt. */
export const trialFilesAtMost = 20_000;
/** Of a rule, and of what was not scanned. */
export const trialNamesShown = 100;

const trialHit = z.object({
  rule: z.string(),
  /** The rule is new in the package, or was there and hits now what it did not hit before. */
  change: z.enum(['added', 'changed']),
  files: count,
  /** Names of the first of them. */
  examples: z.array(z.string()),
});
export type TrialHit = z.infer<typeof trialHit>;

/**
 * A package that is not installed, tried on files: what its new and changed rules hit there that the active package
 * does not.
 */
export const trialState = z.object({
  workspaceId,
  sha256: packageId,
  version: z.string(),
  /** The active package it is compared with; null: none. */
  against: z.string().nullable(),
  phase: z.enum(['compiling', 'scanning', 'done', 'cancelled', 'failed']),
  /** New and changed rules, with those that use them. */
  rules: count,
  files: count,
  done: count,
  /** The most files first. */
  hits: z.array(trialHit),
  /** Files that could not be looked at, the first of them with why. */
  notScanned: z.object({ files: count, first: z.array(z.object({ name: z.string(), failure: failureSchema })) }),
  /** Rules that were left out, and an engine that was not used. */
  notices: z.array(failureSchema),
  /** Why it failed. */
  failure: failureSchema.nullable(),
  /** UTC, ISO 8601. */
  ended: z.string().nullable(),
});
export type TrialState = z.infer<typeof trialState>;
