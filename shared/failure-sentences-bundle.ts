import { counted, many, say, type SomeSentences } from './failure-sentence.ts';

/** Sentences for cases and bundles. */
export const bundleSentences = {
  'case-empty': () =>
    say(
      'None of these samples is in the library',
      'Look up the hashes first, or choose other samples. Nothing was written.',
    ),
  'case-too-large': (failure) =>
    say(
      `${many(failure.found)} samples are too many for this format`,
      `The limit is ${many(failure.limit)}. Choose fewer, or use CSV or JSON Lines, which have no limit.`,
    ),
  'sample-too-large': (failure) =>
    say(
      `A sample file was skipped: ${counted(failure.sizeBytes, 'byte')}`,
      `${failure.sha256} is over the limit of ${counted(failure.limitBytes, 'byte')} for an event. ` +
        'Its metadata is included; export the file separately.',
    ),
  'tlp-too-open': (failure) =>
    say(
      `${failure.tlp} is less strict than a sample in the case`,
      `One sample is ${failure.strictest}. Choose at least that TLP, or remove the sample.`,
    ),
  'tlp-unknown': (failure) =>
    say(
      `The TLP of ${counted(failure.samples, 'sample')} is unknown`,
      'No record has been fetched. Fetch the records, choose TLP:RED, or confirm that you know the TLP.',
    ),
  'bundle-unknown': (failure) =>
    say(`“${failure.name}” is not a bundle`, 'It does not start like a Vitrine bundle. Nothing was changed.'),
  'bundle-newer': (failure) =>
    say(
      'This bundle is from a newer version of Vitrine',
      `It has format ${failure.found}; this version reads up to ${failure.supported}. ` +
        'Update Vitrine; nothing was changed.',
    ),
  'bundle-damaged': (failure) =>
    say(
      'This bundle is damaged or was modified',
      `Verification failed at byte ${many(failure.atByte)}. Nothing was imported; get the file again.`,
    ),
  'bundle-truncated': (failure) =>
    say(
      'This bundle is incomplete',
      `It ends after ${counted(failure.receivedBytes, 'byte')}. Nothing was imported; get the file again.`,
    ),
  'bundle-passphrase-wrong': () =>
    say(
      'Wrong passphrase for this bundle',
      'It is case-sensitive; check it with the person who made the bundle. Nothing was changed.',
    ),
  'bundle-not-signed': () =>
    say('The bundle’s signature is not valid', 'Its content does not match the key it names. Nothing was imported.'),
  'bundle-not-ready': () =>
    say('No bundle is ready to import', 'Open one first: it is verified completely before anything is changed.'),
  'bundle-changed': (failure) =>
    say(
      `“${failure.name}” changed after it was verified`,
      'Data imported before that is kept. Open the file again for the rest.',
    ),
  'bundle-contradicts': (failure) =>
    say(
      'The bundle contradicts the library',
      `Its data for ${failure.hash} belongs to another file with one hash in common. Your data was not changed.`,
    ),
  'bundle-note-full': (failure) =>
    say(
      'A note from the bundle did not fit',
      `The note of ${failure.sha256} is unchanged; the rest was imported. Shorten it, then import the bundle again.`,
    ),
  'bundle-cut': (failure) =>
    say(
      'A sample has more data than a bundle can hold',
      `Some tags, comments or records of ${failure.hash} were skipped. The rest is in the bundle.`,
    ),
} satisfies SomeSentences;
