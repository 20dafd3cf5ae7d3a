import { many } from '../../shared/failure-sentence.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import type { Failure, FailureOf } from '../../shared/failure.ts';
import { standardOutput } from './exit.ts';

/** What happened, and why or what to do. */
export function reasonOf(failure: Failure): string {
  const own = terminalSentence(failure);
  if (own !== null) return own;
  const { what, then } = sentenceFor(failure);
  return `${what}. ${then}`;
}

/** Where the sentence of the page would leave out what was typed, or name a control of the page. */
function terminalSentence(failure: Failure): string | null {
  switch (failure.kind) {
    case 'disk-full':
      return failure.path === standardOutput
        ? 'Cannot write the output: the disk is full.'
        : `Cannot write ${failure.path}: the disk is full. Free some space and try again.`;
    case 'disk-failed':
      return failure.path === standardOutput ? `Cannot write the output: disk error (${failure.code}).` : null;
    case 'not-writable':
      return notWritable(failure);
    case 'backup-refused':
      return failure.reason === 'not-chosen' ? null : `Cannot use ${failure.path}: ${backupReasons[failure.reason]}`;
    case 'watch-refused':
      return failure.reason === 'not-chosen'
        ? 'No watched folder set. Name one: vitrine watch on FOLDER'
        : `Cannot watch ${failure.path}: ${watchReasons[failure.reason]}`;
    case 'package-removes-many':
      return (
        `${failure.version} would remove ${many(failure.removed)} of ${many(failure.rules)} rules, more than a ` +
        'fifth. It was not installed. To install it anyway, add --yes.'
      );
    default:
      return null;
  }
}

function notWritable({ path, code }: FailureOf<'not-writable'>): string {
  switch (code) {
    case 'ENOENT':
      return `Folder ${path} does not exist.`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path} is not a folder, or is inside a file.`;
    default:
      return `Cannot write to ${path} (${code}). Choose another folder, or change its permissions.`;
  }
}

const backupReasons: Readonly<Record<Exclude<FailureOf<'backup-refused'>['reason'], 'not-chosen'>, string>> = {
  inside: 'it is inside the data folder.',
  around: 'the data folder is inside it.',
  'not-empty': 'it is not empty. Choose an empty folder or an earlier backup of this data.',
  'other-desk': 'it contains a backup of other data. Choose another folder.',
  link: 'it contains a link or a device, which cannot be copied.',
  'no-backup': 'it contains no backup. If there was one, its disk may not be connected.',
  unfinished: 'its backup is incomplete. Make it again, or use another one.',
  'other-copy': 'its backup was started by a copy of this data in another folder. Start a new backup here.',
  unreadable: 'it cannot be read. Check its permissions, or choose another folder.',
  watched: 'it overlaps the watched folder, so copied files would be added again. Choose another folder.',
  'not-for-data': 'a backup is restored only to an empty or new folder. Choose another one with --data.',
};

const watchReasons: Readonly<Record<Exclude<FailureOf<'watch-refused'>['reason'], 'not-chosen'>, string>> = {
  'not-a-folder': 'it is not a folder, or cannot be read.',
  'inside-data': 'it is inside the data folder.',
  'around-data': 'the data folder is inside it.',
  'inside-backup': 'it is a backup, or inside one.',
};
