/** English of the welcome. */
export const text = {
  title: 'Welcome to Vitrine',
  skip: 'Skip the welcome',
  steps: 'Steps',
  stepOf: (at: number, all: number) => `Step ${at} of ${all}`,
  back: 'Back',
  next: 'Next',
  done: 'Start working',

  names: { inert: 'How samples are kept', services: 'Your services', try: 'Something to try' },

  inertSentence:
    'Vitrine is a desk for malware samples and detection rules: look samples up, keep them, scan them with the rules of your team, and send what you found.',
  inert: [
    {
      title: 'Inert at rest',
      sentence:
        'A sample is kept in an encrypted container that nothing can run and no scanner wakes up for. Vitrine opens and runs none.',
    },
    {
      title: 'Out in a password ZIP',
      sentence: 'An export is an encrypted ZIP. Raw files leave only after you typed a word for it.',
    },
    {
      title: 'Sent when you send it',
      sentence: 'Samples, hashes and comments go to a service when you press for it, and each step is in the journal.',
    },
  ],

  servicesSentence:
    'A workspace is a repository, a rule editor, or both, with their tokens. The lab stands in for them until you have one: both services, on this computer, with specimens to try things on.',
  connect: 'Connect your services',
  withLab: 'Go on with the lab',
  workspace: 'Workspace to begin with',
  typedLost: 'What was typed in it is lost, a token too.',

  trySample: 'Look up a specimen',
  trySampleSentence: 'Harmless files of the lab. Download one, and it is in the vault.',
  labStarting: 'The lab is starting; its specimens appear here.',
  tryHash: 'Look up a hash',
  tryHashSentence: 'An MD5, SHA-1 or SHA-256, alone or in any text.',
  openLookup: 'Go to the look-up',
  tryRules: 'Check for new rules',
  tryRulesSentence: 'Asks the rule editor for its newest package and shows what is in it before it is used.',
  checkRules: 'Check for new rules',
  tryPalette: 'Find anything with one key',
  tryPaletteSentence: 'Samples, rules, rooms and every action, with their keys.',
  openPalette: 'Open the palette',
} as const;
