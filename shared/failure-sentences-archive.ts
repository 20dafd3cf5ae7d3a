import type { FailureOf } from './failure.ts';
import { bytes, quoted, say, type SomeSentences } from './failure-sentence.ts';

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

const refusedNameWords = {
  absolute: 'an absolute path',
  dotted: 'a path that leaves the archive',
  link: 'a link',
  device: 'a device',
  reserved: 'a name that Windows keeps for itself',
  control: 'control characters',
} as const;

/** What a person reads of bytes that arrived, and of archives. */
export const archiveSentences = {
  'wrong-bytes': (failure) =>
    say(
      'The bytes do not match the MD5',
      `Asked for ${failure.md5}, received ${failure.actualMd5} (${bytes(failure.sizeBytes)}). Nothing was kept.`,
    ),
  'sha256-contradicts': (failure) =>
    say(
      'The bytes contradict the record’s SHA-256',
      `The MD5 matches, the SHA-256 does not: recorded ${failure.recordedSha256}, received ${failure.actualSha256}. Nothing was kept; one of the two may be forged.`,
    ),
  'two-samples-one-md5': (failure) =>
    say('Two different samples carry this MD5', `They are kept apart and never merged: ${failure.sha256s.join(', ')}.`),
  'archive-damaged': (failure) =>
    say(`"${failure.name}" is damaged: ${lowerFirst(failure.reason)}`, 'What could be read and verified is kept.'),
  'archive-limit': (failure) =>
    say(`"${failure.name}" ${overLimit(failure)}`, 'Reading stopped there. What came before is kept.'),
  'archive-password': (failure) =>
    say(`"${failure.name}" needs another password`, 'None of the known passwords opens it. Put in the right one.'),
  'archive-empty': (failure) =>
    say(`"${failure.name}" is an archive without members`, 'Send the archive itself if you need it.'),
  'archive-name-refused': (failure) =>
    say(
      `"${failure.name}" has a name that is not accepted`,
      `It is ${refusedNameWords[failure.reason]}. The others are not affected.`,
    ),
  'archive-unsupported': (failure) =>
    say(`“${failure.name}” cannot be unpacked here: it uses ${failure.feature}`, 'The other entries are not affected.'),
  'archive-truncated': (failure) =>
    say(
      'The archive is cut off',
      `${bytes(failure.receivedBytes)} arrived. What came before the cut is whole and verified; only the rest is asked for again.`,
    ),
  'archive-duplicate': (failure) =>
    say(`The archive holds “${failure.name}” twice`, 'The first one counts, the second was dropped.'),
  'archive-entry-unasked': (failure) =>
    say(
      'The archive holds something nobody asked for',
      `The entry “${failure.name}” was dropped. Nothing of it was kept.`,
    ),
  'not-in-archive': () =>
    say(
      'The service left this sample out of its answer',
      'It answered with an archive that does not hold it. Try it again, or ask the keeper of the service.',
    ),
  'not-an-archive': (failure) =>
    say(
      'The service answered with something else than an archive',
      `Status ${failure.status}, ${failure.address}. ${quoted(failure.text)}`,
    ),
} satisfies SomeSentences;

function overLimit({ limit, value }: FailureOf<'archive-limit'>): string {
  const words = {
    members: 'has more than %s members',
    'member-size': 'has a member of more than %s bytes',
    'total-size': 'unpacks to more than %s bytes',
    expansion: 'unpacks to more than %s times its size',
    depth: 'is nested more than %s levels deep',
  } as const;
  return words[limit].replace('%s', value.toLocaleString('en'));
}
