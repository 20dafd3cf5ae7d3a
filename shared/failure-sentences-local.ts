import { assertNever } from './assert-never.ts';
import { bytes, counted, type FailureSentence, many, quoted, print, type SomeSentences } from './failure-sentence.ts';
import type { FailureOf } from './failure.ts';

const noFolder = 'is not a folder, or is inside a file. Choose another one.';
const noFolderAdvice = new Map([
  ['EEXIST', noFolder],
  ['ENOTDIR', noFolder],
  ['ENOENT', 'does not exist, or its parent folder does not. Create it, or choose another one.'],
]);

type NotOwn = FailureOf<'not-own'>;
const notOwn: Readonly<Record<NotOwn['reason'], (failure: NotOwn) => FailureSentence>> = {
  owner: ({ path, owner }) =>
    print(
      'This data belongs to another user of this computer',
      `${path} is owned by user ID ${owner}, so it was not used. Start Vitrine as that user, or delete it if planted.`,
    ),
  writable: ({ path }) =>
    print(
      'Other users of this computer can change this data',
      `${path} was not used. If you trust its content, run chmod go-w on it; otherwise delete it.`,
    ),
  link: ({ path }) =>
    print(
      'A file of the data is a link',
      `${path} leads to another place, so it was not used. Replace it with the file itself, or delete it.`,
    ),
  shared: ({ path }) =>
    print(
      'This folder is shared with other users of this computer',
      `${path} contains other files, so it was not made private. Choose an empty folder for the data.`,
    ),
};

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Sentences for the disk, the data folder, the token store and processes of Vitrine. */
export const dataSentences = {
  'disk-full': (failure) =>
    print('The disk is full', `Free some space for ${failure.path} and try again. Completed work is safe.`),
  'not-writable': (failure) =>
    print(
      'Cannot write to this folder',
      `${failure.path} ${
        noFolderAdvice.get(failure.code) ?? `(${failure.code}). Choose another one, or change its permissions.`
      }`,
    ),
  'disk-failed': (failure) =>
    print('Disk error', `${failure.path} (${failure.code}). Incomplete files were discarded.`),
  'data-newer': (failure) =>
    print(
      'This data is from a newer version of Vitrine',
      `${failure.path} has version ${failure.found}; this Vitrine reads up to ${failure.supported}. ` +
        'Update Vitrine; nothing was changed.',
    ),
  'data-in-use': (failure) =>
    print(
      'Another Vitrine is using this data',
      `${failure.path} is locked by another process. Close it, or choose another folder with --data.`,
    ),
  'data-gone': (failure) =>
    print(
      'The data folder is missing',
      `${failure.path} was moved, deleted, unmounted or replaced. Nothing is written until it is back.`,
    ),
  'folder-gone': (failure) =>
    print(
      'A folder in the data folder is missing',
      `${failure.path} was moved, deleted or unmounted. Put it back, then try again; other data is not changed.`,
    ),
  'data-not-held': (failure) =>
    print(
      'Another Vitrine may have opened this data',
      `The lock ${failure.path} was removed or replaced, so nothing more is written. Restart Vitrine.`,
    ),
  'not-own': (failure) => notOwn[failure.reason](failure),
  'data-unfinished': (failure) =>
    print(
      'This folder contains an unfinished copy',
      `The move or restore to ${failure.path} did not finish; its source is intact. ` +
        'Restore again, or start without --data and move again.',
    ),
  'location-damaged': (failure) =>
    print(
      'The location of the data is unknown',
      `${failure.path}, which stores it, was modified. ` +
        'Start with --data DIR, or delete that file if you never moved the data.',
    ),
  'move-refused': (failure) => print('The data was not moved', moveAdvice(failure.reason, failure.path)),
  'data-damaged': (failure) =>
    print(
      'The database is damaged',
      `${failure.path} (${failure.code}). Nothing was changed. Restore it from a backup.`,
    ),
  'not-in-vault': () => print('This sample is not in the vault', 'Download it first.'),
  'vault-damaged': (failure) =>
    print(
      'The sample in the vault is damaged',
      `Its bytes do not match ${failure.sha256.slice(0, 12)}, so it is not used. Download it again.`,
    ),
  'storage-busy': () =>
    print('The vault is in use', 'Nothing was changed. Wait until no job is running, then try again.'),
  'port-busy': (failure) =>
    print(`Port ${failure.port} is in use`, 'Another program is using it. Choose a different one with --port.'),
  'worker-ended': (failure) =>
    print(
      `A background task stopped while ${failure.task}`,
      `Incomplete results were discarded; try again (${failure.code}).`,
    ),
  'lab-down': (failure) =>
    failure.restarts === 0
      ? print('The lab is still starting', 'Try again in a moment.')
      : print(
          'The lab is not running',
          `It stopped ${times(failure.restarts)} and is restarting. Try again in a moment.`,
        ),
  'lab-failed': (failure) => {
    const why = failure.text === '' ? '' : `: “${failure.text}”`;
    return print(
      'The lab failed to start',
      `It stopped ${times(failure.attempts)} in a row (${failure.end})${why}. Start it again, or see ${failure.log}.`,
    );
  },
  'secrets-locked': () => print('The token store is locked', 'Enter its passphrase in Settings > Tokens.'),
  'passphrase-wrong': () => print('Wrong passphrase', 'The token store is still locked. Nothing was changed.'),
  'passphrase-short': (failure) =>
    print('The passphrase is too short', `Use at least ${many(failure.minimum)} characters.`),
  'secrets-damaged': (failure) =>
    print(
      'The token store is damaged',
      `Cannot read ${failure.path}. See Settings > Tokens, then enter the tokens again.`,
    ),
  'keychain-failed': (failure) =>
    print(
      'The system keychain did not respond',
      `${failure.backend} is locked or refused access. Unlock it and try again; no token was stored unencrypted.`,
    ),
} satisfies SomeSentences;

