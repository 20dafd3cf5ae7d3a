import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { sha256 } from './hash.ts';
import { brokenRule, ruleWarning } from './publication.ts';
import { stagedUpload } from './upload.ts';

const count = z.number().int().nonnegative();

/** In UTF-16 code units. */
export const longestTrial = 200_000;
export const trialSource = z.string().max(longestTrial, 'at most 200,000 characters');

/** The compiler's result for rules that are tried. Nothing of it is kept. `file` of a broken rule is `rule.yar`. */
export const trialCheck = z.object({
  /** Names of rules that can be used. */
  rules: z.array(z.string()),
  /** At most 200 of each. */
  broken: z.array(brokenRule),
  warnings: z.array(ruleWarning),
});
export type TrialCheck = z.infer<typeof trialCheck>;

/** A rule of a package as an editor begins with it. */
export const ruleToTry = z.object({
  /**
   * What it uses and the global rules that bind it, in the order to compile in, and the rule itself at the end. null:
   * that is longer than a trial may be.
   */
  text: trialSource.nullable(),
  /** Keys of the rules besides itself. */
  others: z.array(z.string()),
});
export type RuleToTry = z.infer<typeof ruleToTry>;

/** How many samples, or files, one trial may name. */
export const mostTried = 10_000;

/** What rules are tried on: samples of the vault, or staged files, which are gone afterwards. */
export const trialScope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('vault') }),
  z.object({
    kind: z.literal('samples'),
    sha256s: z.array(sha256).min(1, 'a sample').max(mostTried, 'at most 10,000 samples'),
  }),
  z.object({
    kind: z.literal('files'),
    files: z
      .array(stagedUpload.pick({ id: true }))
      .min(1, 'a file')
      .max(mostTried, 'at most 10,000 files'),
  }),
]);
export type TrialScope = z.infer<typeof trialScope>;

/** null: it is a file on disk. */
const trialSample = sha256.nullable();

const trialHit = z.object({
  sha256: trialSample,
  name: z.string().nullable(),
  rules: z.array(
    z.object({
      rule: z.string(),
      matches: count,
      /** Of the first match of a string, in bytes; null where a condition alone decides. */
      offset: count.nullable(),
    }),
  ),
  /** There are more rules, strings or matches than the engine reports of one file: the list is not complete. */
  isCut: z.boolean(),
});
export type TrialHit = z.infer<typeof trialHit>;

/** A trial that runs or has ended. It is in memory alone. */
export const ruleTrial = z.object({
  id: z.string(),
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  failure: failureSchema.nullable(),
  done: count,
  total: count,
  /** Samples that were scanned. */
  scanned: count,
  /** Samples with a hit; `hits` has the first 500 of them. */
  hitTotal: count,
  hits: z.array(trialHit),
  /** Samples that were not scanned; `unscanned` has the first 100 of them. */
  unscannedTotal: count,
  unscanned: z.array(z.object({ sha256: trialSample, name: z.string().nullable(), failure: failureSchema })),
  /** Rules that the engine was stopped by: they were left out from then on. */
  leftOut: z.array(z.string()),
  /** Variables that rules ask for and that are not known of some samples: the results of these rules may be wrong. */
  unknown: z.array(z.string()),
  /** Samples that have more names than they were tried under. */
  namesLeftOut: count,
});
export type RuleTrial = z.infer<typeof ruleTrial>;
