import { tabNames } from '../../state/navigation.tsx';

/** English of the head of the publications. */
export const text = {
  title: 'Publications',
  tabs: tabNames,
  tabList: 'Publications',

  noRuleEditor: 'No rule editor configured',
  neverChecked: 'Never checked',
  phases: {
    asking: 'Contacting the rule editor',
    fetching: 'Fetching the package',
    gathering: 'Reading the files',
    opening: 'Opening the package',
    compiling: 'Compiling the rules',
  },
  upToDate: (time: string) => `Up to date (checked ${time})`,
  noneThere: (time: string) => `Nothing published (checked ${time})`,
  newer: (time: string) => `Update available (checked ${time})`,
  waits: (time: string) => `Update available (checked ${time})`,
  older: (time: string) => `Only an older version available (checked ${time})`,
  checked: (time: string) => `Checked ${time}`,
  installed: (time: string, version: string) => `${version} installed automatically (checked ${time})`,
  unsure: (time: string) => `Unexpected response (checked ${time})`,
  failed: (time: string) => `Check failed (${time})`,
  cancelled: (time: string) => `Check cancelled (${time})`,
  fileNotOpened: {
    failed: (name: string, time: string) => `${name} could not be opened (${time})`,
    cancelled: (name: string, time: string) => `Opening ${name} was cancelled (${time})`,
  },

  groups: 'Publication groups',
  releaseOnly: 'Release only',
  includeTest: 'Include Test',
  checkNow: 'Check now',
  more: 'More publication actions',
  installFiles: 'Install from files…',
  installFolder: 'Install from a folder…',
  openFileAs: 'Install files as a version…',
  updateSettings: 'Update settings…',
} as const;
