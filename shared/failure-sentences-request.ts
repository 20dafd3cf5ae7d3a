import { assertNever } from './assert-never.ts';
import { bytes, say, type SomeSentences } from './failure-sentence.ts';

/** Sentences for calls that did not reach Vitrine, and for their input. */
export const requestSentences = {
  'bad-input': (failure) =>
    say(
      'Invalid input',
      failure.issues.map((issue) => `${issue.path || 'input'}: expected ${issue.message}`).join('; '),
    ),
  'unknown-operation': (failure) =>
    say(`Unknown operation “${failure.name}”`, 'The page and the host are different versions. Restart Vitrine.'),
  unexpected: (failure) =>
    say('Internal error', `The log has the details under ${failure.id}. Saved data was not changed.`),
  cancelled: () => say('Cancelled', 'Partial data was discarded.'),
  'host-gone': () => say('Vitrine is not responding', 'It may have been stopped. Start it again; saved data is safe.'),
  'host-reply-unreadable': (failure) =>
    say(
      `Unexpected response to “${failure.operation}”`,
      'The page and the host may be different versions. Reload the page, then restart Vitrine.',
    ),
  'body-too-large': (failure) =>
    say('Too large for one request', `The limit is ${bytes(failure.limitBytes)}. Nothing was changed.`),
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
      'This page’s session has expired',
      'The host was restarted. Press Enter in its terminal and open the new link.',
    ),
  'link-used': () =>
    say('This link was already used', 'Each link works once. Press Enter in the host’s terminal for a new one.'),
  'staged-file-missing': () =>
    say('A selected file is missing', 'It was moved or deleted, or is no longer staged. Choose it again.'),
  'export-gone': () => say('This download has expired', 'Each link works once, for a few minutes. Export again.'),
  'no-hash': () => say('No hash found in this text', 'Paste any text with an MD5, SHA-1 or SHA-256.'),
  'hash-wrong-length': (failure) =>
    say(
      `Not a hash: ${failure.length} hexadecimal characters`,
      'An MD5 has 32, a SHA-1 40, a SHA-256 64. Part of it may be missing.',
    ),
  'needs-md5': () =>
    say('This repository needs an MD5', 'The MD5 of this sample is not known yet. Look it up by MD5 once.'),
  'address-invalid': (failure) => say('Invalid address', addressAdvice(failure.reason)),
  'http-not-allowed': (failure) =>
    say(
      `Plain http to ${failure.host} is not allowed`,
      'The token and samples would be sent unencrypted. Use https, or allow http for this workspace.',
    ),
  'password-empty': () => say('An export needs a password', 'Analysts usually use “infected”.'),
  interrupted: () => say('Vitrine quit before this finished', 'Incomplete results were discarded. Start it again.'),
} satisfies SomeSentences;

function addressAdvice(reason: 'syntax' | 'scheme' | 'user-info' | 'query' | 'fragment'): string {
  switch (reason) {
    case 'syntax':
      return 'Write it as https://host/path, without api.php.';
    case 'scheme':
      return 'Use https, or plain http if the workspace allows it.';
    case 'user-info':
      return 'Remove the user name and password.';
    case 'query':
      return 'Remove the question mark and everything after it. The token has its own field.';
    case 'fragment':
      return 'Remove the # and everything after it.';
    default:
      return assertNever(reason);
  }
}
