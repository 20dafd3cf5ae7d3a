import type { FailureOf } from './failure.ts';
import { bytes, many, say, type SomeSentences } from './failure-sentence.ts';

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
      ? say('No backup folder set', 'Quit, then start with --backups DIR.')
      : say('Cannot use this folder', `${backupAdvice[failure.reason]} ${failure.path}`.trim()),
  'backup-damaged': (failure) =>
    say(
      'The backup is damaged',
      `${damagedFiles(failure)} Nothing was restored. Make the backup again, or use another one: ${failure.path}`,
    ),
  'backup-kept': (failure) =>
    say(
      `The vault’s copy of ${failure.sha256.slice(0, 12)} is missing, damaged or unreadable`,
      'The backup keeps its earlier copy. Restore it to a new folder to get the sample back.',
    ),
  'backup-missed': (failure) =>
    say(
      `${failure.sha256.slice(0, 12)} is not in the backup`,
      'Neither the vault nor an earlier backup has an intact copy. ' +
        'Check the vault, download the sample again, then back up again.',
    ),
  'watch-refused': (failure) =>
    say('Cannot watch this folder', `${watchAdvice[failure.reason]} ${failure.path}`.trim()),
  'watch-too-many': (failure) =>
    say(
      'Too many files in the watched folder',
      `${failure.path} contains more than ${many(failure.limit)}. No more are added until there are fewer.`,
    ),
  'watch-file-too-large': (failure) =>
    say(
      `“${failure.name}” is too large to be added automatically`,
      `${bytes(failure.sizeBytes)}; the limit is ${bytes(failure.limitBytes)}. Add it to the upload yourself.`,
    ),
  'export-into-watched': (failure) =>
    say(
      'This folder is watched',
      `Files exported to ${failure.path} would be added as new files. Choose another folder, or turn off watching.`,
    ),
  'folder-not-named': () => say('Unknown folder', 'It was chosen in an earlier session. Choose it again.'),
} satisfies SomeSentences;

function damagedFiles({ files, count }: FailureOf<'backup-damaged'>): string {
  if (count === 1) return `${files.join('')} is missing or modified.`;
  const more = count > files.length ? ', and more' : '';
  return `${many(count)} files are missing or modified: ${files.join(', ')}${more}.`;
}
