import { formatNumber } from '../../components/format.ts';

/** English of the rule update settings of a workspace. */
export const text = {
  noPublications: 'This rule editor has no publications: groups, links and encryption do not apply.',
  includeTest: 'Include Test publications',
  publicLink: 'Fetch through a public link',
  publicLinkHint: 'sends public_link=true',
  encrypted: 'Fetch encrypted packages',
  encryptedHint: 'sends encrypted=true',
  relaxed: 'Relaxed regular expressions',
  relaxedHint: 'accepts escapes and braces that YARA 4 allows and YARA-X rejects; recompiles stored packages',
  password: 'Package password',
  passwordHint: 'Opens encrypted packages. Stored with the tokens and never shown again.',
  passwordStored: 'A password is stored',
  passwordCleared: 'Removed when you save',
  replacePassword: 'Replace',
  clearPassword: 'Remove',
  keepPassword: 'Keep stored password',
  versionWhenNone: 'Initial version',
  versionWhenNoneHint: 'Sent while no package is installed.',
  versionWhenNoneProblem: 'Enter 1 to 64 characters',
  policy: 'When an update is available',
  policies: {
    'one-click': 'Install with one click; skip broken rules',
    'refuse-broken': 'Install with one click, unless a rule is broken',
    'install-whole': 'Install automatically if no rule is broken and there are no warnings',
  },
  checkHours: 'Check interval (hours)',
  checkHoursHint: '0: only when you check.',
  keepCount: 'Packages to keep',
  keepHint: 'In addition to the active, pinned and new package.',
  wholeNumber: (least: number, most: number) =>
    `Enter a whole number from ${formatNumber(least)} to ${formatNumber(most)}`,
  variables: 'Variables for rules',
  variablesHint:
    'One per line: site = "lab", limit = 5, ratio = 1.5, is_lab = true. A new name or type recompiles the packages.',
  variablesProblem: (line: number, problem: string) => `Line ${formatNumber(line)}: ${problem}`,
  forgetMapping: 'Forget reply field mapping',
  save: 'Save',
  saved: 'Update settings saved',

  news: {
    found: (version: string, counts: string) => `${version} is available${counts === '' ? '' : `: ${counts}`}`,
    installed: (version: string, counts: string) => `${version} is installed${counts === '' ? '' : `: ${counts}`}`,
    failed: (version: string | null) =>
      version === null ? 'The check for new rules failed' : `${version} could not be downloaded or installed`,
    unnamed: 'A new package',
    of: (workspace: string, words: string) => `${workspace}: ${words}`,
    look: 'Show',
  },
} as const;