function moveAdvice(reason: FailureOf<'move-refused'>['reason'], path: string): string {
  switch (reason) {
    case 'same':
      return `It is already in ${path}.`;
    case 'inside':
      return `${path} is inside the folder to move. Choose one outside it.`;
    case 'not-empty':
      return `${path} is not empty. Choose an empty folder, or a new one.`;
    case 'link':
      return `${path} is a link or a device. Replace it with its target, or remove it.`;
    case 'no-data':
      return `${path} contains no data. To start with another folder, use --data.`;
    case 'named':
      return `${path} was set with --data. Quit Vitrine, move the folder, then start with its new path.`;
    case 'not-chosen':
      return `It is in ${path}. Choose the destination folder again.`;
    default:
      return assertNever(reason);
  }
}

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

const refusedNameWords = {
  absolute: 'It is an absolute path.',
  dotted: 'Its path leads out of the archive.',
  link: 'It is a link.',
  device: 'It is a device.',
  reserved: 'Windows reserves this name.',
  control: 'It contains control characters.',
} as const;

/** Sentences for received bytes and archives. */
export const archiveSentences = {
  'wrong-bytes': (failure) =>
    print(
      'The received bytes do not match the MD5',
      `Expected ${failure.md5}, received ${failure.actualMd5} (${bytes(failure.sizeBytes)}). The file was discarded.`,
    ),
  'sha256-contradicts': (failure) =>
    print(
      'The received bytes do not match the record’s SHA-256',
      `Only the MD5 matches: recorded ${failure.recordedSha256}, received ${failure.actualSha256}. ` +
        'The file was discarded; one of the two may be forged.',
    ),
  'two-samples-one-md5': (failure) =>
    print('Two different samples have this MD5', `They are stored separately: ${failure.sha256s.join(', ')}.`),
  'archive-damaged': (failure) =>
    print(
      `“${failure.name}” is damaged: ${lowerFirst(failure.reason)}`,
      'Files that could be read and verified were kept.',
    ),
  'archive-limit': (failure) =>
    print(`“${failure.name}” ${overLimit(failure)}`, 'Reading stopped at the limit. Files before it were kept.'),
  'archive-password': (failure) => print(`No known password opens “${failure.name}”`, 'Enter its password.'),
  'archive-empty': (failure) => print(`“${failure.name}” contains no files`, 'Send the archive itself if you need it.'),
  'archive-name-refused': (failure) =>
    print(
      `“${failure.name}” has an unsafe name`,
      `${refusedNameWords[failure.reason]} The other files are not affected.`,
    ),
  'archive-unsupported': (failure) =>
    print(`Cannot unpack “${failure.name}”: it uses ${failure.feature}`, 'The other files are not affected.'),
  'archive-truncated': (failure) =>
    print(
      'The archive is incomplete',
      `Received ${bytes(failure.receivedBytes)}. Complete files were kept; only the rest is downloaded again.`,
    ),
  'archive-duplicate': (failure) =>
    print(`The archive contains “${failure.name}” twice`, 'The first one is used; the second was discarded.'),
  'archive-entry-unasked': (failure) =>
    print('The archive contains a file that was not requested', `“${failure.name}” was discarded.`),
  'not-in-archive': () =>
    print('The sample is missing from the service’s archive', 'Try again, or contact the service’s administrator.'),
  'not-an-archive': (failure) =>
    print(
      'The service did not send an archive',
      `Status ${failure.status}, ${failure.address}.${quoted(failure.text)}`,
    ),
} satisfies SomeSentences;

