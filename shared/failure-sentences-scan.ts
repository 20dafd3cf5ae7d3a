import { bytes, say, serviceWords, type SomeSentences } from './failure-sentence.ts';

/** Of what a scan does not know all that rules ask for. */
const scannedWords = { vault: 'samples of the vault', copies: 'uploaded files', files: 'some of these files' };

const leftOutBecause = {
  endless: 'It kept the engine from ending in time.',
  deadly: 'It ended the engine.',
  memory: 'It took more memory than an engine may have.',
} as const;

/** What a person reads of scans, hunts and engines. */
export const scanSentences = {
  'scan-timed-out': (failure) =>
    say(
      `The scan of ${failure.name} took too long`,
      `It was stopped after ${failure.seconds} s. The other samples are not affected.`,
    ),
  'scan-memory': (failure) =>
    say(
      `The scan of ${failure.name} took too much memory`,
      `The engine was stopped at ${failure.mebibytes.toLocaleString('en')} MiB. The limit is in Settings, under Scans.`,
    ),
  'scan-too-large': (failure) =>
    say(
      `"${failure.name}" is too large to scan here`,
      `${bytes(failure.sizeBytes)}; the limit is ${bytes(failure.limitBytes)}.`,
    ),
  'scan-engine-failed': (failure) => say('The scan engine failed', `${failure.engine}: ${failure.text}`),
  'scan-rule-left-out': (failure) =>
    say(
      `The rule ${failure.rule} was left out`,
      `${leftOutBecause[failure.reason]} The scan went on without it; its hits are not known.`,
    ),
  'scan-variables-unknown': (failure) =>
    say(
      `${failure.rules === 1 ? '1 rule asks' : `${failure.rules.toLocaleString('en')} rules ask`} for ${failure.variables.join(', ')}, not known for ${scannedWords[failure.of]}`,
      'Their result may be wrong. Known hits of these rules are kept.',
    ),
  'native-engine-missing': (failure) => {
    const why = failure.text === '' ? '' : `${failure.text}. `;
    return say(
      'The native engine does not run on this machine',
      `${why}Choose the portable engine in Settings, under Scans.`,
    );
  },
  'native-engine-refused': (failure) =>
    say('The native engine does not take this package', `${failure.text}. The portable engine was used instead.`),
  'scan-not-understood': (failure) =>
    say(
      `The ${serviceWords[failure.service]} answered in a form that is not known`,
      'Its reply is shown as it came. Whether a rule hit is not known.',
    ),
  'no-rules': () =>
    say('There is no rule to look with', 'None of those that were chosen is in the active package and can be used.'),
  'nothing-to-hunt': () =>
    say('Nothing to hunt: every rule has seen every sample', 'To look again all the same, hunt with all rules.'),
  'vault-empty': () => say('The vault is empty', 'A hunt looks through the samples of the vault. Download some first.'),
  'scan-file-missing': () =>
    say('This file is not in the scan any more', 'The job was taken out of the list, or the file was removed.'),
} satisfies SomeSentences;
