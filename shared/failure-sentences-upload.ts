import { say, type SomeSentences } from './failure-sentence.ts';

/**
 * As it is written on documents: TLP 2.0 has its labels in capitals (FIRST, "Traffic Light Protocol"). `tlp` may lead
 * with its name.
 */
const tlpWords = (tlp: string): string => `TLP:${tlp.replace(/^tlp:/i, '').toUpperCase()}`;

/** What a person reads of files and comments on their way to a service. */
export const uploadSentences = {
  'may-have-arrived': (failure) => {
    if (failure.action === 'scanfile')
      return say(
        'The answer was lost: it may have arrived',
        'The service may have the file. It is not sent again by itself; scan it again for a result.',
      );
    return say(
      'The answer was lost: it may have arrived',
      `"${failure.action}" is not sent again by itself. Look the sample up to see.`,
    );
  },
  'upload-refused': (failure) =>
    say('The service refused this file', failure.text ? `It says: ${failure.text}` : 'It gives no reason.'),
  'upload-vanished': (failure) => {
    return failure.isArchive
      ? say(
          'The service did not keep the archive',
          `It was sent, and it is not there: servers of this kind unpack archives. The reply named ${failure.items} ${failure.items === 1 ? 'file' : 'files'}. Send its members instead.`,
        )
      : say(
          'Sent, and not there',
          `${failure.sent} sent in one request, ${failure.items} named in the reply: the service reads fewer files a request, or smaller ones. Lower the limits under Settings, Uploads, and try again.`,
        );
  },
  'upload-unconfirmed': () =>
    say('Stored, by the service’s word', 'Its record cannot be read with this token, so nobody here has seen it.'),
  'comment-not-arrived': () =>
    say(
      'The comment did not arrive',
      'The service lists its comments, and this one is not among them. It can be sent again.',
    ),
  'file-gone': (failure) =>
    say(`"${failure.name}" is gone`, 'It was moved or deleted since it was added. Nothing of it was sent.'),
  'file-changed': (failure) =>
    say(`"${failure.name}" has changed`, 'It is not what was reviewed. It was not sent; add it again to review it.'),
  'file-unreadable': (failure) => {
    if (failure.code === 'EILSEQ')
      return say(`The name of "${failure.name}" is no UTF-8`, 'It cannot be found under it. Rename it.');
    return say(
      `"${failure.name}" cannot be read`,
      `This account may not read it, or the disk failed (${failure.code}). Nothing of it was sent.`,
    );
  },
  'file-empty': (failure) => say(`"${failure.name}" is empty`, 'A file without a byte is not sent.'),
  'upload-file-missing': () => say('This file is not in the draft any more', 'It was sent or removed meanwhile.'),
  'draft-too-large': (failure) =>
    say(
      'Too many files for one draft',
      `At most ${failure.limit.toLocaleString('en')}. Send or discard some of them first.`,
    ),
  'draft-busy': (failure) =>
    say(
      `${failure.files === 1 ? '1 file is' : `${failure.files.toLocaleString('en')} files are`} still being read`,
      'Sending waits until they are hashed and archives are open. Nothing was sent.',
    ),
  'comment-too-long': (failure) =>
    say('The comment is too long', `At most ${failure.limit.toLocaleString('en')} characters. Nothing was sent.`),
  'comment-empty': () => say('The comment has no text', 'Write something first. Nothing was sent.'),
  'comment-missing': () => say('This comment is not here any more', 'It was discarded meanwhile.'),
  'comment-of-bundle': () =>
    say(
      'This comment came by a bundle',
      'The service does not know it, so it cannot be answered there. Write a comment of your own instead.',
    ),
  'third-party-refused': (failure) =>
    say(`${tlpWords(failure.tlp)} samples do not go to ${failure.receiver}`, 'Nothing was sent to a third party.'),
} satisfies SomeSentences;