function overLimit({ limit, value }: FailureOf<'archive-limit'>): string {
  const words = {
    members: 'contains more than %s files',
    'member-size': 'contains a file of more than %s bytes',
    'total-size': 'unpacks to more than %s bytes',
    expansion: 'unpacks to more than %s times its size',
    depth: 'is nested more than %s levels deep',
  } as const;
  return words[limit].replace('%s', many(value));
}

/** Sentences for cases and bundles. */
export const bundleSentences = {
  'case-empty': () =>
    print(
      'None of these samples is in the library',
      'Look up the hashes first, or choose other samples. Nothing was written.',
    ),
  'case-too-large': (failure) =>
    print(
      `${many(failure.found)} samples are too many for this format`,
      `The limit is ${many(failure.limit)}. Choose fewer, or use CSV or JSON Lines, which have no limit.`,
    ),
  'sample-too-large': (failure) =>
    print(
      `A sample file was skipped: ${counted(failure.sizeBytes, 'byte')}`,
      `${failure.sha256} is over the limit of ${counted(failure.limitBytes, 'byte')} for an event. ` +
        'Its metadata is included; export the file separately.',
    ),
  'tlp-too-open': (failure) =>
    print(
      `${failure.tlp} is less strict than a sample in the case`,
      `One sample is ${failure.strictest}. Choose at least that TLP, or remove the sample.`,
    ),
  'tlp-unknown': (failure) =>
    print(
      `The TLP of ${counted(failure.samples, 'sample')} is unknown`,
      'No record has been fetched. Fetch the records, choose TLP:RED, or confirm that you know the TLP.',
    ),
  'bundle-unknown': (failure) =>
    print(`“${failure.name}” is not a bundle`, 'It does not start like a Vitrine bundle. Nothing was changed.'),
  'bundle-newer': (failure) =>
    print(
      'This bundle is from a newer version of Vitrine',
      `It has format ${failure.found}; this version reads up to ${failure.supported}. ` +
        'Update Vitrine; nothing was changed.',
    ),
  'bundle-damaged': (failure) =>
    print(
      'This bundle is damaged or was modified',
      `Verification failed at byte ${many(failure.atByte)}. Nothing was imported; get the file again.`,
    ),
  'bundle-truncated': (failure) =>
    print(
      'This bundle is incomplete',
      `It ends after ${counted(failure.receivedBytes, 'byte')}. Nothing was imported; get the file again.`,
    ),
  'bundle-passphrase-wrong': () =>
    print(
      'Wrong passphrase for this bundle',
      'It is case-sensitive; check it with the person who made the bundle. Nothing was changed.',
    ),
  'bundle-not-signed': () =>
    print('The bundle’s signature is not valid', 'Its content does not match the key it names. Nothing was imported.'),
  'bundle-not-ready': () =>
    print('No bundle is ready to import', 'Open one first: it is verified completely before anything is changed.'),
  'bundle-changed': (failure) =>
    print(
      `“${failure.name}” changed after it was verified`,
      'Data imported before that is kept. Open the file again for the rest.',
    ),
  'bundle-contradicts': (failure) =>
    print(
      'The bundle contradicts the library',
      `Its data for ${failure.hash} belongs to another file with one hash in common. Your data was not changed.`,
    ),
  'bundle-note-full': (failure) =>
    print(
      'A note from the bundle did not fit',
      `The note of ${failure.sha256} is unchanged; the rest was imported. Shorten it, then import the bundle again.`,
    ),
  'bundle-cut': (failure) =>
    print(
      'A sample has more data than a bundle can hold',
      `Some tags, comments or records of ${failure.hash} were skipped. The rest is in the bundle.`,
    ),
} satisfies SomeSentences;

