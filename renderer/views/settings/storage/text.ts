/** English of the storage. */
export const text = {
  sentence: 'All that this desk keeps is in one folder.',
  startOption:
    'To have it elsewhere, end Vitrine and start it once with --move-data-to and an empty folder: it is copied, compared, and used there from then on.',
  directory: 'Folder',
  samples: 'Samples',
  samplesKept: (count: number) => (count === 1 ? '1, inert' : `${count.toLocaleString('en')}, inert`),
  free: 'Free',
  notSaid: 'the system does not say',
  reading: 'Reading the sizes',
  openFolder: 'Open the folder',

  move: 'Move…',
  moveTitle: 'Move all that this desk keeps?',
  from: 'From',
  to: 'To',
  sizeOfMove: (size: string, files: number) =>
    `${size} in ${files === 1 ? 'one file' : `${files.toLocaleString('en')} files`}`,
  moveSentence:
    'Vitrine ends, copies it, compares every byte, and opens again with the copy. Until then there is no window; with much in the vault that takes long. If it cannot be done, it opens again where it was. The old copy stays until you remove it here.',
  jobsGoOn: (running: number) =>
    `${running === 0 ? 'No job is under way.' : `${running === 1 ? 'One job is' : `${running.toLocaleString('en')} jobs are`} under way; afterwards they go on.`} A single download or export that is not done yet is cut off.`,
  stay: 'Leave it here',
  restartAndMove: 'Restart and move',
  restarting: 'Ending',

  oldCopy: 'Old copy',
  oldCopySentence: 'The data was moved here. What was copied is still in the folder where it was, too.',
  removeOld: 'Remove the old copy…',
  removeOldTitle: 'Remove the old copy?',
  removeOldSentence:
    'What was copied from this folder is removed from it. What was put into it or changed since stays. The data of this desk is not touched.',
  keepOld: 'Keep it',
  removeOldVerb: 'Remove the old copy',
  removingOld: 'Removing',
  oldCopyGone: (size: string, left: number, path: string) =>
    left === 0
      ? `The old copy is gone: ${size} given back`
      : `${size} given back. ${left === 1 ? 'One file that was' : `${left.toLocaleString('en')} files that were`} not copied, or changed since, stayed in ${path}`,

  places: 'What takes how much',
  place: 'Place',
  size: 'Size',
  files: 'Files',
  total: 'Together',
  placeNames: {
    vault: 'Vault',
    packages: 'Packages of rules',
    database: 'Database',
    staging: 'Upload drafts',
    lab: 'Lab',
    logs: 'Log',
  },

  backup: 'Backup',
  backupSentence:
    'Copies all that this desk keeps to a folder of yours, while you go on working. Into an earlier backup only what is new is copied.',
  backupTokens:
    'Samples stay inert there. What the system’s keychain holds cannot go along: on another computer, tokens are put in again.',
  backUpNow: 'Back up now',
  beginAnew: 'Begin a new one there',
  into: 'into',
  noBackup: 'No backup was made yet.',
  lastBackup: 'Last backup',
  showBackup: 'Show the job',
  noBackupFolder: 'No folder was named for it. End Vitrine and start it with --backups and a folder.',
  missed: (samples: number) =>
    `${samples === 1 ? 'One sample is' : `${samples.toLocaleString('en')} samples are`} not in it`,
  missedThen: 'The vault cannot read them, and no earlier backup has them. All else is in it.',
  restoreSentence:
    'To put it back, run this in a terminal. Every byte is compared first, and nothing is ever restored over data.',
  copyCommand: 'Copy the command',

  check: 'Vault check',
  checkSentence:
    'Reads every sample and compares it with its hashes. A missing or altered one is marked in the library.',
  startCheck: 'Check the vault',
  noCheck: 'The vault was not checked yet.',
  lastCheck: 'Last check',
  allSound: (samples: number) =>
    samples === 1
      ? 'the one sample is as it was stored'
      : `all ${samples.toLocaleString('en')} samples are as they were stored`,
  notSound: (missing: number, altered: number) =>
    [missing > 0 && `${missing.toLocaleString('en')} missing`, altered > 0 && `${altered.toLocaleString('en')} altered`]
      .filter(Boolean)
      .join(', '),
  showDamaged: 'Show them',
  showJob: 'Show the check',

  cleanUp: 'Clean up',
  cleanUpSentence: 'Removes what nobody needs any more: bytes of forgotten samples, and what a crash left behind.',
  givesBack: (size: string) => `It gives back ${size}.`,
  nothingUnused: 'There is nothing to give back now.',
  cleaning: 'Cleaning up',
  gaveBack: (size: string) => `${size} given back`,
  gaveNothing: 'Nothing was left over',
} as const;
