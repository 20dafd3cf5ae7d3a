import type { FailureOf } from './failure.ts';
import { many, say, type SomeSentences } from './failure-sentence.ts';

const backupAdvice: Record<Exclude<FailureOf<'backup-refused'>['reason'], 'not-chosen'>, string> = {
  inside: 'It lies inside the data it would be a copy of.',
  around: 'The data lies inside it.',
  'not-empty': 'There is something in it already. Choose an empty folder, or an earlier backup of this desk.',
  'other-desk': 'It is the backup of another desk. Choose another folder.',
  link: 'It holds a link or a device, which cannot be copied.',
  'no-backup': 'There is no backup in it. If there was one, its disk may not be connected.',
  unfinished: 'The backup in it did not come to its end. Make it again, or use another one.',
  'other-copy': 'This backup was begun by another copy of this desk, from another folder. Begin one from here.',
  unreadable: 'It cannot be read here. See who may read it, or choose another folder.',
  watched:
    'It is the watched folder, or in it, or around it: what is copied would be taken in again. Choose another folder.',
  'not-for-data':
    'A backup is restored into an empty folder alone, or one that is not there yet, and never over data. Name another one with --data.',
};

const watchAdvice: Record<FailureOf<'watch-refused'>['reason'], string> = {
  'not-chosen': 'Choose one first.',
  'not-a-folder': 'It is no folder, or cannot be read.',
  'inside-data': 'It lies in the data of this desk.',
  'around-data': 'The data of this desk lies in it.',
  'inside-backup': 'It is a backup, or in one.',
};

/** What a person reads of backups, of the watched folder and of folders in general. */
export const folderSentences = {
  'backup-refused': (failure) => {
    if (failure.reason === 'not-chosen')
      return say('No folder was named for backups', 'End Vitrine and start it with --backups and a folder.');
    return say('This folder cannot be used', `${backupAdvice[failure.reason]} ${failure.path}`.trim());
  },
  'backup-damaged': (failure) =>
    say(
      'The backup is not whole',
      `${damagedFiles(failure)} Nothing was restored. Make the backup again, or use another one: ${failure.path}`,
    ),
  'backup-kept': (failure) =>
    say(
      `The vault’s copy of ${failure.sha256.slice(0, 12)} is gone, damaged, or cannot be read`,
      'The backup keeps the copy that it has from before. Restore it into a new folder to have the sample again.',
    ),
  'backup-missed': (failure) =>
    say(
      `${failure.sha256.slice(0, 12)} is not in the backup`,
      'The vault has no sound copy of it, and no earlier backup has one. Check the vault, download the sample again, and make the backup again.',
    ),
  'watch-refused': (failure) =>
    say('This folder cannot be watched', `${watchAdvice[failure.reason]} ${failure.path}`.trim()),
  'watch-too-many': (failure) =>
    say(
      'Too many files in the watched folder',
      `More than ${many(failure.limit)} lie in ${failure.path}. Nothing more is taken in until there are fewer.`,
    ),
  'watch-file-too-large': (failure) =>
    say(
      `"${failure.name}" is too large to be taken by itself`,
      `${many(failure.sizeBytes)} bytes; the limit is ${many(failure.limitBytes)}. Add it to the upload by hand.`,
    ),
  'export-into-watched': (failure) =>
    say(
      'This folder is watched',
      `What is exported into ${failure.path} would come back as a new file. Choose another folder, or turn the watching off.`,
    ),
  'folder-not-named': () => say('This folder is not known to the host', 'It was named in another run. Name it again.'),
} satisfies SomeSentences;

function damagedFiles({ files, count }: FailureOf<'backup-damaged'>): string {
  if (count === 1) return `${files.join('')} is missing, or is not what was copied.`;
  return `${many(count)} files are missing, or are not what was copied: ${files.join(', ')}${count > files.length ? ', and more' : ''}.`;
}
