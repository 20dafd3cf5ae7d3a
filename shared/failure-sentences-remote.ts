import { assertNever } from './assert-never.ts';
import { bytes, counted, many, print, quoted, reasonOf, serviceWords, type SomeSentences } from './failure-sentence.ts';
import type { FailureOf } from './failure.ts';

const redirectAdvice = {
  'too-many': 'More than five redirects.',
  scheme: 'Only http and https are allowed.',
  'user-info': 'The target contains a user name.',
  downgrade: 'It leads from https to http.',
  'private-target': 'It leads to a private network address.',
  'no-location': 'It has no target.',
} as const;

const otherHostWords = {
  proxy: { what: 'The stored proxy password', again: 'Enter it' },
  basic: { what: 'The stored password of the web server', again: 'Enter it' },
  'client-certificate': { what: 'The stored client certificate', again: 'Choose it' },
} as const;

const encodingAdvice = {
  unknown: 'Vitrine does not know this compression; contact the service’s administrator.',
  broken: 'The data is damaged or incomplete; try again.',
  expansion: 'It expands too far to be a real response, so it was discarded.',
} as const;

/** Rounded up, so that a try then is not early: `45 s`, `20 min`, `5 h`, `12 days`. */
function pauseWords(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 120 * 60) return `${Math.ceil(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.ceil(seconds / 3600)} h`;
  return `${Math.ceil(seconds / 86_400).toLocaleString('en')} days`;
}

/** Sentences for services that refuse a request, or send an unusable response. */
export const serviceSentences = {
  'token-missing': (failure) =>
    print(`The ${serviceWords[failure.service]} needs a token`, 'Enter one in Settings > Workspaces.'),
  'token-for-other-host': (failure) =>
    print(
      'The stored token is for another host',
      `It is not sent to the new ${serviceWords[failure.service]} address. Enter the token again.`,
    ),
  'secret-for-other-host': (failure) => {
    const { what, again } = otherHostWords[failure.secret];
    return print(`${what} is for another host`, `It is not sent to the new address. ${again} again.`);
  },
  'token-refused': (failure) =>
    print(
      `Token rejected (${failure.status})`,
      `The ${serviceWords[failure.service]} does not accept this token. Enter a new one in Settings > Workspaces.`,
    ),
  forbidden: (failure) =>
    print(
      `Not allowed (${failure.status})`,
      `This token does not have the required right.${failure.text ? ` ${reasonOf(failure.text)}` : ''}`,
    ),
  'forbidden-or-unknown': (failure) =>
    print(
      `No right to this sample, or unknown sample (${failure.status})`,
      'The service sends the same response for both, and the record could not be fetched to find out which.',
    ),
  'unknown-hash': (failure) =>
    print(
      `The ${serviceWords[failure.service]} does not know this hash`,
      'Check the hash, or look it up in another workspace.',
    ),
  'unknown-behind-warning': (failure) =>
    print(
      `The ${serviceWords[failure.service]} seems not to know this hash`,
      `It displayed a server warning before this reply, so the reply may be wrong.${quoted(failure.text)}`,
    ),
  'action-unknown': (failure) =>
    print(
      `The ${serviceWords[failure.service]} does not support “${failure.action}”`,
      'It is an older or a different release. Test the connection in Settings to see what it supports.',
    ),
  'method-refused': (failure) =>
    print(
      `The ${serviceWords[failure.service]} refused “${failure.action}” (406)`,
      'The token does not have the required right, or this release expects a different request.',
    ),
  'request-refused': (failure) =>
    print(`The ${serviceWords[failure.service]} refused the request (${failure.status})`, reasonOf(failure.text)),
  'too-large-for-service': (failure) =>
    failure.status === 413
      ? print(
          `Too large for the ${serviceWords[failure.service]} (413)`,
          'It is over the service’s upload limit. Nothing was stored.',
        )
      : print(
          `Too large for the ${serviceWords[failure.service]}`,
          'The service dropped the whole request, as servers do above their upload limit. Nothing was stored.',
        ),
  'slow-down': (failure) =>
    print(
      failure.status === 503
        ? `The ${serviceWords[failure.service]} is temporarily unavailable (503)`
        : `Too many requests for the ${serviceWords[failure.service]} (${failure.status})`,
      failure.retryAfterSeconds === null
        ? 'Try again in a minute.'
        : `Try again in ${pauseWords(failure.retryAfterSeconds)}.`,
    ),
  'service-failed': (failure) =>
    print(
      `The ${serviceWords[failure.service]} failed (${failure.status})`,
      `This is a server error; try again later.${quoted(failure.text)}`,
    ),
  'html-reply': (failure) =>
    print(
      `The ${serviceWords[failure.service]} sent a web page`,
      `Status ${failure.status}. Check the address: it may lead to a login page or proxy.${quoted(failure.text)}`,
    ),
  'empty-reply': (failure) =>
    print(
      `Empty response from the ${serviceWords[failure.service]}`,
      `Status ${failure.status}, no content. Check the address, or contact the service’s administrator.`,
    ),
  'unreadable-reply': (failure) =>
    print(
      `Unexpected response from the ${serviceWords[failure.service]}`,
      `Status ${failure.status}, but not the expected JSON.${quoted(failure.text)}`,
    ),
  'text-around-json': (failure) =>
    print(
      `Extra text in the ${serviceWords[failure.service]}’s response`,
      `Status ${failure.status}. It may be a server warning, so the response was not used.${quoted(failure.text)}`,
    ),
  'reply-too-large': (failure) =>
    print(
      `The ${serviceWords[failure.service]}’s response is too large`,
      `The limit for a response that is not a file is ${bytes(failure.limitBytes)}.`,
    ),
  'encoding-unusable': (failure) =>
    print(
      `The ${serviceWords[failure.service]}’s response cannot be decompressed`,
      `It came as ${failure.encoding}, which was not requested. ${encodingAdvice[failure.reason]}`,
    ),
  redirected: (failure) =>
    print(
      `The ${serviceWords[failure.service]} redirected the request (${failure.status})`,
      `Not followed, and no token sent: ${failure.target}. It may be an installer or a login page.`,
    ),
  'redirect-refused': (failure) =>
    print('Download redirect not followed', `${redirectAdvice[failure.reason]} Target: ${failure.target}`),
  'wrong-record': (failure) =>
    print(
      `The ${serviceWords[failure.service]} sent another sample’s record`,
      `Requested ${failure.md5}, received ${failure.recordMd5}. ` +
        'The record was discarded; contact the service’s administrator.',
    ),
  'service-not-set': (failure) =>
    print(`No ${serviceWords[failure.service]} configured`, 'Enter its address in Settings > Workspaces.'),
} satisfies SomeSentences;

