import { bytes, counted, many, print, serviceWords, type SomeSentences } from './failure-sentence.ts';

/** The files for which a scan does not know every variable that rules use. */
const scannedWords = { vault: 'samples in the vault', copies: 'uploaded files', files: 'some of these files' };

const leftOutBecause = {
  endless: 'It ran too long.',
  deadly: 'It crashed the engine.',
  memory: 'It used too much memory.',
} as const;

/** Sentences for scans, hunts and engines, and for the files of a rule editor. */
export const scanSentences = {
  'scan-timed-out': (failure) =>
    print(
      `The scan of ${failure.name} took too long`,
      `It was stopped after ${failure.seconds} s. Other samples are not affected.`,
    ),
  'scan-memory': (failure) =>
    print(
      `The scan of ${failure.name} used too much memory`,
      `The engine was stopped at ${many(failure.mebibytes)} MiB. You can change the limit in Settings > Scans.`,
    ),
  'scan-too-large': (failure) =>
    print(
      `“${failure.name}” is too large for a local scan`,
      `${bytes(failure.sizeBytes)}; the limit is ${bytes(failure.limitBytes)}.`,
    ),
  'scan-engine-failed': (failure) => print('The scan engine failed', `${failure.engine}: ${failure.text}`),
  'scan-rule-left-out': (failure) =>
    print(
      `The rule ${failure.rule} was skipped`,
      `${leftOutBecause[failure.reason]} The scan continued without it; its hits are unknown.`,
    ),
  'scan-variables-unknown': (failure) =>
    print(
      `${counted(failure.rules, 'rule')} ${failure.rules === 1 ? 'uses' : 'use'} ${failure.variables.join(', ')}, ` +
        `unknown for ${scannedWords[failure.of]}`,
      'Their results may be wrong. Known hits of these rules are kept.',
    ),
  'native-engine-missing': (failure) =>
    print(
      'The native engine does not run on this computer',
      `${failure.text === '' ? '' : `${failure.text}. `}Choose the portable engine in Settings > Scans.`,
    ),
  'native-engine-refused': (failure) =>
    print('The native engine cannot load this package', `${failure.text}. The portable engine was used instead.`),
  'scan-not-understood': (failure) =>
    print(
      `Unexpected response from the ${serviceWords[failure.service]}`,
      'Its reply is shown as received. Whether a rule matched is unknown.',
    ),
  'no-rules': () => print('No rules to scan with', 'None of the selected rules is usable in the active package.'),
  'nothing-to-hunt': () =>
    print('Nothing to hunt: all rules have scanned all samples', 'To scan anyway, hunt with all rules.'),
  'vault-empty': () => print('The vault is empty', 'A hunt scans the samples in the vault. Download some first.'),
  'scan-file-missing': () =>
    print('This file is no longer in the scan', 'The file was removed, or its job was removed from the list.'),
  'rule-file-failed': (failure) =>
    print(
      `The rule editor did not export “${failure.name}”`,
      `${failure.text}. No package was made, because it would lack this file.`,
    ),
  'editor-cannot-scan': () =>
    print(
      'This rule editor does not scan files',
      'Scan with the local engine. After an upgrade of the rule editor, test the connection in Settings.',
    ),
  'no-rules-to-export': () =>
    print('The rule editor has no rules', 'There is nothing to fetch. Installed rules stay in use.'),
} satisfies SomeSentences;
