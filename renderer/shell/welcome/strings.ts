/** English of the welcome. */
export const text = {
  title: 'Welcome to Vitrine',
  skip: 'Skip welcome',
  steps: 'Steps',
  stepOf: (at: number, all: number) => `Step ${at} of ${all}`,
  back: 'Back',
  next: 'Next',
  done: 'Start working',

  names: { storage: 'How samples are stored', services: 'Your services', try: 'First steps' },

  storedEncryptedSentence:
    'Vitrine is a workstation for malware samples and YARA rules: look up and store samples, scan them with the ' +
    'rules of your team, and share your findings.',
  storedEncrypted: [
    {
      title: 'Stored encrypted',
      sentence:
        'Samples are stored encrypted, so nothing can run them and your antivirus ignores them. ' +
        'Vitrine never executes a sample.',
    },
    {
      title: 'Exported as password ZIP',
      sentence: 'Exports are encrypted ZIPs. Exporting a live file needs a typed confirmation.',
    },
    {
      title: 'Sent only by you',
      sentence: 'Nothing is sent until you press Send. Every step is logged in the journal.',
    },
  ],

  servicesSentence:
    'A workspace is a repository, a rule editor, or both, with their tokens. ' +
    'Until you add one, use the lab: both services on this computer, with harmless sample files to try.',
  connect: 'Connect your services',
  withLab: 'Continue with the lab',
  workspace: 'Workspace to start with',
  typedLost: 'Everything you entered will be lost, including tokens.',

  trySample: 'Look up a sample file',
  trySampleSentence: 'Harmless files from the lab. Download one to save it to the vault.',
  labStarting: 'The lab is starting. Its sample files appear here.',
  tryHash: 'Look up a hash',
  tryHashSentence: 'MD5, SHA-1 or SHA-256, alone or in any text.',
  openLookup: 'Open Look up',
  tryRules: 'Check for new rules',
  tryRulesSentence: 'Fetches the newest package from the rule editor and shows its rules before you install it.',
  checkRules: 'Check for new rules',
  tryPalette: 'Find anything with one shortcut',
  tryPaletteSentence: 'Samples, rules, views and every action, with their keyboard shortcuts.',
  openPalette: 'Open command palette',
} as const;
