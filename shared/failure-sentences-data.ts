import { assertNever } from './assert-never.ts';
import type { FailureOf } from './failure.ts';
import { many, say, type SomeSentences } from './failure-sentence.ts';

const noFolder = 'is not a folder, or is inside a file. Choose another one.';
const noFolderAdvice = new Map([
  ['EEXIST', noFolder],
  ['ENOTDIR', noFolder],
  ['ENOENT', 'does not exist, or its parent folder does not. Create it, or choose another one.'],
]);

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Sentences for the disk, the data folder, the token store and processes of Vitrine. */
export const dataSentences = {
  'disk-full': (failure) =>
    say('The disk is full', `Free some space for ${failure.path} and try again. Completed work is safe.`),
  'not-writable': (failure) =>
    say(
      'Cannot write to this folder',
      `${failure.path} ${
        noFolderAdvice.get(failure.code) ?? `(${failure.code}). Choose another one, or change its permissions.`
      }`,
    ),
  'disk-failed': (failure) => say('Disk error', `${failure.path} (${failure.code}). Incomplete files were discarded.`),
  'data-newer': (failure) =>
    say(
      'This data is from a newer version of Vitrine',
      `${failure.path} has version ${failure.found}; this Vitrine reads up to ${failure.supported}. ` +
        'Update Vitrine; nothing was changed.',
    ),
  'data-in-use': (failure) =>
    say(
      'Another Vitrine is using this data',
      `${failure.path} is locked by another process. Close it, or choose another folder with --data.`,
    ),
  'data-gone': (failure) =>
    say(
      'The data folder is missing',
      `${failure.path} was moved, deleted, unmounted or replaced. Nothing is written until it is back.`,
    ),
  'folder-gone': (failure) =>
    say(
      'A folder in the data folder is missing',
      `${failure.path} was moved, deleted or unmounted. Put it back, then try again; other data is not changed.`,
    ),
  'data-not-held': (failure) =>
    say(
      'Another Vitrine may have opened this data',
      `The lock ${failure.path} was removed or replaced, so nothing more is written. Restart Vitrine.`,
    ),
  'data-unfinished': (failure) =>
    say(
      'This folder contains an unfinished copy',
      `The move or restore to ${failure.path} did not finish; its source is intact. ` +
        'Restore again, or start without --data and move again.',
    ),
  'location-damaged': (failure) =>
    say(
      'The location of the data is unknown',
      `${failure.path}, which stores it, was modified. ` +
        'Start with --data DIR, or delete that file if you never moved the data.',
    ),
  'move-refused': (failure) => say('The data was not moved', moveAdvice(failure.reason, failure.path)),
  'data-damaged': (failure) =>
    say('The database is damaged', `${failure.path} (${failure.code}). Nothing was changed. Restore it from a backup.`),
  'not-in-vault': () => say('This sample is not in the vault', 'Download it first.'),
  'vault-damaged': (failure) =>
    say(
      'The sample in the vault is damaged',
      `Its bytes do not match ${failure.sha256.slice(0, 12)}, so it is not used. Download it again.`,
    ),
  'storage-busy': () =>
    say('The vault is in use', 'Nothing was changed. Wait until no job is running, then try again.'),
  'port-busy': (failure) =>
    say(`Port ${failure.port} is in use`, 'Another program is using it. Choose a different one with --port.'),
  'worker-ended': (failure) =>
    say(
      `A background task stopped while ${failure.task}`,
      `Incomplete results were discarded; try again (${failure.code}).`,
    ),
  'lab-down': (failure) =>
    failure.restarts === 0
      ? say('The lab is still starting', 'Try again in a moment.')
      : say(
          'The lab is not running',
          `It stopped ${times(failure.restarts)} and is restarting. Try again in a moment.`,
        ),
  'lab-failed': (failure) => {
    const why = failure.text === '' ? '' : `: “${failure.text}”`;
    return say(
      'The lab failed to start',
      `It stopped ${times(failure.attempts)} in a row (${failure.end})${why}. Start it again, or see ${failure.log}.`,
    );
  },
  'secrets-locked': () => say('The token store is locked', 'Enter its passphrase in Settings > Tokens.'),
  'passphrase-wrong': () => say('Wrong passphrase', 'The token store is still locked. Nothing was changed.'),
  'passphrase-short': (failure) =>
    say('The passphrase is too short', `Use at least ${many(failure.minimum)} characters.`),
  'secrets-damaged': (failure) =>
    say(
      'The token store is damaged',
      `Cannot read ${failure.path}. See Settings > Tokens, then enter the tokens again.`,
    ),
  'keychain-failed': (failure) =>
    say(
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
