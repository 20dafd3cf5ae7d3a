import { assertNever } from './assert-never.ts';
import { aroundSentence } from './failure-sentences-around.ts';
import { changedSentence } from './failure-sentences-changed.ts';
import { endedSentence } from './failure-sentences-ended.ts';
import type { Failure, FailureOf, ServiceName } from './failure.ts';

/** What a person reads of a failure. `what` happened; `then` says what it means for their things or what to do. */
export interface FailureSentence {
  what: string;
  then: string;
}

const serviceWords: Record<ServiceName, string> = { repository: 'repository', 'rule-editor': 'rule editor' };

/** Of what a scan does not know all that rules ask for. */
const scannedWords = { vault: 'samples of the vault', copies: 'uploaded files', files: 'some of these files' };
const say = (what: string, then: string): FailureSentence => ({ what, then });

/** The one place where a failure becomes English. Exhaustive: a new kind does not compile without its sentence. */
export function sentenceFor(failure: Failure): FailureSentence {
  switch (failure.kind) {
    case 'bad-input':
      return say(
        'That input cannot be used',
        failure.issues.map((issue) => `${issue.path || 'input'}: expected ${issue.message}`).join('; '),
      );
    case 'unknown-operation':
      return say(
        `This host does not know "${failure.name}"`,
        'The page and the host are of different versions. Restart Vitrine.',
      );
    case 'unexpected':
      return say(
        'Something went wrong inside Vitrine',
        `The log has the details under ${failure.id}. Nothing you had saved is changed.`,
      );
    case 'cancelled':
      return say('Cancelled', 'Nothing was kept of what had arrived.');
    case 'host-gone':
      return say('Vitrine’s host does not answer', 'It may have been stopped. Start it again; what was saved is safe.');
    case 'host-reply-unreadable':
      return say(
        'The host’s answer cannot be read',
        `It is not what "${failure.operation}" answers. The page and the host may be of different versions: reload the page, then restart Vitrine.`,
      );
    case 'body-too-large':
      return say(
        'That is more than the host takes at once',
        `The limit is ${bytes(failure.limitBytes)}. Nothing was changed.`,
      );
    case 'sender-refused':
      return say(
        'The host refused this request',
        `It did not come from Vitrine’s own page (${failure.reason}). Open the link the host printed.`,
      );
    case 'session-missing':
      return say(
        'This page has no session',
        'Open the one-time link the host printed. Press Enter in its terminal for a new one.',
      );
    case 'session-refused':
      return say(
        'This page’s session is not valid any more',
        'The host was restarted. Press Enter in its terminal and open the new link.',
      );
    case 'link-used':
      return say(
        'This link was used already',
        'Each link works once. Press Enter in the host’s terminal for a new one.',
      );
    case 'staged-file-missing':
      return say('A file that was picked is gone', 'It was moved or its staging ended. Pick it again.');
    case 'export-gone':
      return say('This download is over', 'Each works once, and for a few minutes. Export the sample again.');

    case 'no-hash':
      return say('No hash in this text', 'Paste an MD5, a SHA-1 or a SHA-256, alone or in any text.');
    case 'hash-wrong-length':
      return say(
        `A run of ${failure.length} hexadecimal characters is no hash`,
        'An MD5 has 32, a SHA-1 has 40, a SHA-256 has 64. Part of it may be missing.',
      );
    case 'needs-md5':
      return say(
        'This repository is asked by MD5 only',
        'This desk has not seen the sample, so its MD5 is not known here. Look it up by MD5 once.',
      );
    case 'address-invalid':
      return say('This address cannot be used', addressAdvice(failure.reason));
    case 'http-not-allowed':
      return say(
        `Plain http to ${failure.host} is not allowed`,
        'The token and the samples would travel readable by anyone on the way. Use https, or allow http for this workspace.',
      );
    case 'password-empty':
      return say('An export needs a password', 'The convention is "infected".');

    case 'unreachable':
      return say(
        `The ${serviceWords[failure.service]} cannot be reached`,
        `${reachAdvice(failure.reason)} ${failure.address} (${failure.code}).`,
      );
    case 'timed-out':
      return say(
        `The ${serviceWords[failure.service]} ${phaseWords[failure.phase]}`,
        `Waited ${failure.seconds} s for ${failure.address}. ${failure.phase === 'stalled' ? 'Try again later; a higher time limit does not help here.' : 'Try again, or raise the time limit in the workspace.'}`,
      );
    case 'not-trusted':
      return say(
        `The ${serviceWords[failure.service]}’s certificate is not trusted`,
        `${trustAdvice(failure.reason)} Nothing was sent to ${failure.address}.`,
      );
    case 'connection-lost':
      return say(
        'The connection closed before everything had arrived',
        `${received(failure.receivedBytes, failure.expectedBytes)} Nothing was kept; try again.`,
      );
    case 'trust-file-unreadable':
      return say('The certificate authority cannot be read', `Expected PEM text (${failure.code}). Nothing was sent.`);

    case 'token-missing':
      return say(`The ${serviceWords[failure.service]} needs a token`, 'Put one in under Settings, Workspaces.');
    case 'token-for-other-host':
      return say(
        'The stored token belongs to another host',
        `It is not sent to the new ${serviceWords[failure.service]} address. Enter the token again.`,
      );
    case 'token-refused':
      return say(
        `The token was refused (${failure.status})`,
        `The ${serviceWords[failure.service]} does not accept this token. Put in a new one under Settings, Workspaces.`,
      );
    case 'forbidden':
      return say(
        `Not allowed (${failure.status})`,
        `This token has no right to do that.${failure.text ? ` The service says: ${failure.text}` : ''}`,
      );
    case 'forbidden-or-unknown':
      return say(
        `Refused: no right, or no such sample (${failure.status})`,
        'The service gives one answer for both. Its record could not be read to tell which.',
      );
    case 'unknown-hash':
      return say(
        `The ${serviceWords[failure.service]} does not know this hash`,
        'Check the hash, or ask another workspace.',
      );
    case 'action-unknown':
      return say(
        `The ${serviceWords[failure.service]} does not know "${failure.action}"`,
        'It is an older or a different release. The other operations still work.',
      );
    case 'method-refused':
      return say(
        `The ${serviceWords[failure.service]} refused "${failure.action}" (406)`,
        'The token has no right to it, or this release expects it in another form.',
      );
    case 'request-refused':
      return say(
        `The ${serviceWords[failure.service]} refused the request (${failure.status})`,
        failure.text ? `It says: ${failure.text}` : 'It gives no reason.',
      );
    case 'too-large-for-service':
      return say('Too large for the service (413)', 'Its upload limit is smaller than this. Nothing was taken.');
    case 'slow-down':
      return say(
        'The service asks to slow down (429)',
        failure.retryAfterSeconds === null ? 'Try again in a minute.' : `Try again in ${failure.retryAfterSeconds} s.`,
      );
    case 'service-failed':
      return say(
        `The ${serviceWords[failure.service]} failed (${failure.status})`,
        `The fault is on its side; try again later. ${quoted(failure.text)}`,
      );
    case 'html-reply':
      return say(
        `The ${serviceWords[failure.service]} answered with a web page`,
        `Status ${failure.status}. The address may be wrong, or a login page or proxy is in between. ${quoted(failure.text)}`,
      );
    case 'empty-reply':
      return say(
        `The ${serviceWords[failure.service]} answered nothing`,
        `Status ${failure.status}, no content. Check the address, then tell the service’s keeper.`,
      );
    case 'unreadable-reply':
      return say(
        `The ${serviceWords[failure.service]}’s answer cannot be read`,
        `Status ${failure.status}, not the JSON that was due. ${quoted(failure.text)}`,
      );
    case 'text-around-json':
      return say(
        `The ${serviceWords[failure.service]} put text around its answer`,
        `Status ${failure.status}; a server warning, most likely, so the answer is not relied on. ${quoted(failure.text)}`,
      );
    case 'reply-too-large':
      return say(
        `The ${serviceWords[failure.service]}’s answer is too large`,
        `More than ${bytes(failure.limitBytes)} for a reply that is not a sample. Reading stopped there.`,
      );
    case 'redirected':
      return say(
        `The ${serviceWords[failure.service]} sent us elsewhere (${failure.status})`,
        `To ${failure.target}: an installer or a login page, most likely. It was not followed and got no token.`,
      );
    case 'redirect-refused':
      return say(
        'The download’s redirect was not followed',
        `${redirectAdvice[failure.reason]} Target: ${failure.target}`,
      );
    case 'may-have-arrived':
      if (failure.action === 'scanfile')
        return say(
          'The answer was lost: it may have arrived',
          'The service may have the file. It is not sent again by itself; scan it again for a result.',
        );
      return say(
        'The answer was lost: it may have arrived',
        `"${failure.action}" is not sent again by itself. Look the sample up to see.`,
      );
    case 'upload-refused':
      return say('The service refused this file', failure.text ? `It says: ${failure.text}` : 'It gives no reason.');
    case 'upload-vanished':
      return failure.isArchive
        ? say(
            'The service did not keep the archive',
            `It was sent, and it is not there: servers of this kind unpack archives. The reply named ${failure.items} ${failure.items === 1 ? 'file' : 'files'}. Send its members instead.`,
          )
        : say(
            'Sent, and not there',
            `${failure.sent} sent in one request, ${failure.items} named in the reply: the service reads fewer files a request, or smaller ones. Lower the limits under Settings, Uploads, and try again.`,
          );

    case 'wrong-bytes':
      return say(
        'The bytes do not match the MD5',
        `Asked for ${failure.md5}, received ${failure.actualMd5} (${bytes(failure.sizeBytes)}). Nothing was kept.`,
      );
    case 'sha256-contradicts':
      return say(
        'The bytes contradict the record’s SHA-256',
        `The MD5 matches, the SHA-256 does not: recorded ${failure.recordedSha256}, received ${failure.actualSha256}. Nothing was kept; one of the two may be forged.`,
      );
    case 'wrong-record':
      return say(
        `The ${serviceWords[failure.service]} answered with another sample’s record`,
        `Asked for ${failure.md5}, the record says ${failure.recordMd5}. It was not kept; tell the service’s keeper.`,
      );
    case 'two-samples-one-md5':
      return say(
        'Two different samples carry this MD5',
        `They are kept apart and never merged: ${failure.sha256s.join(', ')}.`,
      );
    case 'upload-unconfirmed':
      return say(
        'Stored, by the service’s word',
        'Its record cannot be read with this token, so nobody here has seen it.',
      );
    case 'comment-not-arrived':
      return say(
        'The comment did not arrive',
        'The service lists its comments, and this one is not among them. It can be sent again.',
      );
    case 'file-gone':
      return say(`"${failure.name}" is gone`, 'It was moved or deleted since it was added. Nothing of it was sent.');
    case 'file-changed':
      return say(
        `"${failure.name}" has changed`,
        'It is not what was reviewed. It was not sent; add it again to review it.',
      );
    case 'file-unreadable':
      if (failure.code === 'EILSEQ')
        return say(`The name of "${failure.name}" is no UTF-8`, 'It cannot be found under it. Rename it.');
      return say(
        `"${failure.name}" cannot be read`,
        `This account may not read it, or the disk failed (${failure.code}). Nothing of it was sent.`,
      );
    case 'file-empty':
      return say(`"${failure.name}" is empty`, 'A file without a byte is not sent.');
    case 'upload-file-missing':
      return say('This file is not in the draft any more', 'It was sent or removed meanwhile.');
    case 'draft-too-large':
      return say(
        'Too many files for one draft',
        `At most ${failure.limit.toLocaleString('en')}. Send or discard some of them first.`,
      );
    case 'draft-busy':
      return say(
        `${failure.files === 1 ? '1 file is' : `${failure.files.toLocaleString('en')} files are`} still being read`,
        'Sending waits until they are hashed and archives are open. Nothing was sent.',
      );
    case 'comment-too-long':
      return say(
        'The comment is too long',
        `At most ${failure.limit.toLocaleString('en')} characters. Nothing was sent.`,
      );
    case 'comment-empty':
      return say('The comment has no text', 'Write something first. Nothing was sent.');
    case 'comment-missing':
      return say('This comment is not here any more', 'It was discarded meanwhile.');
    case 'third-party-refused':
      return say(
        `${tlpWords(failure.tlp)} samples do not go to ${failure.receiver}`,
        'Nothing was sent to a third party.',
      );

    case 'archive-damaged':
      return say(
        `"${failure.name}" is damaged: ${lowerFirst(failure.reason)}`,
        'What could be read and verified is kept.',
      );
    case 'archive-limit':
      return say(`"${failure.name}" ${overLimit(failure)}`, 'Reading stopped there. What came before is kept.');
    case 'archive-password':
      return say(
        `"${failure.name}" needs another password`,
        'None of the known passwords opens it. Put in the right one.',
      );
    case 'archive-empty':
      return say(`"${failure.name}" is an archive without members`, 'Send the archive itself if you need it.');
    case 'archive-name-refused':
      return say(
        `"${failure.name}" has a name that is not accepted`,
        `It is ${refusedNameWords[failure.reason]}. The others are not affected.`,
      );
    case 'archive-unsupported':
      return say(
        `“${failure.name}” cannot be unpacked here: it uses ${failure.feature}`,
        'The other entries are not affected.',
      );
    case 'archive-truncated':
      return say(
        'The archive is cut off',
        `${bytes(failure.receivedBytes)} arrived. What came before the cut is whole and verified; only the rest is asked for again.`,
      );
    case 'archive-duplicate':
      return say(`The archive holds “${failure.name}” twice`, 'The first one counts, the second was dropped.');
    case 'archive-entry-unasked':
      return say(
        'The archive holds something nobody asked for',
        `The entry “${failure.name}” was dropped. Nothing of it was kept.`,
      );
    case 'not-in-archive':
      return say(
        'The service left this sample out of its answer',
        'It answered with an archive that does not hold it. Try it again, or ask the keeper of the service.',
      );
    case 'not-an-archive':
      return say(
        'The service answered with something else than an archive',
        `Status ${failure.status}, ${failure.address}. ${quoted(failure.text)}`,
      );
    case 'package-unreadable':
      return say(
        'This package cannot be opened here',
        `It is kept as received (${failure.sha256.slice(0, 12)}). ${quoted(failure.text)}`,
      );
    case 'package-too-large':
      return say(
        'This package is too large',
        `Packages of up to ${bytes(failure.limitBytes)} are read. Nothing of it was kept.`,
      );
    case 'package-missing':
      return say('This package is not kept here any more', 'The packages that are kept are listed under Publications.');
    case 'package-in-use':
      return say(
        `${failure.version} is in use`,
        'Make another package the active one, or take its pin away, then remove it.',
      );
    case 'package-has-broken':
      return say(
        `${failure.version} has ${failure.broken.toLocaleString('en')} broken ${failure.broken === 1 ? 'rule' : 'rules'}`,
        'This workspace installs whole packages only. The active package stays. The update settings say otherwise if you want them to.',
      );
    case 'package-removes-many':
      return say(
        `${failure.version} would remove ${failure.removed.toLocaleString('en')} of ${failure.rules.toLocaleString('en')} rules`,
        'That is more than a fifth, so it was not installed. Confirm the removal to install it.',
      );
    case 'no-rule-files':
      return say(
        'None of these files holds rules',
        `Rule files end in .yar, .yara, .rule or .rules, or lie in a ZIP. ${failure.leftOut === 1 ? '1 other file was' : `${failure.leftOut.toLocaleString('en')} other files were`} left out.`,
      );
    case 'package-pinned':
      return say(
        `${failure.version} is pinned`,
        'No other package is installed while it is. Take the pin away to go on.',
      );
    case 'no-package':
      return say('No rules are installed', 'Check for a publication, or open a package file.');
    case 'check-busy':
      return say('A check is under way already', 'It goes on. Wait for it, or cancel it.');
    case 'rule-missing':
      return say(`The rule ${failure.name} is not there`, 'The active package is another one by now. Look again.');
    case 'mute-missing':
      return say('This mute is not there any more', 'It was taken back meanwhile.');
    case 'rule-broken':
      return say(`A rule in ${failure.file}, line ${failure.line}, does not compile`, failure.text);
    case 'scan-timed-out':
      return say(
        `The scan of ${failure.name} took too long`,
        `It was stopped after ${failure.seconds} s. The other samples are not affected.`,
      );
    case 'scan-too-large':
      return say(
        `"${failure.name}" is too large to scan here`,
        `${bytes(failure.sizeBytes)}; the limit is ${bytes(failure.limitBytes)}.`,
      );
    case 'scan-variables-unknown':
      return say(
        `${failure.rules === 1 ? '1 rule asks' : `${failure.rules.toLocaleString('en')} rules ask`} for ${failure.variables.join(', ')}, not known for ${scannedWords[failure.of]}`,
        'Their result may be wrong. Known hits of these rules are kept.',
      );
    case 'scan-not-understood':
      return say(
        `The ${serviceWords[failure.service]} answered in a form that is not known`,
        'Its reply is shown as it came. Whether a rule hit is not known.',
      );
    case 'no-rules':
      return say(
        'There is no rule to look with',
        'None of those that were chosen is in the active package and can be used.',
      );
    case 'nothing-to-hunt':
      return say(
        'Nothing to hunt: every rule has seen every sample',
        'To look again all the same, hunt with all rules.',
      );
    case 'vault-empty':
      return say('The vault is empty', 'A hunt looks through the samples of the vault. Download some first.');
    case 'scan-file-missing':
      return say(
        'This file is not in the scan any more',
        'The job was taken out of the list, or the file was removed.',
      );

    case 'disk-full':
      return say('The disk is full', `At ${failure.path}. Make room and try again; what was complete is safe.`);
    case 'not-writable':
      return say(
        'This folder cannot be written',
        `${failure.path} ${noFolderAdvice.get(failure.code) ?? `(${failure.code}). Choose another one, or change its permissions.`}`,
      );
    case 'disk-failed':
      return say(
        'The disk did not do what was asked',
        `${failure.path} (${failure.code}). Nothing half-written was kept.`,
      );
    case 'data-newer':
      return say(
        'This data is from a newer Vitrine',
        `${failure.path} has version ${failure.found}; this Vitrine reads up to ${failure.supported}. Update Vitrine. Nothing was changed.`,
      );
    case 'data-in-use':
      return say(
        'Another Vitrine is using this data',
        `${failure.path} is held by another process. Close it first, or choose another folder with --data.`,
      );
    case 'data-gone':
      return say(
        'The folder with the data of this desk is gone',
        `${failure.path} was moved, deleted or unmounted, or another one is in its place. Nothing is written until it is back.`,
      );
    case 'folder-gone':
      return say(
        'A folder with data of this desk is gone',
        `${failure.path} was moved, deleted or unmounted. What this desk knows of its content stays as it is: put the folder back, then try again.`,
      );
    case 'data-not-held':
      return say(
        'Another Vitrine may have opened this data',
        `${failure.path} was removed or replaced while this Vitrine held the data by it. Nothing is written here any more: end this Vitrine, and start it again.`,
      );
    case 'data-unfinished':
      return say(
        'This folder holds an unfinished copy',
        `What was moved or restored to ${failure.path} did not come to its end. What it was copied from is whole. After a move start without --data, and move it again; a restore is begun again.`,
      );
    case 'location-damaged':
      return say(
        'It cannot be read where the data is',
        `${failure.path} says it, and was changed. Start with --data and the folder of the data; or remove that file, if it was never moved.`,
      );
    case 'move-refused':
      return say('The data was not moved', moveAdvice(failure.reason, failure.path));
    case 'data-damaged':
      return say(
        'The database is damaged',
        `${failure.path} (${failure.code}). Nothing was changed. Restore it from a backup.`,
      );
    case 'port-busy':
      return say(`Port ${failure.port} is in use`, 'Another program listens there. Choose one with --port.');
    case 'not-in-vault':
      return say('This sample is not in the vault', 'Download it first.');
    case 'vault-damaged':
      return say(
        'The vault’s copy is damaged',
        `Its bytes no longer match ${failure.sha256.slice(0, 12)}. Download the sample again; the damaged copy is never given out.`,
      );
    case 'not-in-library':
      return say('This desk has not seen this sample', 'Look it up first.');
    case 'workspace-missing':
      return say('This workspace is gone', 'It was removed. Choose another one.');
    case 'workspace-built-in':
      return say('The built-in lab cannot be changed', 'Add a workspace of your own.');
    case 'service-not-set':
      return say(
        `This workspace has no ${serviceWords[failure.service]}`,
        'Put its address in under Settings, Workspaces.',
      );
    case 'no-export-folder':
      return say('No export folder', 'Choose a folder, or start the host with --exports. Nothing was written.');
    case 'interrupted':
      return say('Vitrine ended in the middle of it', 'Nothing half-written was left. Start it again.');
    case 'job-missing':
      return say(`There is no job ${failure.id}`, 'It was taken out of the list, or there never was one.');
    case 'job-state':
      return say(`That cannot be done with job ${failure.id} now`, `It is ${failure.state}.`);
    case 'job-too-large':
      return say(
        'That is more than one job takes',
        `The limit is ${failure.limit.toLocaleString('en')} items. Divide the list.`,
      );
    case 'nothing-selected':
      return say('None of these samples is in the vault', 'Download them first, then export.');
    case 'nothing-to-undo':
      return say('There is nothing to undo', 'It was undone already, or too long ago.');
    case 'view-missing':
      return say(
        'This saved view is not there any more',
        'It was removed meanwhile. Save the query as a new one to keep it.',
      );
    case 'view-name-taken':
      return say('Another saved view has this name', 'Rename that one or choose another name. Nothing was changed.');
    case 'storage-busy':
      return say('The vault is being used', 'Nothing was changed. Wait until no job is running, then try again.');
    case 'too-many-views':
      return say(
        `There are ${failure.limit.toLocaleString('en')} saved views, which is as many as are kept`,
        'Remove one you do not need, then save again.',
      );

    case 'case-empty':
    case 'case-too-large':
    case 'sample-too-large':
    case 'tlp-too-open':
    case 'tlp-unknown':
    case 'bundle-unknown':
    case 'bundle-newer':
    case 'bundle-damaged':
    case 'bundle-truncated':
    case 'bundle-passphrase-wrong':
    case 'bundle-not-signed':
    case 'bundle-not-ready':
    case 'bundle-changed':
    case 'bundle-contradicts':
    case 'bundle-note-full':
    case 'bundle-cut':
    case 'comment-of-bundle':
    case 'backup-refused':
    case 'backup-damaged':
    case 'backup-kept':
    case 'backup-missed':
    case 'watch-refused':
    case 'watch-too-many':
    case 'watch-file-too-large':
    case 'no-active-rules':
    case 'export-into-watched':
    case 'folder-not-named':
      return aroundSentence(failure);

    case 'workspace-changed':
    case 'mute-changed':
    case 'selection-changed':
    case 'ticks-changed':
      return changedSentence(failure);

    case 'scan-memory':
    case 'scan-rule-left-out':
    case 'scan-engine-failed':
    case 'native-engine-missing':
    case 'native-engine-refused':
    case 'worker-ended':
    case 'lab-down':
    case 'lab-failed':
      return endedSentence(failure);

    case 'secrets-locked':
      return say('The token store is locked', 'Enter its passphrase under Settings, Tokens.');
    case 'passphrase-wrong':
      return say('That is not the passphrase', 'The token store stays locked. Nothing was changed.');
    case 'passphrase-short':
      return say('The passphrase is too short', `Use at least ${failure.minimum} characters.`);
    case 'secrets-damaged':
      return say(
        'The token store is damaged',
        `${failure.path} cannot be read. Start a new one and put the tokens in again.`,
      );
    case 'keychain-failed':
      return say(
        'The system keychain did not answer',
        `${failure.backend} refused or is locked. Unlock it and try again; nothing was written in plain text.`,
      );
    default:
      return assertNever(failure);
  }
}

