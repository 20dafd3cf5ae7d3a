import { assertNever } from './assert-never.ts';
import { bytes, quoted, say, serviceWords, type SomeSentences } from './failure-sentence.ts';

const phaseWords = {
  connect: 'did not take the connection',
  'first-byte': 'did not begin to answer',
  idle: 'stopped in the middle of its answer',
  stalled: 'is too slow to go on (under 1 KiB/s)',
} as const;

const redirectAdvice = {
  'too-many': 'More than five redirects.',
  scheme: 'Only http and https are followed.',
  'user-info': 'It carries a user name.',
  downgrade: 'It leads from https to http.',
  'private-target': 'It leads to an address inside this network.',
  'no-location': 'It names no target.',
} as const;

/** What a person reads of a service that cannot be reached, or refuses, or sends what cannot be used. */
export const serviceSentences = {
  unreachable: (failure) =>
    say(
      `The ${serviceWords[failure.service]} cannot be reached`,
      `${reachAdvice(failure.reason)} ${failure.address} (${failure.code}).`,
    ),
  'timed-out': (failure) =>
    say(
      `The ${serviceWords[failure.service]} ${phaseWords[failure.phase]}`,
      `Waited ${failure.seconds} s for ${failure.address}. ${failure.phase === 'stalled' ? 'Try again later; a higher time limit does not help here.' : 'Try again, or raise the time limit in the workspace.'}`,
    ),
  'not-trusted': (failure) =>
    say(
      `The ${serviceWords[failure.service]}’s certificate is not trusted`,
      `${trustAdvice(failure.reason)} Nothing was sent to ${failure.address}.`,
    ),
  'connection-lost': (failure) =>
    say(
      'The connection closed before everything had arrived',
      `${received(failure.receivedBytes, failure.expectedBytes)} Nothing was kept; try again.`,
    ),
  'trust-file-unreadable': (failure) =>
    say('The certificate authority cannot be read', `Expected PEM text (${failure.code}). Nothing was sent.`),
  'token-missing': (failure) =>
    say(`The ${serviceWords[failure.service]} needs a token`, 'Put one in under Settings, Workspaces.'),
  'token-for-other-host': (failure) =>
    say(
      'The stored token belongs to another host',
      `It is not sent to the new ${serviceWords[failure.service]} address. Enter the token again.`,
    ),
  'token-refused': (failure) =>
    say(
      `The token was refused (${failure.status})`,
      `The ${serviceWords[failure.service]} does not accept this token. Put in a new one under Settings, Workspaces.`,
    ),
  forbidden: (failure) =>
    say(
      `Not allowed (${failure.status})`,
      `This token has no right to do that.${failure.text ? ` The service says: ${failure.text}` : ''}`,
    ),
  'forbidden-or-unknown': (failure) =>
    say(
      `Refused: no right, or no such sample (${failure.status})`,
      'The service gives one answer for both. Its record could not be read to tell which.',
    ),
  'unknown-hash': (failure) =>
    say(`The ${serviceWords[failure.service]} does not know this hash`, 'Check the hash, or ask another workspace.'),
  'action-unknown': (failure) =>
    say(
      `The ${serviceWords[failure.service]} does not know "${failure.action}"`,
      'It is an older or a different release. The other operations still work.',
    ),
  'method-refused': (failure) =>
    say(
      `The ${serviceWords[failure.service]} refused "${failure.action}" (406)`,
      'The token has no right to it, or this release expects it in another form.',
    ),
  'request-refused': (failure) =>
    say(
      `The ${serviceWords[failure.service]} refused the request (${failure.status})`,
      failure.text ? `It says: ${failure.text}` : 'It gives no reason.',
    ),
  'too-large-for-service': () =>
    say('Too large for the service (413)', 'Its upload limit is smaller than this. Nothing was taken.'),
  'slow-down': (failure) =>
    say(
      'The service asks to slow down (429)',
      failure.retryAfterSeconds === null ? 'Try again in a minute.' : `Try again in ${failure.retryAfterSeconds} s.`,
    ),
  'service-failed': (failure) =>
    say(
      `The ${serviceWords[failure.service]} failed (${failure.status})`,
      `The fault is on its side; try again later. ${quoted(failure.text)}`,
    ),
  'html-reply': (failure) =>
    say(
      `The ${serviceWords[failure.service]} answered with a web page`,
      `Status ${failure.status}. The address may be wrong, or a login page or proxy is in between. ${quoted(failure.text)}`,
    ),
  'empty-reply': (failure) =>
    say(
      `The ${serviceWords[failure.service]} answered nothing`,
      `Status ${failure.status}, no content. Check the address, then tell the service’s keeper.`,
    ),
  'unreadable-reply': (failure) =>
    say(
      `The ${serviceWords[failure.service]}’s answer cannot be read`,
      `Status ${failure.status}, not the JSON that was due. ${quoted(failure.text)}`,
    ),
  'text-around-json': (failure) =>
    say(
      `The ${serviceWords[failure.service]} put text around its answer`,
      `Status ${failure.status}; a server warning, most likely, so the answer is not relied on. ${quoted(failure.text)}`,
    ),
  'reply-too-large': (failure) =>
    say(
      `The ${serviceWords[failure.service]}’s answer is too large`,
      `More than ${bytes(failure.limitBytes)} for a reply that is not a sample. Reading stopped there.`,
    ),
  redirected: (failure) =>
    say(
      `The ${serviceWords[failure.service]} sent us elsewhere (${failure.status})`,
      `To ${failure.target}: an installer or a login page, most likely. It was not followed and got no token.`,
    ),
  'redirect-refused': (failure) =>
    say('The download’s redirect was not followed', `${redirectAdvice[failure.reason]} Target: ${failure.target}`),
  'wrong-record': (failure) =>
    say(
      `The ${serviceWords[failure.service]} answered with another sample’s record`,
      `Asked for ${failure.md5}, the record says ${failure.recordMd5}. It was not kept; tell the service’s keeper.`,
    ),
  'service-not-set': (failure) =>
    say(`This workspace has no ${serviceWords[failure.service]}`, 'Put its address in under Settings, Workspaces.'),
} satisfies SomeSentences;

function reachAdvice(reason: 'refused' | 'name' | 'network' | 'reset' | 'proxy' | 'protocol'): string {
  switch (reason) {
    case 'refused':
      return 'Nothing listens at';
    case 'name':
      return 'The name is not known:';
    case 'network':
      return 'There is no way to';
    case 'reset':
      return 'The connection was closed at once by';
    case 'proxy':
      return 'The proxy did not lead to';
    case 'protocol':
      return 'What answers is no web server:';
    default:
      return assertNever(reason);
  }
}

function trustAdvice(reason: 'authority' | 'name' | 'expired' | 'pin' | 'other'): string {
  switch (reason) {
    case 'authority':
      return 'Its authority is unknown; add it to the workspace if it is yours.';
    case 'name':
      return 'It is made out to another name.';
    case 'expired':
      return 'It is out of date.';
    case 'pin':
      return 'It is not the one this workspace is pinned to. Ask its keeper before you change the pin.';
    case 'other':
      return 'It could not be checked.';
    default:
      return assertNever(reason);
  }
}

function received(receivedBytes: number, expectedBytes: number | null): string {
  const part = `${bytes(receivedBytes)} received`;
  return expectedBytes === null ? `${part}.` : `${part} of ${bytes(expectedBytes)}.`;
}
