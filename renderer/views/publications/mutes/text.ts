const number = (count: number): string => count.toLocaleString('en');

/** English of mutes. */
export const text = {
  list: 'Mutes',
  line: (count: number, changed: number) =>
    [
      count === 1 ? '1 mute' : `${number(count)} mutes`,
      ...(changed > 0 ? [changed === 1 ? '1 rule changed since' : `${number(changed)} rules changed since`] : []),
    ].join(', '),
  rule: 'Rule',
  sample: 'Sample',
  everySample: 'every sample',
  reason: 'Reason',
  since: 'Since',
  until: 'Until',
  never: 'it is taken back',
  state: 'State',
  states: { inForce: 'in force', expired: 'expired', changed: 'rule changed', gone: 'no such rule now' },
  emptyTitle: 'Nothing is muted',
  emptySentence:
    'A rule that hits what you know already can be muted, in every sample or in one, with a reason and an end.',
  emptyAction: 'Go to the rules',
  mute: (rule: string) => `Mute of ${rule}`,
  changedTitle: 'The rule has changed since it was muted',
  changedThen: 'The mute is still in force. Look whether its reason still holds.',
  goneTitle: 'The active package has no rule of this name',
  goneThen: 'The mute stays, in case the rule comes back.',
  expiredTitle: 'This mute is over',
  expiredThen: 'Give it another end to put it in force again.',
  look: 'Look at the rule',
  keep: 'Keep it muted',
  edit: 'Edit',
  editThis: (rule: string) => `Edit the mute of ${rule}`,
  unmute: 'Unmute',
} as const;