/** Sentences for calls that did not reach Vitrine, and for their input. */
export const requestSentences = {
  'bad-input': (failure) =>
    print(
      'Invalid input',
      failure.issues.map((issue) => `${issue.path || 'input'}: expected ${issue.message}`).join('; '),
    ),
  'unknown-operation': (failure) =>
    print(`Unknown operation “${failure.name}”`, 'The page and the host are different versions. Restart Vitrine.'),
  unexpected: (failure) =>
    print('Internal error', `The log has the details under ${failure.id}. Saved data was not changed.`),
  cancelled: () => print('Cancelled', 'Partial data was discarded.'),
  'host-gone': () =>
    print('Vitrine is not responding', 'It may have been stopped. Start it again; saved data is safe.'),
  'host-reply-unreadable': (failure) =>
    print(
      `Unexpected response to “${failure.operation}”`,
      'The page and the host may be different versions. Reload the page, then restart Vitrine.',
    ),
  'body-too-large': (failure) =>
    print('Too large for one request', `The limit is ${bytes(failure.limitBytes)}. Nothing was changed.`),
  'sender-refused': (failure) =>
    print(
      'The host refused this request',
      `It did not come from Vitrine’s own page (${failure.reason}). Open the link the host printed.`,
    ),
  'session-missing': () =>
    print(
      'This page has no session',
      'Open the one-time link the host printed. Press Enter in its terminal for a new one.',
    ),
  'session-refused': () =>
    print(
      'This page’s session has expired',
      'The host was restarted. Press Enter in its terminal and open the new link.',
    ),
  'link-used': () =>
    print('This link was already used', 'Each link works once. Press Enter in the host’s terminal for a new one.'),
  'staged-file-missing': () =>
    print('A selected file is missing', 'It was moved or deleted, or is no longer staged. Choose it again.'),
  'export-gone': () => print('This download has expired', 'Each link works once, for a few minutes. Export again.'),
  'no-hash': () => print('No hash found in this text', 'Paste any text with an MD5, SHA-1 or SHA-256.'),
  'text-unreadable': () =>
    print('This text could not be read', 'It may be too large for the free memory. Paste it in parts.'),
  'hash-wrong-length': (failure) =>
    print(
      `Not a hash: ${failure.length} hexadecimal characters`,
      'An MD5 has 32, a SHA-1 40, a SHA-256 64. Part of it may be missing.',
    ),
  'needs-md5': () =>
    print('This repository needs an MD5', 'The MD5 of this sample is not known yet. Look it up by MD5 once.'),
  'address-invalid': (failure) => print('Invalid address', addressAdvice(failure.reason)),
  'http-not-allowed': (failure) =>
    print(
      `Plain http to ${failure.host} is not allowed`,
      'The token and samples would be sent unencrypted. Use https, or allow http for this workspace.',
    ),
  'password-empty': () => print('An export needs a password', 'Analysts usually use “infected”.'),
  interrupted: () => print('Vitrine quit before this finished', 'Incomplete results were discarded. Start it again.'),
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

/**
 * As it is written on documents: TLP 2.0 has its labels in capitals (FIRST, "Traffic Light Protocol"). `tlp` may lead
 * with its name.
 */
const tlpWords = (tlp: string): string => `TLP:${tlp.replace(/^tlp:/i, '').toUpperCase()}`;

/** Sentences for files and comments that are sent to a service. */
export const uploadSentences = {
  'may-have-arrived': (failure) =>
    failure.action === 'scanfile'
      ? print(
          'Response lost: the file may have arrived',
          'It is not sent again automatically. Scan it again to get a result.',
        )
      : print(
          'Response lost: the request may have arrived',
          `“${failure.action}” is not sent again automatically. Look up the sample to check.`,
        ),
  'upload-refused': (failure) => print('The service refused this file', reasonOf(failure.text)),
  'upload-vanished': (failure) =>
    failure.isArchive
      ? print(
          'The service did not store the archive',
          `It may have unpacked it: its reply named ${counted(failure.items, 'file')}. ` +
            'Send the unpacked files instead.',
        )
      : print(
          'Sent, but not stored',
          `The reply named ${failure.items} of ${counted(failure.sent, 'file')} in the request. ` +
            'Lower the limits in Settings > Uploads and try again.',
        ),
  'upload-unpacked': ({ stored, alreadyThere, refused, dropped }) =>
    print(
      `Unpacked by the server: ${[
        `${many(stored)} stored`,
        `${many(alreadyThere)} already there`,
        ...(refused > 0 ? [`${many(refused)} refused`] : []),
        ...(dropped > 0 ? [`${many(dropped)} dropped`] : []),
      ].join(', ')}`,
      dropped > 0
        ? 'Such servers keep at most 25 members of an archive. Send the unpacked files to store the others.'
        : 'The archive itself is not stored.',
    ),
  'upload-unconfirmed': () =>
    print('Stored, but not confirmed', 'The service reports success, but the record could not be read to check.'),
  'upload-altered': (failure) => print(alteredTitle(failure), alteredAdvice(failure)),
  'action-not-used': (failure) =>
    print(
      `“${failure.action}” is not used here`,
      `The ${serviceWords[failure.service]} was not seen to support it, or optional actions are switched off in ` +
        'Settings > Workspaces.',
    ),
  'record-changed': () =>
    print('The record has changed meanwhile', 'Nothing was sent. Review the change against the new record.'),
  'record-list-cut': () =>
    print(
      'The list of tags may be incomplete',
      'The server cuts long lists off. Replacing them would remove the tags that it does not show. Nothing was sent.',
    ),
  'comment-not-arrived': () =>
    print('The comment was not stored', 'It is not in the service’s list of comments. You can send it again.'),
  'file-gone': (failure) => print(`“${failure.name}” is missing`, 'It was moved or deleted after you added it.'),
  'file-changed': (failure) =>
    print(
      `“${failure.name}” has changed`,
      'It is not the file you reviewed, so it was not sent. Add it again to review it.',
    ),
  'file-unreadable': (failure) =>
    failure.code === 'EILSEQ'
      ? print(
          `The name of “${failure.name}” is not valid UTF-8`,
          'Files with such names cannot be opened. Rename the file.',
        )
      : print(`Cannot read “${failure.name}”`, `You may not have permission, or the disk failed (${failure.code}).`),
  'folder-not-named': () => print('Unknown folder', 'It was chosen in an earlier session. Choose it again.'),
  'folder-unreadable': (failure) =>
    print(
      'Cannot read this folder',
      `${failure.path} (${failure.code}). Check its permissions, or choose another one.`,
    ),
  'file-empty': (failure) => print(`“${failure.name}” is empty`, 'Empty files are skipped.'),
  'upload-file-missing': () => print('This file is no longer in the draft', 'It was sent or removed.'),
  'draft-too-large': (failure) =>
    print('Too many files in one draft', `The limit is ${many(failure.limit)}. Send or discard some first.`),
  'draft-busy': (failure) =>
    print(
      `Still reading ${counted(failure.files, 'file')}`,
      'Wait until all files are hashed and archives are opened. Nothing was sent.',
    ),
  'nothing-to-send': () =>
    print('Nothing to send', 'Every ticked file is empty, unreadable, listed twice, or in the repository already.'),
  'comment-too-long': (failure) =>
    print('The comment is too long', `The limit is ${many(failure.limit)} characters. Nothing was sent.`),
  'comment-empty': () => print('The comment is empty', 'Enter some text. Nothing was sent.'),
  'comment-missing': () => print('This comment no longer exists', 'It was discarded.'),
  'comment-of-bundle': () =>
    print(
      'This comment was imported from a bundle',
      'It is not on the service, so you cannot reply to it there. Write a new comment instead.',
    ),
  'third-party-refused': (failure) =>
    print(`${tlpWords(failure.tlp)} samples are not sent to ${failure.receiver}`, 'Nothing was sent to a third party.'),
} satisfies SomeSentences;

function alteredTitle({ comment, tags }: FailureOf<'upload-altered'>): string {
  const missing = `${counted(tags.length, 'tag')} missing`;
  if (!comment) return `Stored, ${missing}`;
  return tags.length === 0 ? 'Stored, comment altered' : `Stored, comment altered, ${missing}`;
}

function alteredAdvice({ tags, decoding }: FailureOf<'upload-altered'>): string {
  const missing = tags.length === 0 ? '' : `Missing: ${tags.map(quoted).join(', ')}. `;
  return decoding
    ? `${missing}The server decodes comments differently than assumed. The next upload allows for it.`
    : `${missing}Compare the record with what was sent.`;
}
