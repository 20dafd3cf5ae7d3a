import type { FailureOf } from './failure.ts';
import { bytes, many, quoted, say, type SomeSentences } from './failure-sentence.ts';

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
    say(
      'The received bytes do not match the MD5',
      `Expected ${failure.md5}, received ${failure.actualMd5} (${bytes(failure.sizeBytes)}). The file was discarded.`,
    ),
  'sha256-contradicts': (failure) =>
    say(
      'The received bytes do not match the record’s SHA-256',
      `Only the MD5 matches: recorded ${failure.recordedSha256}, received ${failure.actualSha256}. ` +
        'The file was discarded; one of the two may be forged.',
    ),
  'two-samples-one-md5': (failure) =>
    say('Two different samples have this MD5', `They are stored separately: ${failure.sha256s.join(', ')}.`),
  'archive-damaged': (failure) =>
    say(
      `“${failure.name}” is damaged: ${lowerFirst(failure.reason)}`,
      'Files that could be read and verified were kept.',
    ),
  'archive-limit': (failure) =>
    say(`“${failure.name}” ${overLimit(failure)}`, 'Reading stopped at the limit. Files before it were kept.'),
  'archive-password': (failure) => say(`No known password opens “${failure.name}”`, 'Enter its password.'),
  'archive-empty': (failure) => say(`“${failure.name}” contains no files`, 'Send the archive itself if you need it.'),
  'archive-name-refused': (failure) =>
    say(
      `“${failure.name}” has an unsafe name`,
      `${refusedNameWords[failure.reason]} The other files are not affected.`,
    ),
  'archive-unsupported': (failure) =>
    say(`Cannot unpack “${failure.name}”: it uses ${failure.feature}`, 'The other files are not affected.'),
  'archive-truncated': (failure) =>
    say(
      'The archive is incomplete',
      `Received ${bytes(failure.receivedBytes)}. Complete files were kept; only the rest is downloaded again.`,
    ),
  'archive-duplicate': (failure) =>
    say(`The archive contains “${failure.name}” twice`, 'The first one is used; the second was discarded.'),
  'archive-entry-unasked': (failure) =>
    say('The archive contains a file that was not requested', `“${failure.name}” was discarded.`),
  'not-in-archive': () =>
    say('The sample is missing from the service’s archive', 'Try again, or contact the service’s administrator.'),
  'not-an-archive': (failure) =>
    say('The service did not send an archive', `Status ${failure.status}, ${failure.address}.${quoted(failure.text)}`),
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
