function runningJobs(running: number): string {
  if (running === 0) return 'No job is running.';
  return running === 1
    ? '1 job is running and resumes afterwards.'
    : `${running} jobs are running and resume afterwards.`;
}

const filesLeft = (left: number): string =>
  left === 1 ? '1 new or changed file' : `${left.toLocaleString('en')} new or changed files`;

/** English of the storage. */
export const text = {
  sentence: 'All local data is in one folder.',
  startOption:
    'To move it, quit, then start once with --move-data-to DIR (an empty folder). ' +
    'The data is copied, verified and used there from then on.',
  directory: 'Folder',
  samples: 'Samples',
  samplesKept: (count: number) => `${count.toLocaleString('en')}, stored encrypted`,
  free: 'Free space',
  notSaid: 'unknown',
  reading: 'Calculating sizes…',
  openFolder: 'Open folder',

  move: 'Move…',
  moveTitle: 'Move all local data?',
  from: 'From',
  to: 'To',
  sizeOfMove: (size: string, files: number) =>
    `${size} in ${files === 1 ? '1 file' : `${files.toLocaleString('en')} files`}`,
  moveSentence:
    'Vitrine restarts, then copies and verifies all data before its window opens. A large vault takes a while. ' +
    'If the move fails, the old folder stays in use. The old copy is kept until you remove it here.',
  jobsGoOn: (running: number) => `${runningJobs(running)} Unfinished single downloads and exports are cancelled.`,
  stay: 'Cancel',
  restartAndMove: 'Restart and move',
  restarting: 'Restarting…',

  oldCopy: 'Old copy',
  oldCopySentence: 'The data was moved. The old folder still has a copy.',
  removeOld: 'Remove old copy…',
  removeOldTitle: 'Remove old copy?',
  removeOldSentence: 'Copied files are deleted from this folder. Files added or changed since the move are kept.',
  keepOld: 'Cancel',
  removeOldVerb: 'Remove old copy',
  removingOld: 'Removing…',
  oldCopyGone: (size: string, left: number, path: string) =>
    left === 0 ? `Old copy removed, ${size} reclaimed` : `${size} reclaimed. ${filesLeft(left)} left in ${path}`,

  places: 'Disk usage',
  place: 'Location',
  size: 'Size',
  files: 'Files',
  total: 'Total',
  placeNames: {
    vault: 'Vault',
    packages: 'Rule packages',
    database: 'Database',
    staging: 'Upload drafts',
    lab: 'Lab',
    logs: 'Log',
  },

  backup: 'Backup',
  backupSentence:
    'Copies all local data to a folder while you work. An existing backup is updated: only new data is copied.',
  backupTokens:
    'Samples stay encrypted. Tokens in the system keychain are not included; enter them again on another computer.',
  backUpNow: 'Back up now',
  startOver: 'Start new backup there',
  into: 'into',
  noBackup: 'No backup yet.',
  lastBackup: 'Last backup',
  showBackup: 'Show job',
  backUpTo: 'Back up now…',
  otherBackupFolder: 'Other folder…',
  backupFolderTitle: 'Choose an empty folder, or an earlier backup of this data',
  backUpHere: 'Back up here',
  missed: (samples: number) =>
    `${samples === 1 ? '1 sample is' : `${samples.toLocaleString('en')} samples are`} not in the backup`,
  missedThen: 'The vault cannot read them, and no earlier backup has them. Everything else is included.',
  restoreSentence:
    'To restore it, run this in a terminal. Every byte is verified first, and existing data is never overwritten.',
  copyCommand: 'Copy command',

  check: 'Vault check',
  checkSentence: 'Reads every sample and verifies its hashes. Missing or modified samples are flagged in the library.',
  startCheck: 'Check vault',
  noCheck: 'The vault has not been checked yet.',
  lastCheck: 'Last check',
  allSound: (samples: number) =>
    samples === 1 ? '1 sample intact' : `all ${samples.toLocaleString('en')} samples intact`,
  notSound: (missing: number, altered: number) =>
    [
      missing > 0 && `${missing.toLocaleString('en')} missing`,
      altered > 0 && `${altered.toLocaleString('en')} modified`,
    ]
      .filter(Boolean)
      .join(', '),
  showDamaged: 'Show samples',
  showJob: 'Show check',

  cleanUp: 'Clean up',
  cleanUpSentence: 'Deletes left-over files: forgotten samples, and files left by a crash.',
  givesBack: (size: string) => `${size} can be reclaimed.`,
  nothingUnused: 'Nothing to reclaim.',
  cleaning: 'Cleaning up…',
  gaveBack: (size: string) => `${size} reclaimed`,
  gaveNothing: 'Nothing to reclaim',
} as const;
