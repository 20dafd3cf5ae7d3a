import { formatNumber, formatSize } from '../../components/format.ts';

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${formatNumber(count)} ${many}`;
const files = (count: number): string => counted(count, 'file', 'files');

/** Of the ticked files, some may be skipped. */
function formatTicked(samples: number, ticked: number): string {
  if (samples < ticked) return `${formatNumber(samples)} of the ${formatNumber(ticked)} ticked files`;
  return ticked === 1 ? 'the ticked file' : `all ${formatNumber(ticked)} ticked files`;
}

/** English of the upload. */
export const text = {
  title: 'Upload',
  staged: (count: number, bytes: number) => `${files(count)} staged, ${formatSize(bytes)}`,
  kept: 'Draft saved on this computer,',
  adding: (added: number, found: number, isWalking: boolean) =>
    `adding ${formatNumber(added)} of ${formatNumber(found)}${isWalking ? ' found so far' : ''}`,
  hashing: (count: number) => `hashing ${formatNumber(count)}`,
  stop: 'Stop',
  addFiles: 'Add files…',
  addMenu: 'Add to draft',
  pickFiles: 'Files…',
  pickFolder: 'Folder…',
  discard: 'Discard…',
  discardTitle: (count: number) => `Discard the draft with its ${files(count)}?`,
  discardThen:
    'Its file copies, tags, flags and comment are deleted. Your original files are kept, and nothing was sent.',
  keepDraft: 'Cancel',
  discardDraft: 'Discard draft',

  tickHeldTitle: (held: number) => `Also tick the ${held === 1 ? 'file' : files(held)} from the watched folder?`,
  tickHeldThen: 'Ticked files are looked up in the repository and sent with the next upload.',
  tickOthers: (count: number) => `Tick only the other ${count === 1 ? 'one' : formatNumber(count)}`,
  tickNone: 'Tick none',
  tickAll: (count: number) => (count === 1 ? 'Tick it' : `Tick all ${formatNumber(count)}`),

  emptyTitle: 'Nothing to upload yet',
  emptySentence:
    'Files are hashed, archives are opened, and hashes are looked up in the repository. ' +
    'No file is sent until you press Send.',
  orDrop: 'or drop files, folders and archives anywhere',
  dropMore: 'Drop more files or folders here. No file is sent until you press Send.',
  notKnownYet: 'Loading the draft',

  tickedFiles: (samples: number, ticked: number) =>
    ticked === 0
      ? 'No file is ticked'
      : samples === 0
        ? 'None of the ticked files can be sent'
        : `For ${formatTicked(samples, ticked)}`,
  addTag: 'Add tag…',
  addTagTitle: (samples: number, ticked: number) => `Tag for ${formatTicked(samples, ticked)}`,
  addTagHint: 'Press Enter to add it to every ticked file.',
  setTlp: 'Set TLP',
  setTlpMenu: 'TLP for all ticked files',
  noTlp: 'No TLP',
  remove: 'Remove…',
  removeKey: 'Del',
  removeTitle: (count: number) => `Remove ${files(count)} from the draft?`,
  removeThen: 'Removing an archive also removes its members. Your original files are kept, and nothing was sent.',
  keepFiles: 'Cancel',
  removeFiles: (count: number) => `Remove ${files(count)}`,
  removed: 'Removed from the draft',
  flagged: (receiver: string, changed: number, refused: number) =>
    refused === 0
      ? `${receiver}: ${files(changed)} changed`
      : `${receiver}: ${files(changed)} changed, ${formatNumber(refused)} blocked by TLP`,
  flagAll: (receiver: string) => `Forward all ticked files to ${receiver}, if their TLP allows`,

  table: 'Files in the draft',
  columns: { file: 'File', strip: 'Bytes', size: 'Size', presence: 'Repository status', tags: 'Tags', tlp: 'TLP' },
  memberOf: 'in the archive above: ',
  members: (count: number) => `opened, ${counted(count, 'member', 'members')}`,
  none: '–',
  notAvailable: 'not available for this file',
  tagsOf: (name: string) => `Tags of ${name}`,
  tlpOf: (name: string) => `TLP of ${name}`,
  sendTo: (receiver: string, name: string) => `Forward ${name} to ${receiver}`,
  shut: (receiver: string, level: string) => `TLP:${level}: not forwarded to ${receiver}`,

  standing: {
    reading: 'Hashing…',
    opening: 'Opening…',
    asking: 'Checking…',
    new: 'New',
    there: 'Already there',
    unanswered: 'No response',
    held: 'Not checked',
    empty: 'Empty, skipped',
    same: (name: string | null) => `Same as ${name ?? 'another file'}`,
    gone: 'Missing',
    changed: 'Changed',
    locked: 'Locked',
    notOpened: 'Not opened',
    member: 'Not extracted',
    twoSamples: 'MD5 collision',
    unreadable: 'Unreadable',
  },
  standingThen: {
    empty: 'Empty files are not sent.',
    same: 'Identical files are sent once.',
    held: 'Added from the watched folder. Tick it to check whether the repository already has it.',
    there: 'Not sent again. Its tags and the comment can be added to the existing sample.',
    locked: 'No known password opens this archive.',
  },
  inPart: 'partly opened',
  unusual: (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`,
  namesAre: (encoding: string) => `Names: ${encoding}`,
  nameEncodingMenu: 'Encoding of file names in this archive',
  enterPassword: 'Enter password…',
  enterPasswordOf: (name: string) => `Locked archive: enter the password for ${name}`,
  passwordTitle: 'Open archive',
  password: 'Password',
  passwordHint: 'Used once and never stored.',
  notNow: 'Cancel',
  openArchive: 'Open',
  passwordWrong: 'Wrong password',
  sentAsItIs: 'If it is sent unopened, the server may unpack it and keep at most 25 members',
  removeThis: 'Remove file',
  keysHint: 'Enter edits a file, X ticks it, Del removes ticked files.',

  haltedAfter: (count: number) =>
    count === 0
      ? 'Files already in the draft are kept.'
      : `${files(count)} not added. Files already in the draft are kept.`,

  beforeSending: 'Before you send',
  amounts: 'File status',
  sentNow: 'To send',
  alreadyThere: 'Already there',
  leftOut: 'Skipped',
  commentThere: 'Add to existing samples…',
  asking: (count: number) => `checking ${files(count)}`,
  unanswered: (count: number) => `No response for ${files(count)}. Each is checked again before it is sent.`,
  uncheckable:
    'This repository has no records, so files cannot be checked before they are sent. It may have some already.',
  askAgain: 'Check again',
  whoElse: 'Recipients',
  files,
  andMore: (count: number) => `and ${formatNumber(count)} more`,
  onlyRecipient: (workspace: string) => `Only the repository of ${workspace}.`,
  handsOn: (workspace: string, receivers: string) =>
    `The repository of ${workspace} forwards copies to ${receivers}. This cannot be undone.`,
  and: (one: string, other: string) => `${one} and ${other}`,
  closed: (count: number) =>
    count === 1
      ? '1 file is TLP:AMBER or stricter and is not forwarded.'
      : `${formatNumber(count)} files are TLP:AMBER or stricter and are not forwarded.`,
  comment: 'Comment',
  onAll: (count: number) => (count === 1 ? 'on 1 file' : `on all ${formatNumber(count)}`),
  commentLength: (length: number, most: number) => `${formatNumber(length)} of ${formatNumber(most)} characters`,
  commentTooLong: (length: number, most: number) =>
    `${formatNumber(length)} of at most ${formatNumber(most)} characters. Shorten it to save it.`,
  to: (workspace: string, requests: number) => `To ${workspace}, ${counted(requests, 'request', 'requests')}`,
  send: (count: number) => (count === 0 ? 'Send' : `Send ${files(count)}`),
  sendKey: 'Ctrl Enter',
  cannotSend: {
    nothing: 'Nothing to send: no ticked file is new to the repository',
    none: 'Nothing to send: no file is ticked',
    busy: (count: number) => `${files(count)} still being read`,
    coming: 'Files are still being added',
    noRepository: 'No repository configured',
    tooLong: 'The comment is too long',
    sending: 'Preparing the job',
  },
  openSettings: 'Open settings',

  newDraft: 'New draft',
  backToDraft: (count: number) => `Back to draft (${files(count)})`,

  ways: {
    comment: {
      title: 'Comment on existing samples',
      then: (workspace: string) =>
        `One comment per sample is sent to the repository of ${workspace}. ` +
        'Tags of existing samples cannot be changed, so they are listed in the comment.',
      post: (count: number) => (count === 1 ? 'Send 1 comment' : `Send ${formatNumber(count)} comments`),
      end: (sent: number, all: number) =>
        sent === all
          ? `${counted(sent, 'comment', 'comments')} sent and confirmed`
          : `${formatNumber(all - sent)} of ${formatNumber(all)} not confirmed`,
    },
    record: {
      title: 'Add to the records of existing samples',
      then: (workspace: string) =>
        `The repository of ${workspace} has no comment threads. The tags and the text are added to each record; ` +
        'what is in it stays.',
      post: (count: number) => (count === 1 ? 'Change 1 record' : `Change ${formatNumber(count)} records`),
      end: (sent: number, all: number) =>
        sent === all
          ? `${counted(sent, 'record', 'records')} changed and confirmed`
          : `${formatNumber(all - sent)} of ${formatNumber(all)} not confirmed`,
    },
  },
  thereImpossible: 'Nothing can be added to samples that it has.',
  thereTable: 'Existing samples and their comments',
  thereColumns: { file: 'File', text: 'Text', outcome: 'Status' },
  thereReading: 'Loading existing samples',
  thereNothing: 'Nothing to send: there is no comment, and no existing sample has tags or a TLP in this draft.',
  thereSkipped: (count: number) => `${files(count)} with nothing to send ${count === 1 ? 'is' : 'are'} not listed.`,
  thereProgress: (done: number, all: number) => `${formatNumber(done)} of ${formatNumber(all)} done`,
  thereFull: 'Text for',
  tagsLine: (tags: string) => `Tags: ${tags}`,
  notPosted: 'Cancel',
  close: 'Close',
  outcomes: {
    sending: 'Sending',
    sent: 'Sent',
    failed: 'Failed',
    altered: 'Stored otherwise',
    'may-have-arrived': 'May have arrived',
  },
} as const;
