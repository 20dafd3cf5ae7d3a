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
  never: 'no end date',
  state: 'State',
  states: { inForce: 'in force', expired: 'expired', changed: 'rule changed', gone: 'rule missing' },
  emptyTitle: 'No mutes',
  emptySentence:
    'Mute a rule that hits samples you already know: in every sample or in one, with a reason and an end date.',
  emptyAction: 'Go to Rules',
  mute: (rule: string) => `Mute of ${rule}`,
  changedTitle: 'The rule has changed since it was muted',
  changedThen: 'The mute is still in force. Check whether its reason still applies.',
  goneTitle: 'The active package has no rule of this name',
  goneThen: 'The mute is kept in case the rule returns.',
  expiredTitle: 'This mute has expired',
  expiredThen: 'Set a new end date to mute the rule again.',
  look: 'Show rule',
  keep: 'Keep muted',
  edit: 'Edit',
  editThis: (rule: string) => `Edit mute of ${rule}`,
  unmute: 'Unmute',
} as const;
