import { bytes, counted, many, say, serviceWords, type SomeSentences } from './failure-sentence.ts';

/** The files for which a scan does not know every variable that rules use. */
const scannedWords = { vault: 'samples in the vault', copies: 'uploaded files', files: 'some of these files' };

const leftOutBecause = {
  endless: 'It ran too long.',
  deadly: 'It crashed the engine.',
  memory: 'It used too much memory.',
} as const;

/** Sentences for scans, hunts and engines. */
export const scanSentences = {
  'scan-timed-out': (failure) =>
    say(
      `The scan of ${failure.name} took too long`,
      `It was stopped after ${failure.seconds} s. Other samples are not affected.`,
    ),
  'scan-memory': (failure) =>
    say(
      `The scan of ${failure.name} used too much memory`,
      `The engine was stopped at ${many(failure.mebibytes)} MiB. You can change the limit in Settings > Scans.`,
    ),
  'scan-too-large': (failure) =>
    say(
      `“${failure.name}” is too large for a local scan`,
      `${bytes(failure.sizeBytes)}; the limit is ${bytes(failure.limitBytes)}.`,
    ),
  'scan-engine-failed': (failure) => say('The scan engine failed', `${failure.engine}: ${failure.text}`),
  'scan-rule-left-out': (failure) =>
    say(
      `The rule ${failure.rule} was skipped`,
      `${leftOutBecause[failure.reason]} The scan continued without it; its hits are unknown.`,
    ),
  'scan-variables-unknown': (failure) =>
    say(
      `${counted(failure.rules, 'rule')} ${failure.rules === 1 ? 'uses' : 'use'} ${failure.variables.join(', ')}, ` +
        `unknown for ${scannedWords[failure.of]}`,
      'Their results may be wrong. Known hits of these rules are kept.',
    ),
  'native-engine-missing': (failure) =>
    say(
      'The native engine does not run on this computer',
      `${failure.text === '' ? '' : `${failure.text}. `}Choose the portable engine in Settings > Scans.`,
    ),
  'native-engine-refused': (failure) =>
    say('The native engine cannot load this package', `${failure.text}. The portable engine was used instead.`),
  'scan-not-understood': (failure) =>
    say(
      `Unexpected response from the ${serviceWords[failure.service]}`,
      'Its reply is shown as received. Whether a rule matched is unknown.',
    ),
  'no-rules': () => say('No rules to scan with', 'None of the selected rules is usable in the active package.'),
  'nothing-to-hunt': () =>
    say('Nothing to hunt: all rules have scanned all samples', 'To scan anyway, hunt with all rules.'),
  'vault-empty': () => say('The vault is empty', 'A hunt scans the samples in the vault. Download some first.'),
  'scan-file-missing': () =>
    say('This file is no longer in the scan', 'The file was removed, or its job was removed from the list.'),
} satisfies SomeSentences;
