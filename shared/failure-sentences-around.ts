import { assertNever } from './assert-never.ts';
import type { Failure, FailureOf } from './failure.ts';
import type { FailureSentence } from './failure-sentences.ts';

type AroundKind =
  | 'case-empty'
  | 'case-too-large'
  | 'sample-too-large'
  | 'tlp-too-open'
  | 'tlp-unknown'
  | 'bundle-unknown'
  | 'bundle-newer'
  | 'bundle-damaged'
  | 'bundle-truncated'
  | 'bundle-passphrase-wrong'
  | 'bundle-not-signed'
  | 'bundle-not-ready'
  | 'bundle-changed'
  | 'bundle-contradicts'
  | 'bundle-note-full'
  | 'bundle-cut'
  | 'comment-of-bundle'
  | 'backup-refused'
  | 'backup-damaged'
  | 'backup-kept'
  | 'backup-missed'
  | 'watch-refused'
  | 'watch-too-many'
  | 'watch-file-too-large'
  | 'no-active-rules'
  | 'export-into-watched'
  | 'folder-not-named';
type AroundFailure = Extract<Failure, { kind: AroundKind }>;

const say = (what: string, then: string): FailureSentence => ({ what, then });
const many = (count: number): string => count.toLocaleString('en');

/**
 * What a person reads of a failure on the way out of this desk, or into it: cases, bundles, backups and the watched
 * folder.
 */
export function aroundSentence(failure: AroundFailure): FailureSentence {
  switch (failure.kind) {
    case 'case-empty':
      return say(
        'The library knows none of these samples',
        'A case tells of what is known here: look the hashes up first, or choose others. Nothing was written.',
      );
    case 'case-too-large':
      return say(
        `${many(failure.found)} samples are too many for this format`,
        `It is read whole and takes at most ${many(failure.limit)}. Choose fewer, or CSV or JSON Lines, which take any number.`,
      );
    case 'sample-too-large':
      return say(
        `A sample of ${many(failure.sizeBytes)} bytes was left out`,
        `${failure.sha256} is larger than the ${many(failure.limitBytes)} bytes that go into an event. What is known of it is there; export the sample by itself.`,
      );
    case 'tlp-too-open':
      return say(
        `${failure.tlp} is less strict than a sample in it`,
        `One of the samples is ${failure.strictest}: mark the case at least so, or leave that sample out.`,
      );
    case 'tlp-unknown':
      return say(
        `The TLP of ${failure.samples === 1 ? '1 sample' : `${many(failure.samples)} samples`} is not known here`,
        'No record was read that could say it. Read their records first, mark the case TLP:RED, or say that you know how strict they are.',
      );
    case 'bundle-unknown':
      return say(
        `“${failure.name}” is no bundle`,
        'Its beginning is not that of a Vitrine bundle. Nothing was changed.',
      );
    case 'bundle-newer':
      return say(
        'This bundle was made by a newer version of Vitrine',
        `It is of format ${failure.found}, and this version reads up to ${failure.supported}. Update Vitrine. Nothing was changed.`,
      );
    case 'bundle-damaged':
      return say(
        'This bundle is damaged, or was changed',
        `What lies at byte ${many(failure.atByte)} is not what was written. Nothing of it was taken in. Get it again.`,
      );
    case 'bundle-truncated':
      return say(
        'This bundle is cut off',
        `It ends after ${many(failure.receivedBytes)} bytes, before its end. Nothing of it was taken in. Get it again.`,
      );
    case 'bundle-passphrase-wrong':
      return say(
        'This passphrase does not open the bundle',
        'Check it with whoever made the bundle; it is case-sensitive. Nothing was changed.',
      );
    case 'bundle-not-signed':
      return say(
        'The bundle’s signature does not hold',
        'What is in it is not what the key it names signed. Nothing of it was taken in.',
      );
    case 'bundle-not-ready':
      return say(
        'No bundle is ready to be taken in',
        'Open it first: it is read from end to end before anything is changed.',
      );
    case 'bundle-changed':
      return say(
        `“${failure.name}” is not the file that was looked through`,
        'It was changed since. What was taken in until then stays; open it again to see the rest.',
      );
    case 'bundle-contradicts':
      return say(
        'The bundle contradicts what is known here',
        `What it says of ${failure.hash} is of other bytes with one of the same hashes. What this desk knows stays as it is.`,
      );
    case 'bundle-note-full':
      return say(
        'A note had no room for that of the bundle',
        `The note of ${failure.sha256} stays as it was; the rest of the sample was taken in. Shorten the note, and take the bundle in once more.`,
      );
    case 'bundle-cut':
      return say(
        'Not all that is known of a sample fits into a bundle',
        `Of ${failure.hash} tags, comments or records of services were left out, as there are more than a bundle holds for one sample. The rest of it is in the bundle.`,
      );
    case 'comment-of-bundle':
      return say(
        'This comment came by a bundle',
        'The service does not know it, so it cannot be answered there. Write a comment of your own instead.',
      );
    case 'backup-refused':
      if (failure.reason === 'not-chosen')
        return say('No folder was named for backups', 'End Vitrine and start it with --backups and a folder.');
      return say('This folder cannot be used', `${backupAdvice[failure.reason]} ${failure.path}`.trim());
    case 'backup-damaged':
      return say(
        'The backup is not whole',
        `${damagedFiles(failure)} Nothing was restored. Make the backup again, or use another one: ${failure.path}`,
      );
    case 'backup-kept':
      return say(
        `The vault’s copy of ${failure.sha256.slice(0, 12)} is gone, damaged, or cannot be read`,
        'The backup keeps the copy that it has from before. Restore it into a new folder to have the sample again.',
      );
    case 'backup-missed':
      return say(
        `${failure.sha256.slice(0, 12)} is not in the backup`,
        'The vault has no sound copy of it, and no earlier backup has one. Check the vault, download the sample again, and make the backup again.',
      );
    case 'watch-refused':
      return say('This folder cannot be watched', `${watchAdvice[failure.reason]} ${failure.path}`.trim());
    case 'watch-too-many':
      return say(
        'Too many files in the watched folder',
        `More than ${many(failure.limit)} lie in ${failure.path}. Nothing more is taken in until there are fewer.`,
      );
    case 'watch-file-too-large':
      return say(
        `"${failure.name}" is too large to be taken by itself`,
        `${many(failure.sizeBytes)} bytes; the limit is ${many(failure.limitBytes)}. Add it to the upload by hand.`,
      );
    case 'no-active-rules':
      return say(
        'This workspace has no active rules',
        'What comes is scanned once a package is active: see Publications.',
      );
    case 'export-into-watched':
      return say(
        'This folder is watched',
        `What is exported into ${failure.path} would come back as a new file. Choose another folder, or turn the watching off.`,
      );
    case 'folder-not-named':
      return say('This folder is not known to the host', 'It was named in another run. Name it again.');
    default:
      return assertNever(failure);
  }
}

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

function damagedFiles({ files, count }: FailureOf<'backup-damaged'>): string {
  if (count === 1) return `${files.join('')} is missing, or is not what was copied.`;
  return `${many(count)} files are missing, or are not what was copied: ${files.join(', ')}${count > files.length ? ', and more' : ''}.`;
}

const watchAdvice: Record<FailureOf<'watch-refused'>['reason'], string> = {
  'not-chosen': 'Choose one first.',
  'not-a-folder': 'It is no folder, or cannot be read.',
  'inside-data': 'It lies in the data of this desk.',
  'around-data': 'The data of this desk lies in it.',
  'inside-backup': 'It is a backup, or in one.',
};
