import { z } from 'zod';
import { sha256 } from './hash.ts';
import { workspaceId } from './workspace.ts';

export const muteId = z.number().int().positive();
const reason = z.string().trim().min(1, 'a reason').max(500, 'a reason of at most 500 characters');
/** Its key: see `keyOf` in rule-names.ts. */
const ruleName = z.string().min(1, 'a rule').max(1000, 'a rule name of at most 1,000 characters');
/** UTC, ISO 8601. */
const time = z.iso.datetime();

/**
 * The hits of a rule, or of a rule in one sample, that are not to be shown as hits. It holds for rules of that key, in
 * every package.
 */
export const muteDraft = z.object({
  workspaceId,
  rule: ruleName,
  /** null: in every sample. */
  sample: sha256.nullable(),
  reason,
  /** null: until unmuted. */
  expires: time.nullable(),
});
export type MuteDraft = z.infer<typeof muteDraft>;

export const mute = muteDraft.extend({
  id: muteId,
  created: time,
  /**
   * How the active package has the rule now: as it was muted, with another text, or not at all. `unknown` while there
   * is no active package.
   */
  ruleNow: z.enum(['same', 'changed', 'gone', 'unknown']),
  hasExpired: z.boolean(),
});
export type Mute = z.infer<typeof mute>;

const added = z.uuid();
/**
 * `replaces`: the rule was muted there before. `undo`: names this adding of the mute, which may be added several times.
 */
export const addedMute = mute.extend({ undo: added, replaces: z.boolean() });
/** The step to undo. */
export const muteStep = z.union([z.object({ added }), z.object({ removed: muteId })]);
export type MuteStep = z.infer<typeof muteStep>;
export type AddedMute = z.infer<typeof addedMute>;

export const muteChange = z.object({ reason, expires: time.nullable() }).partial();
export type MuteChange = z.infer<typeof muteChange>;
