import { assertNever } from './assert-never.ts';
import { bytes, say, type SomeSentences } from './failure-sentence.ts';

/** What a person reads of a call that did not go through, or of its input. */
export const requestSentences = {
  'bad-input': (failure) =>
    say(
      'That input cannot be used',
      failure.issues.map((issue) => `${issue.path || 'input'}: expected ${issue.message}`).join('; '),
    ),
  'unknown-operation': (failure) =>
    say(
      `This host does not know "${failure.name}"`,
      'The page and the host are of different versions. Restart Vitrine.',
    ),
  unexpected: (failure) =>
    say(
      'Something went wrong inside Vitrine',
      `The log has the details under ${failure.id}. Nothing you had saved is changed.`,
    ),
  cancelled: () => say('Cancelled', 'Nothing was kept of what had arrived.'),
  'host-gone': () =>
    say('Vitrine’s host does not answer', 'It may have been stopped. Start it again; what was saved is safe.'),
  'host-reply-unreadable': (failure) =>
    say(
      'The host’s answer cannot be read',
      `It is not what "${failure.operation}" answers. The page and the host may be of different versions: reload the page, then restart Vitrine.`,
    ),
  'body-too-large': (failure) =>
    say('That is more than the host takes at once', `The limit is ${bytes(failure.limitBytes)}. Nothing was changed.`),
  'sender-refused': (failure) =>
    say(
      'The host refused this request',
      `It did not come from Vitrine’s own page (${failure.reason}). Open the link the host printed.`,
    ),
  'session-missing': () =>
    say(
      'This page has no session',
      'Open the one-time link the host printed. Press Enter in its terminal for a new one.',
    ),
  'session-refused': () =>
    say(
      'This page’s session is not valid any more',
      'The host was restarted. Press Enter in its terminal and open the new link.',
    ),
  'link-used': () =>
    say('This link was used already', 'Each link works once. Press Enter in the host’s terminal for a new one.'),
  'staged-file-missing': () =>
    say('A file that was picked is gone', 'It was moved or its staging ended. Pick it again.'),
  'export-gone': () => say('This download is over', 'Each works once, and for a few minutes. Export the sample again.'),
  'no-hash': () => say('No hash in this text', 'Paste an MD5, a SHA-1 or a SHA-256, alone or in any text.'),
  'hash-wrong-length': (failure) =>
    say(
      `A run of ${failure.length} hexadecimal characters is no hash`,
      'An MD5 has 32, a SHA-1 has 40, a SHA-256 has 64. Part of it may be missing.',
    ),
  'needs-md5': () =>
    say(
      'This repository is asked by MD5 only',
      'This desk has not seen the sample, so its MD5 is not known here. Look it up by MD5 once.',
    ),
  'address-invalid': (failure) => say('This address cannot be used', addressAdvice(failure.reason)),
  'http-not-allowed': (failure) =>
    say(
      `Plain http to ${failure.host} is not allowed`,
      'The token and the samples would travel readable by anyone on the way. Use https, or allow http for this workspace.',
    ),
  'password-empty': () => say('An export needs a password', 'The convention is "infected".'),
  interrupted: () => say('Vitrine ended in the middle of it', 'Nothing half-written was left. Start it again.'),
} satisfies SomeSentences;

function addressAdvice(reason: 'syntax' | 'scheme' | 'user-info' | 'query' | 'fragment'): string {
  switch (reason) {
    case 'syntax':
      return 'Write it as https://host/path, without api.php.';
    case 'scheme':
      return 'Only https, and http to this computer, are used.';
    case 'user-info':
      return 'Take the user name and password out of it.';
    case 'query':
      return 'Take out everything from the question mark on. The token has its own field.';
    case 'fragment':
      return 'Take out everything from the # on.';
    default:
      return assertNever(reason);
  }
}
