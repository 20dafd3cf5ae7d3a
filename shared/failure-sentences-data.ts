import { assertNever } from './assert-never.ts';
import { say, type SomeSentences } from './failure-sentence.ts';

const noFolder = 'is no folder, or lies beneath what is none. Choose another one.';

const noFolderAdvice = new Map([
  ['EEXIST', noFolder],
  ['ENOTDIR', noFolder],
  ['ENOENT', 'is not there, or the folder that it should be in is not. Make it, or choose another one.'],
]);

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** What a person reads of the disk, the data directory, tokens and the parts of the program. */
export const dataSentences = {
  'disk-full': (failure) =>
    say('The disk is full', `At ${failure.path}. Make room and try again; what was complete is safe.`),
  'not-writable': (failure) =>
    say(
      'This folder cannot be written',
      `${failure.path} ${noFolderAdvice.get(failure.code) ?? `(${failure.code}). Choose another one, or change its permissions.`}`,
    ),
  'disk-failed': (failure) =>
    say('The disk did not do what was asked', `${failure.path} (${failure.code}). Nothing half-written was kept.`),
  'data-newer': (failure) =>
    say(
      'This data is from a newer Vitrine',
      `${failure.path} has version ${failure.found}; this Vitrine reads up to ${failure.supported}. Update Vitrine. Nothing was changed.`,
    ),
  'data-in-use': (failure) =>
    say(
      'Another Vitrine is using this data',
      `${failure.path} is held by another process. Close it first, or choose another folder with --data.`,
    ),
  'data-gone': (failure) =>
    say(
      'The folder with the data of this desk is gone',
      `${failure.path} was moved, deleted or unmounted, or another one is in its place. Nothing is written until it is back.`,
    ),
  'folder-gone': (failure) =>
    say(
      'A folder with data of this desk is gone',
      `${failure.path} was moved, deleted or unmounted. What this desk knows of its content stays as it is: put the folder back, then try again.`,
    ),
  'data-not-held': (failure) =>
    say(
      'Another Vitrine may have opened this data',
      `${failure.path} was removed or replaced while this Vitrine held the data by it. Nothing is written here any more: end this Vitrine, and start it again.`,
    ),
  'data-unfinished': (failure) =>
    say(
      'This folder holds an unfinished copy',
      `What was moved or restored to ${failure.path} did not come to its end. What it was copied from is whole. After a move start without --data, and move it again; a restore is begun again.`,
    ),
  'location-damaged': (failure) =>
    say(
      'It cannot be read where the data is',
      `${failure.path} says it, and was changed. Start with --data and the folder of the data; or remove that file, if it was never moved.`,
    ),
  'move-refused': (failure) => say('The data was not moved', moveAdvice(failure.reason, failure.path)),
  'data-damaged': (failure) =>
    say('The database is damaged', `${failure.path} (${failure.code}). Nothing was changed. Restore it from a backup.`),
  'not-in-vault': () => say('This sample is not in the vault', 'Download it first.'),
  'vault-damaged': (failure) =>
    say(
      'The vault’s copy is damaged',
      `Its bytes no longer match ${failure.sha256.slice(0, 12)}. Download the sample again; the damaged copy is never given out.`,
    ),
  'storage-busy': () =>
    say('The vault is being used', 'Nothing was changed. Wait until no job is running, then try again.'),
  'port-busy': (failure) =>
    say(`Port ${failure.port} is in use`, 'Another program listens there. Choose one with --port.'),
  'worker-ended': (failure) =>
    say(
      `A part of Vitrine stopped while it was ${failure.task}`,
      `Nothing half-written was kept; try again (${failure.code}).`,
    ),
  'lab-down': (failure) => {
    if (failure.restarts === 0) return say('The lab is still starting', 'Try again in a moment.');
    return say(
      'The lab is not running',
      `It stopped ${times(failure.restarts)} and is being started again. Try again in a moment.`,
    );
  },
  'lab-failed': (failure) => {
    const why = failure.text === '' ? '' : `: “${failure.text}”`;
    return say(
      'The lab failed to start',
      `It ended ${times(failure.attempts)} in a row (${failure.end})${why}. Start it again, or see ${failure.log}.`,
    );
  },
  'secrets-locked': () => say('The token store is locked', 'Enter its passphrase under Settings, Tokens.'),
  'passphrase-wrong': () => say('That is not the passphrase', 'The token store stays locked. Nothing was changed.'),
  'passphrase-short': (failure) => say('The passphrase is too short', `Use at least ${failure.minimum} characters.`),
  'secrets-damaged': (failure) =>
    say('The token store is damaged', `${failure.path} cannot be read. Start a new one and put the tokens in again.`),
  'keychain-failed': (failure) =>
    say(
      'The system keychain did not answer',
      `${failure.backend} refused or is locked. Unlock it and try again; nothing was written in plain text.`,
    ),
} satisfies SomeSentences;

function moveAdvice(
  reason: 'same' | 'inside' | 'not-empty' | 'link' | 'no-data' | 'named' | 'not-chosen',
  path: string,
): string {
  switch (reason) {
    case 'same':
      return `It is in ${path} already.`;
    case 'inside':
      return `${path} lies inside the folder that would be moved. Choose one outside.`;
    case 'not-empty':
      return `${path} holds something. Choose an empty folder, or one that is not there yet.`;
    case 'link':
      return `${path} is a link or a device. Put what it leads to in its place, or take it out.`;
    case 'no-data':
      return `There is none in ${path}. To begin in another folder, start with --data.`;
    case 'named':
      return `${path} is named with --data. End Vitrine, move the folder, and name its new place.`;
    case 'not-chosen':
      return `It is in ${path}. Choose the folder again to which it is to go.`;
    default:
      return assertNever(reason);
  }
}
