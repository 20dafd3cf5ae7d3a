import { tabNames } from '../../app/place-names.ts';

/** English of the head of the publications. */
export const text = {
  title: 'Publications',
  tabs: tabNames,
  tabList: 'Parts of the publications',

  noRuleEditor: 'This workspace has no rule editor',
  neverChecked: 'Never checked',
  phases: {
    asking: 'Asking the rule editor',
    fetching: 'Fetching the package',
    gathering: 'Reading the files',
    opening: 'Opening the package',
    compiling: 'Compiling the rules',
  },
  upToDate: (time: string) => `Checked ${time}, nothing is newer than yours`,
  noneThere: (time: string) => `Checked ${time}, nothing is published`,
  newer: (time: string) => `Checked ${time}, one is newer than yours`,
  waits: (time: string) => `Checked ${time}, one can be installed`,
  older: (time: string) => `Checked ${time}, what is offered is older than yours`,
  checked: (time: string) => `Checked ${time}`,
  installed: (time: string, version: string) => `Checked ${time}, ${version} was installed by itself`,
  unsure: (time: string) => `Checked ${time}, the reply does not tell`,
  failed: (time: string) => `The check at ${time} failed`,
  cancelled: (time: string) => `The check at ${time} was cancelled`,
  fileNotOpened: {
    failed: (name: string, time: string) => `${name} could not be opened (${time})`,
    cancelled: (name: string, time: string) => `Opening ${name} was cancelled (${time})`,
  },

  groups: 'Which publications count',
  releaseOnly: 'Release only',
  includeTest: 'Include Test',
  checkNow: 'Check now',
  more: 'More of the publications',
  installFiles: 'Install from files…',
  installFolder: 'Install from a folder…',
  openFileAs: 'Install files as a version…',
  updateSettings: 'Update settings…',
} as const;
