import type { Mute } from '../../../../shared/domain/mute.ts';

/** What a person has to know of a mute first. */
export type MuteState = 'expired' | 'changed' | 'gone' | 'inForce';

export function muteState({ hasExpired, ruleNow }: Pick<Mute, 'hasExpired' | 'ruleNow'>): MuteState {
  if (hasExpired) return 'expired';
  return ruleNow === 'changed' || ruleNow === 'gone' ? ruleNow : 'inForce';
}

/** Those that want to be looked at come first; else in the order they are in. */
export function byAttention(mutes: readonly Mute[]): Mute[] {
  const place = (mute: Mute): number => (muteState(mute) === 'changed' ? 0 : 1);
  return mutes.toSorted((a, b) => place(a) - place(b));
}
