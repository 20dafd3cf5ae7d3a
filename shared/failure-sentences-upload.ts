import { counted, many, reasonOf, say, type SomeSentences } from './failure-sentence.ts';

/**
 * As it is written on documents: TLP 2.0 has its labels in capitals (FIRST, "Traffic Light Protocol"). `tlp` may lead
 * with its name.
 */
const tlpWords = (tlp: string): string => `TLP:${tlp.replace(/^tlp:/i, '').toUpperCase()}`;

/** Sentences for files and comments that are sent to a service. */
export const uploadSentences = {
  'may-have-arrived': (failure) =>
    failure.action === 'scanfile'
      ? say(
          'Response lost: the file may have arrived',
          'It is not sent again automatically. Scan it again to get a result.',
        )
      : say(
          'Response lost: the request may have arrived',
          `“${failure.action}” is not sent again automatically. Look up the sample to check.`,
        ),
  'upload-refused': (failure) => say('The service refused this file', reasonOf(failure.text)),
  'upload-vanished': (failure) =>
    failure.isArchive
      ? say(
          'The service did not store the archive',
          `It may have unpacked it: its reply named ${counted(failure.items, 'file')}. ` +
            'Send the unpacked files instead.',
        )
      : say(
          'Sent, but not stored',
          `The reply named ${failure.items} of ${counted(failure.sent, 'file')} in the request. ` +
            'Lower the limits in Settings > Uploads and try again.',
        ),
  'upload-unconfirmed': () =>
    say('Stored, but not confirmed', 'The service reports success, but this token cannot read the record to check.'),
  'comment-not-arrived': () =>
    say('The comment was not stored', 'It is not in the service’s list of comments. You can send it again.'),
  'file-gone': (failure) => say(`“${failure.name}” is missing`, 'It was moved or deleted after you added it.'),
  'file-changed': (failure) =>
    say(
      `“${failure.name}” has changed`,
      'It is not the file you reviewed, so it was not sent. Add it again to review it.',
    ),
  'file-unreadable': (failure) =>
    failure.code === 'EILSEQ'
      ? say(
          `The name of “${failure.name}” is not valid UTF-8`,
          'Files with such names cannot be opened. Rename the file.',
        )
      : say(`Cannot read “${failure.name}”`, `You may not have permission, or the disk failed (${failure.code}).`),
  'file-empty': (failure) => say(`“${failure.name}” is empty`, 'Empty files are skipped.'),
  'upload-file-missing': () => say('This file is no longer in the draft', 'It was sent or removed.'),
  'draft-too-large': (failure) =>
    say('Too many files in one draft', `The limit is ${many(failure.limit)}. Send or discard some first.`),
  'draft-busy': (failure) =>
    say(
      `Still reading ${counted(failure.files, 'file')}`,
      'Wait until all files are hashed and archives are opened. Nothing was sent.',
    ),
  'comment-too-long': (failure) =>
    say('The comment is too long', `The limit is ${many(failure.limit)} characters. Nothing was sent.`),
  'comment-empty': () => say('The comment is empty', 'Enter some text. Nothing was sent.'),
  'comment-missing': () => say('This comment no longer exists', 'It was discarded.'),
  'comment-of-bundle': () =>
    say(
      'This comment was imported from a bundle',
      'It is not on the service, so you cannot reply to it there. Write a new comment instead.',
    ),
  'third-party-refused': (failure) =>
    say(`${tlpWords(failure.tlp)} samples are not sent to ${failure.receiver}`, 'Nothing was sent to a third party.'),
} satisfies SomeSentences;