const backupAdvice: Record<Exclude<FailureOf<'backup-refused'>['reason'], 'not-chosen'>, string> = {
  inside: 'It is inside the data folder.',
  around: 'The data folder is inside it.',
  'not-empty': 'It is not empty. Choose an empty folder, or an earlier backup of this data.',
  'other-desk': 'It contains a backup of other data. Choose another folder.',
  link: 'It contains a link or a device, which cannot be copied.',
  'no-backup': 'It contains no backup. If there was one, its disk may not be connected.',
  unfinished: 'Its backup is incomplete. Make it again, or use another one.',
  'other-copy': 'Its backup was started by a copy of this data in another folder. Start a new backup here.',
  unreadable: 'It cannot be read. Check its permissions, or choose another folder.',
  watched: 'It overlaps the watched folder, so copied files would be added again. Choose another folder.',
  'not-for-data': 'A backup is restored only to an empty or a new folder. Choose another one with --data.',
};

const watchAdvice: Record<FailureOf<'watch-refused'>['reason'], string> = {
  'not-chosen': 'Choose one first.',
  'not-a-folder': 'It is not a folder, or cannot be read.',
  'inside-data': 'It is inside the data folder.',
  'around-data': 'The data folder is inside it.',
  'inside-backup': 'It is a backup, or inside one.',
};

/** Sentences for backups, the watched folder and other folders. */
export const folderSentences = {
  'backup-refused': (failure) =>
    failure.reason === 'not-chosen'
      ? print('No backup folder chosen', 'Choose one, then back up again.')
      : print('Cannot use this folder', `${backupAdvice[failure.reason]} ${failure.path}`.trim()),
  'backup-damaged': (failure) =>
    print(
      'The backup is damaged',
      `${damagedFiles(failure)} Nothing was restored. Make the backup again, or use another one: ${failure.path}`,
    ),
  'backup-kept': (failure) =>
    print(
      `The vault’s copy of ${failure.sha256.slice(0, 12)} is missing, damaged or unreadable`,
      'The backup keeps its earlier copy. Restore it to a new folder to get the sample back.',
    ),
  'backup-missed': (failure) =>
    print(
      `${failure.sha256.slice(0, 12)} is not in the backup`,
      'Neither the vault nor an earlier backup has an intact copy. ' +
        'Check the vault, download the sample again, then back up again.',
    ),
  'watch-refused': (failure) =>
    print('Cannot watch this folder', `${watchAdvice[failure.reason]} ${failure.path}`.trim()),
  'watch-too-many': (failure) =>
    print(
      'Too many files in the watched folder',
      `${failure.path} contains more than ${many(failure.limit)}. No more are added until there are fewer.`,
    ),
  'watch-file-too-large': (failure) =>
    print(
      `“${failure.name}” is too large to be added automatically`,
      `${bytes(failure.sizeBytes)}; the limit is ${bytes(failure.limitBytes)}. Add it to the upload yourself.`,
    ),
  'export-into-watched': (failure) =>
    print(
      'This folder is watched',
      `Files exported to ${failure.path} would be added as new files. Choose another folder, or turn off watching.`,
    ),
} satisfies SomeSentences;

function damagedFiles({ files, count }: FailureOf<'backup-damaged'>): string {
  if (count === 1) return `${files.join('')} is missing or modified.`;
  const more = count > files.length ? ', and more' : '';
  return `${many(count)} files are missing or modified: ${files.join(', ')}${more}.`;
}

