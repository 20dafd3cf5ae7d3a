const dayWords = (days: string): string => `${days} days`;

/** English of the forms of a mute, and of what came of them. */
export const text = {
  addTitle: (rule: string) => `Mute ${rule}?`,
  editTitle: (rule: string) => `Edit the mute of ${rule}`,
  add: 'Mute',
  save: 'Save',
  cancel: 'Cancel',
  where: 'Where',
  inEvery: 'In every sample',
  inOne: 'In one sample',
  inThis: 'In this sample',
  sha256: 'SHA-256 of the sample',
  sha256Problem: 'A SHA-256 has 64 hexadecimal digits',
  reason: 'Reason',
  reasonHint: 'For whoever reads it later',
  reasonProblem: 'A mute needs a reason',
  end: 'Until',
  terms: { kept: (time: string) => `As it is: ${time}`, never: 'It is taken back', 7: dayWords('7'), 30: dayWords('30'), 90: dayWords('90'), date: 'A date' },
  date: 'Last day, in UTC',
  datePlaceholder: 'YYYY-MM-DD',
  dateProblem: 'A day that is not over yet, as YYYY-MM-DD',
  muted: (rule: string) => `${rule} is muted`,
  mutedAnew: (rule: string) => `${rule} is muted anew: the mute it had is replaced`,
  unmuted: (rule: string) => `${rule} is not muted any more`,
  notUndone: (what: string) => `Not undone: ${what}`,
} as const;