const phaseWords = {
  connect: 'did not take the connection',
  'first-byte': 'did not begin to answer',
  idle: 'stopped in the middle of its answer',
  stalled: 'is too slow to go on (under 1 KiB/s)',
} as const;

const noFolder = 'is no folder, or lies beneath what is none. Choose another one.';
const noFolderAdvice = new Map([
  ['EEXIST', noFolder],
  ['ENOTDIR', noFolder],
  ['ENOENT', 'is not there, or the folder that it should be in is not. Make it, or choose another one.'],
]);

const redirectAdvice = {
  'too-many': 'More than five redirects.',
  scheme: 'Only http and https are followed.',
  'user-info': 'It carries a user name.',
  downgrade: 'It leads from https to http.',
  'private-target': 'It leads to an address inside this network.',
  'no-location': 'It names no target.',
} as const;

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

function overLimit({ limit, value }: FailureOf<'archive-limit'>): string {
  const words = {
    members: 'has more than %s members',
    'member-size': 'has a member of more than %s bytes',
    'total-size': 'unpacks to more than %s bytes',
    expansion: 'unpacks to more than %s times its size',
    depth: 'is nested more than %s levels deep',
  } as const;
  return words[limit].replace('%s', value.toLocaleString('en'));
}

const refusedNameWords = {
  absolute: 'an absolute path',
  dotted: 'a path that leaves the archive',
  link: 'a link',
  device: 'a device',
  reserved: 'a name that Windows keeps for itself',
  control: 'control characters',
} as const;

