import { numberWords } from '../../../components/byte-words.ts';

/** English of what a workspace does about packages. */
export const text = {
  includeTest: 'Publications of the group Test count too',
  publicLink: 'Fetch through a public link',
  publicLinkHint: 'sends public_link=true',
  encrypted: 'Fetch encrypted packages',
  encryptedHint: 'sends encrypted=true',
  password: 'Package password',
  passwordHint: 'Opens encrypted packages. It is kept with the tokens, and never shown again.',
  passwordStored: 'A password is stored',
  passwordCleared: 'It is removed when you save',
  replacePassword: 'Replace',
  clearPassword: 'Remove',
  keepPassword: 'Keep the stored one',
  versionWhenNone: 'Version that is sent first',
  versionWhenNoneHint: 'While nothing is installed.',
  versionWhenNoneProblem: 'A version of 1 to 64 characters',
  policy: 'When something newer is there',
  policies: {
    'one-click': 'One click installs it; broken rules are named and left out',
    'refuse-broken': 'One click installs it, unless a rule is broken',
    'install-whole': 'It installs itself when nothing is broken and nothing speaks against it',
  },
  checkHours: 'Check every so many hours',
  checkHoursHint: '0: only when you ask.',
  keepCount: 'Packages to keep',
  keepHint: 'Besides the active, the pinned and the new one.',
  wholeNumber: (least: number, most: number) => `A whole number from ${numberWords(least)} to ${numberWords(most)}`,
  forgetMapping: 'Forget the chosen fields of the reply',
  save: 'Save',
  saved: 'Update settings saved',
} as const;
