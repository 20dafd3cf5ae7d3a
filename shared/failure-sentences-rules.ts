import { bytes, counted, many, quoted, say, type SomeSentences } from './failure-sentence.ts';

/** Sentences for packages of rules, rules and mutes. */
export const rulesSentences = {
  'package-unreadable': (failure) =>
    say(
      'Cannot open this package',
      `It is stored as received (${failure.sha256.slice(0, 12)}).${quoted(failure.text)}`,
    ),
  'package-too-large': (failure) =>
    say('This package is too large', `The limit is ${bytes(failure.limitBytes)}. The package was not stored.`),
  'package-missing': () =>
    say('This package is no longer stored', 'Publications lists the packages that are available.'),
  'package-in-use': (failure) =>
    say(`${failure.version} is in use`, 'Activate another package or unpin this one, then remove it.'),
  'package-has-broken': (failure) =>
    say(
      `${failure.version} has ${counted(failure.broken, 'broken rule')}`,
      'This workspace installs only packages without broken rules. You can change that in the update settings.',
    ),
  'package-removes-many': (failure) =>
    say(
      `${failure.version} would remove ${many(failure.removed)} of ${many(failure.rules)} rules`,
      'That is more than a fifth, so it was not installed. Confirm the removal to install it.',
    ),
  'no-rule-files': (failure) =>
    say(
      'No rule files found',
      'Rule files end in .yar, .yara, .rule or .rules, or are in a ZIP. ' +
        `${counted(failure.leftOut, 'other file')} ${failure.leftOut === 1 ? 'was' : 'were'} skipped.`,
    ),
  'package-pinned': (failure) => say(`${failure.version} is pinned`, 'Unpin it to install another package.'),
  'no-package': () => say('No rules installed', 'Check for updates, or install rules from files.'),
  'check-busy': () => say('A check is already in progress', 'Wait for it to finish, or cancel it.'),
  'rule-missing': (failure) =>
    say(`Rule ${failure.name} not found`, 'The active package has changed. Reload the list of rules.'),
  'rule-broken': (failure) => say(`A rule in ${failure.file}, line ${failure.line}, does not compile`, failure.text),
  'mute-missing': () => say('This mute no longer exists', 'The rule is already unmuted.'),
  'mute-changed': () => say('The mute was changed in the meantime', 'It was left as it is.'),
  'no-active-rules': () =>
    say('This workspace has no active rules', 'Install a package in Publications to scan new files.'),
} satisfies SomeSentences;
