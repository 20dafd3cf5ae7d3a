import { z } from 'zod';
import type { hitMute } from '../../shared/domain/scan.ts';

type HitMute = z.infer<typeof hitMute>;

/** A mute as the table has it. */
export const muteInForceRow = z.object({ rule: z.string(), reason: z.string(), expires: z.string().nullable() });

/** Of a row `mute`: it holds at a time, given as SQL of a UTC ISO 8601 text. */
export const holdsAt = (time: string): string =>
  `(mute.expires IS NULL OR unixepoch(mute.expires, 'subsec') > unixepoch(${time}, 'subsec'))`;

/** Mutes of a workspace that hold in a sample at a time; one of the sample itself comes before that of every sample. */
export const mutesOfSample = `
  SELECT rule, reason, expires FROM mute WHERE workspace_id = ?1 AND (sample IS NULL OR sample = ?2)
    AND ${holdsAt('?3')}
  ORDER BY sample IS NULL`;

/** The first of each rule. */
export function muteByRule(rows: readonly z.infer<typeof muteInForceRow>[]): Map<string, HitMute> {
  const byRule = new Map<string, HitMute>();
  for (const { rule, reason, expires } of rows) if (!byRule.has(rule)) byRule.set(rule, { reason, expires });
  return byRule;
}