function moveAdvice(
  reason: 'same' | 'inside' | 'not-empty' | 'link' | 'no-data' | 'named' | 'not-chosen',
  path: string,
): string {
  switch (reason) {
    case 'same':
      return `It is in ${path} already.`;
    case 'inside':
      return `${path} lies inside the folder that would be moved. Choose one outside.`;
    case 'not-empty':
      return `${path} holds something. Choose an empty folder, or one that is not there yet.`;
    case 'link':
      return `${path} is a link or a device. Put what it leads to in its place, or take it out.`;
    case 'no-data':
      return `There is none in ${path}. To begin in another folder, start with --data.`;
    case 'named':
      return `${path} is named with --data. End Vitrine, move the folder, and name its new place.`;
    case 'not-chosen':
      return `It is in ${path}. Choose the folder again to which it is to go.`;
    default:
      return assertNever(reason);
  }
}

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

/**
 * As it is written on documents: TLP 2.0 has its labels in capitals (FIRST, "Traffic Light Protocol"). `tlp` may lead
 * with its name.
 */
const tlpWords = (tlp: string): string => `TLP:${tlp.replace(/^tlp:/i, '').toUpperCase()}`;

const quoted = (text: string): string => (text ? `It begins: ${text}` : '');

const bytes = (count: number): string => `${count.toLocaleString('en')} bytes`;