/** Sentences for the library, workspaces and jobs. */
export const librarySentences = {
  'not-in-library': () => print('This sample is not in the library', 'Look it up first.'),
  'workspace-missing': () => print('This workspace no longer exists', 'It was removed. Choose another one.'),
  'workspace-built-in': () => print('The built-in lab cannot be changed', 'Add a workspace of your own.'),
  'workspace-changed': () =>
    print('This workspace was changed elsewhere', 'Nothing was saved. Review the current settings, then save again.'),
  'no-export-folder': () =>
    print('No export folder', 'Choose a folder, or start Vitrine with --exports DIR. Nothing was written.'),
  'job-missing': (failure) => print(`Job ${failure.id} not found`, 'It was removed from the list, or never existed.'),
  'job-state': (failure) => print(`Not possible for job ${failure.id}`, `The job is ${failure.state}.`),
  'job-too-large': (failure) =>
    print('Too many items for one job', `The limit is ${many(failure.limit)}. Split the list.`),
  'nothing-selected': () => print('None of these samples is in the vault', 'Download them first, then export.'),
  'nothing-to-undo': () => print('Nothing to undo', 'It was already undone, or is too old.'),
  'selection-changed': (failure) =>
    print(
      failure.found === failure.expected
        ? 'The selection now has different samples'
        : `The selection now has ${many(failure.found)} samples, not ${many(failure.expected)}`,
      'The library changed in the meantime. Nothing was forgotten.',
    ),
  'ticks-changed': () =>
    print('The ticked files have changed', 'Nothing was removed. Check which files are ticked, then remove them.'),
  'view-missing': () => print('This saved view no longer exists', 'Save the query as a new view.'),
  'view-name-taken': () =>
    print('Another saved view has this name', 'Choose another name, or rename that view. Nothing was changed.'),
  'too-many-views': (failure) =>
    print(`Limit of ${many(failure.limit)} saved views reached`, 'Remove one, then save again.'),
} satisfies SomeSentences;

/** Sentences for packages of rules, rules and mutes. */
export const rulesSentences = {
  'package-unreadable': (failure) =>
    print(
      'Cannot open this package',
      `It is stored as received (${failure.sha256.slice(0, 12)}).${quoted(failure.text)}`,
    ),
  'package-too-large': (failure) =>
    print('This package is too large', `The limit is ${bytes(failure.limitBytes)}. The package was not stored.`),
  'package-missing': () =>
    print('This package is no longer stored', 'Publications lists the packages that are available.'),
  'package-in-use': (failure) =>
    print(`${failure.version} is in use`, 'Activate another package or unpin this one, then remove it.'),
  'package-has-broken': (failure) =>
    print(
      `${failure.version} has ${counted(failure.broken, 'broken rule')}`,
      'This workspace installs only packages without broken rules. You can change that in the update settings.',
    ),
  'package-removes-many': (failure) =>
    print(
      `${failure.version} would remove ${many(failure.removed)} of ${many(failure.rules)} rules`,
      'That is more than a fifth, so it was not installed. Confirm the removal to install it.',
    ),
  'no-rule-files': (failure) =>
    print(
      'No rule files found',
      'Rule files end in .yar, .yara, .rule or .rules, or are in a ZIP. ' +
        `${counted(failure.leftOut, 'other file')} ${failure.leftOut === 1 ? 'was' : 'were'} skipped.`,
    ),
  'package-pinned': (failure) => print(`${failure.version} is pinned`, 'Unpin it to install another package.'),
  'no-package': () => print('No rules installed', 'Check for updates, or install rules from files.'),
  'check-busy': () => print('A check is already in progress', 'Wait for it to finish, or cancel it.'),
  'rule-missing': (failure) =>
    print(`Rule ${failure.name} not found`, 'The active package has changed. Reload the list of rules.'),
  'rule-broken': (failure) => print(`A rule in ${failure.file}, line ${failure.line}, does not compile`, failure.text),
  'mute-missing': () => print('This mute no longer exists', 'The rule is already unmuted.'),
  'mute-changed': () => print('The mute was changed in the meantime', 'It was left as it is.'),
  'no-active-rules': () =>
    print('This workspace has no active rules', 'Install a package in Publications to scan new files.'),
} satisfies SomeSentences;
