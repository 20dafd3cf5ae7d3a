import { many, say, type SomeSentences } from './failure-sentence.ts';

/** What a person reads of cases and bundles. */
export const bundleSentences = {
  'case-empty': () =>
    say(
      'The library knows none of these samples',
      'A case tells of what is known here: look the hashes up first, or choose others. Nothing was written.',
    ),
  'case-too-large': (failure) =>
    say(
      `${many(failure.found)} samples are too many for this format`,
      `It is read whole and takes at most ${many(failure.limit)}. Choose fewer, or CSV or JSON Lines, which take any number.`,
    ),
  'sample-too-large': (failure) =>
    say(
      `A sample of ${many(failure.sizeBytes)} bytes was left out`,
      `${failure.sha256} is larger than the ${many(failure.limitBytes)} bytes that go into an event. What is known of it is there; export the sample by itself.`,
    ),
  'tlp-too-open': (failure) =>
    say(
      `${failure.tlp} is less strict than a sample in it`,
      `One of the samples is ${failure.strictest}: mark the case at least so, or leave that sample out.`,
    ),
  'tlp-unknown': (failure) =>
    say(
      `The TLP of ${failure.samples === 1 ? '1 sample' : `${many(failure.samples)} samples`} is not known here`,
      'No record was read that could say it. Read their records first, mark the case TLP:RED, or say that you know how strict they are.',
    ),
  'bundle-unknown': (failure) =>
    say(`“${failure.name}” is no bundle`, 'Its beginning is not that of a Vitrine bundle. Nothing was changed.'),
  'bundle-newer': (failure) =>
    say(
      'This bundle was made by a newer version of Vitrine',
      `It is of format ${failure.found}, and this version reads up to ${failure.supported}. Update Vitrine. Nothing was changed.`,
    ),
  'bundle-damaged': (failure) =>
    say(
      'This bundle is damaged, or was changed',
      `What lies at byte ${many(failure.atByte)} is not what was written. Nothing of it was taken in. Get it again.`,
    ),
  'bundle-truncated': (failure) =>
    say(
      'This bundle is cut off',
      `It ends after ${many(failure.receivedBytes)} bytes, before its end. Nothing of it was taken in. Get it again.`,
    ),
  'bundle-passphrase-wrong': () =>
    say(
      'This passphrase does not open the bundle',
      'Check it with whoever made the bundle; it is case-sensitive. Nothing was changed.',
    ),
  'bundle-not-signed': () =>
    say(
      'The bundle’s signature does not hold',
      'What is in it is not what the key it names signed. Nothing of it was taken in.',
    ),
  'bundle-not-ready': () =>
    say('No bundle is ready to be taken in', 'Open it first: it is read from end to end before anything is changed.'),
  'bundle-changed': (failure) =>
    say(
      `“${failure.name}” is not the file that was looked through`,
      'It was changed since. What was taken in until then stays; open it again to see the rest.',
    ),
  'bundle-contradicts': (failure) =>
    say(
      'The bundle contradicts what is known here',
      `What it says of ${failure.hash} is of other bytes with one of the same hashes. What this desk knows stays as it is.`,
    ),
  'bundle-note-full': (failure) =>
    say(
      'A note had no room for that of the bundle',
      `The note of ${failure.sha256} stays as it was; the rest of the sample was taken in. Shorten the note, and take the bundle in once more.`,
    ),
  'bundle-cut': (failure) =>
    say(
      'Not all that is known of a sample fits into a bundle',
      `Of ${failure.hash} tags, comments or records of services were left out, as there are more than a bundle holds for one sample. The rest of it is in the bundle.`,
    ),
} satisfies SomeSentences;
