import { assertNever } from './assert-never.ts';
import { bytes, quoted, reasonOf, say, serviceWords, type SomeSentences } from './failure-sentence.ts';

const phaseWords = {
  connect: 'did not accept the connection',
  'first-byte': 'did not respond',
  idle: 'stopped responding',
  stalled: 'is too slow (under 1 KiB/s)',
} as const;

const redirectAdvice = {
  'too-many': 'More than five redirects.',
  scheme: 'Only http and https are allowed.',
  'user-info': 'The target contains a user name.',
  downgrade: 'It leads from https to http.',
  'private-target': 'It leads to a private network address.',
  'no-location': 'It has no target.',
} as const;

/** Sentences for services that cannot be reached, refuse a request, or send an unusable response. */
export const serviceSentences = {
  unreachable: (failure) =>
    say(
      `Cannot reach the ${serviceWords[failure.service]}`,
      `${reachAdvice(failure.reason)} ${failure.address} (${failure.code}).`,
    ),
  'timed-out': (failure) =>
    say(
      `The ${serviceWords[failure.service]} ${phaseWords[failure.phase]}`,
      `Waited ${failure.seconds} s for ${failure.address}. ${
        failure.phase === 'stalled'
          ? 'Try again later; a longer time limit does not help.'
          : 'Try again, or raise the time limit in the workspace.'
      }`,
    ),
  'not-trusted': (failure) =>
    say(
      `The ${serviceWords[failure.service]}’s certificate is not trusted`,
      `${trustAdvice(failure.reason)} Nothing was sent to ${failure.address}.`,
    ),
  'connection-lost': (failure) =>
    say(
      'The connection was lost during the transfer',
      `${received(failure.receivedBytes, failure.expectedBytes)} Partial data was discarded; try again.`,
    ),
  'trust-file-unreadable': (failure) =>
    say('Cannot read the certificate authority file', `Expected PEM text (${failure.code}). Nothing was sent.`),
  'token-missing': (failure) =>
    say(`The ${serviceWords[failure.service]} needs a token`, 'Enter one in Settings > Workspaces.'),
  'token-for-other-host': (failure) =>
    say(
      'The stored token is for another host',
      `It is not sent to the new ${serviceWords[failure.service]} address. Enter the token again.`,
    ),
  'token-refused': (failure) =>
    say(
      `Token rejected (${failure.status})`,
      `The ${serviceWords[failure.service]} does not accept this token. Enter a new one in Settings > Workspaces.`,
    ),
  forbidden: (failure) =>
    say(
      `Not allowed (${failure.status})`,
      `This token does not have the required right.${failure.text ? ` ${reasonOf(failure.text)}` : ''}`,
    ),
  'forbidden-or-unknown': (failure) =>
    say(
      `No right to this sample, or unknown sample (${failure.status})`,
      'The service sends the same response for both, and the record could not be fetched to find out which.',
    ),
  'unknown-hash': (failure) =>
    say(
      `The ${serviceWords[failure.service]} does not know this hash`,
      'Check the hash, or look it up in another workspace.',
    ),
  'action-unknown': (failure) =>
    say(
      `The ${serviceWords[failure.service]} does not support “${failure.action}”`,
      'It is an older or a different release. Other operations still work.',
    ),
  'method-refused': (failure) =>
    say(
      `The ${serviceWords[failure.service]} refused “${failure.action}” (406)`,
      'The token does not have the required right, or this release expects a different request.',
    ),
  'request-refused': (failure) =>
    say(`The ${serviceWords[failure.service]} refused the request (${failure.status})`, reasonOf(failure.text)),
  'too-large-for-service': (failure) =>
    say(
      `Too large for the ${serviceWords[failure.service]} (413)`,
      'It is over the service’s upload limit. Nothing was stored.',
    ),
  'slow-down': (failure) =>
    say(
      `Too many requests for the ${serviceWords[failure.service]} (429)`,
      failure.retryAfterSeconds === null ? 'Try again in a minute.' : `Try again in ${failure.retryAfterSeconds} s.`,
    ),
  'service-failed': (failure) =>
    say(
      `The ${serviceWords[failure.service]} failed (${failure.status})`,
      `This is a server error; try again later.${quoted(failure.text)}`,
    ),
  'html-reply': (failure) =>
    say(
      `The ${serviceWords[failure.service]} sent a web page`,
      `Status ${failure.status}. Check the address: it may lead to a login page or proxy.${quoted(failure.text)}`,
    ),
  'empty-reply': (failure) =>
    say(
      `Empty response from the ${serviceWords[failure.service]}`,
      `Status ${failure.status}, no content. Check the address, or contact the service’s administrator.`,
    ),
  'unreadable-reply': (failure) =>
    say(
      `Unexpected response from the ${serviceWords[failure.service]}`,
      `Status ${failure.status}, but not the expected JSON.${quoted(failure.text)}`,
    ),
  'text-around-json': (failure) =>
    say(
      `Extra text in the ${serviceWords[failure.service]}’s response`,
      `Status ${failure.status}. It may be a server warning, so the response was not used.${quoted(failure.text)}`,
    ),
  'reply-too-large': (failure) =>
    say(
      `The ${serviceWords[failure.service]}’s response is too large`,
      `The limit for a response that is not a file is ${bytes(failure.limitBytes)}.`,
    ),
  redirected: (failure) =>
    say(
      `The ${serviceWords[failure.service]} redirected the request (${failure.status})`,
      `Not followed, and no token sent: ${failure.target}. It may be an installer or a login page.`,
    ),
  'redirect-refused': (failure) =>
    say('Download redirect not followed', `${redirectAdvice[failure.reason]} Target: ${failure.target}`),
  'wrong-record': (failure) =>
    say(
      `The ${serviceWords[failure.service]} sent another sample’s record`,
      `Requested ${failure.md5}, received ${failure.recordMd5}. ` +
        'The record was discarded; contact the service’s administrator.',
    ),
  'service-not-set': (failure) =>
    say(`No ${serviceWords[failure.service]} configured`, 'Enter its address in Settings > Workspaces.'),
} satisfies SomeSentences;

function reachAdvice(reason: 'refused' | 'name' | 'network' | 'reset' | 'proxy' | 'protocol'): string {
  switch (reason) {
    case 'refused':
      return 'Connection refused by';
    case 'name':
      return 'Host name not found:';
    case 'network':
      return 'No network route to';
    case 'reset':
      return 'Connection reset by';
    case 'proxy':
      return 'The proxy cannot reach';
    case 'protocol':
      return 'Not a web server:';
    default:
      return assertNever(reason);
  }
}

function trustAdvice(reason: 'authority' | 'name' | 'expired' | 'pin' | 'other'): string {
  switch (reason) {
    case 'authority':
      return 'Unknown certificate authority; add it to the workspace if it is yours.';
    case 'name':
      return 'It was issued for another host name.';
    case 'expired':
      return 'It is outside its validity period.';
    case 'pin':
      return 'It does not match the pinned certificate; check with the administrator before changing the pin.';
    case 'other':
      return 'It could not be verified.';
    default:
      return assertNever(reason);
  }
}

const received = (receivedBytes: number, expectedBytes: number | null): string =>
  `Received ${bytes(receivedBytes)}${expectedBytes === null ? '' : ` of ${bytes(expectedBytes)}`}.`;
