import { bytes, quoted, say, type SomeSentences } from './failure-sentence.ts';

/** What a person reads of packages of rules, of rules and of mutes. */
export const rulesSentences = {
  'package-unreadable': (failure) =>
    say(
      'This package cannot be opened here',
      `It is kept as received (${failure.sha256.slice(0, 12)}). ${quoted(failure.text)}`,
    ),
  'package-too-large': (failure) =>
    say(
      'This package is too large',
      `Packages of up to ${bytes(failure.limitBytes)} are read. Nothing of it was kept.`,
    ),
  'package-missing': () =>
    say('This package is not kept here any more', 'The packages that are kept are listed under Publications.'),
  'package-in-use': (failure) =>
    say(`${failure.version} is in use`, 'Make another package the active one, or take its pin away, then remove it.'),
  'package-has-broken': (failure) =>
    say(
      `${failure.version} has ${failure.broken.toLocaleString('en')} broken ${failure.broken === 1 ? 'rule' : 'rules'}`,
      'This workspace installs whole packages only. The active package stays. The update settings say otherwise if you want them to.',
    ),
  'package-removes-many': (failure) =>
    say(
      `${failure.version} would remove ${failure.removed.toLocaleString('en')} of ${failure.rules.toLocaleString('en')} rules`,
      'That is more than a fifth, so it was not installed. Confirm the removal to install it.',
    ),
  'no-rule-files': (failure) =>
    say(
      'None of these files holds rules',
      `Rule files end in .yar, .yara, .rule or .rules, or lie in a ZIP. ${failure.leftOut === 1 ? '1 other file was' : `${failure.leftOut.toLocaleString('en')} other files were`} left out.`,
    ),
  'package-pinned': (failure) =>
    say(`${failure.version} is pinned`, 'No other package is installed while it is. Take the pin away to go on.'),
  'no-package': () => say('No rules are installed', 'Check for a publication, or open a package file.'),
  'check-busy': () => say('A check is under way already', 'It goes on. Wait for it, or cancel it.'),
  'rule-missing': (failure) =>
    say(`The rule ${failure.name} is not there`, 'The active package is another one by now. Look again.'),
  'rule-broken': (failure) => say(`A rule in ${failure.file}, line ${failure.line}, does not compile`, failure.text),
  'mute-missing': () => say('This mute is not there any more', 'It was taken back meanwhile.'),
  'mute-changed': () => say('The mute has changed since', 'It stays as it is now.'),
  'no-active-rules': () =>
    say('This workspace has no active rules', 'What comes is scanned once a package is active: see Publications.'),
} satisfies SomeSentences;
