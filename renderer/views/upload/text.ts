import { numberWords, sizeWords } from '../../components/byte-words.ts';

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${numberWords(count)} ${many}`;
const files = (count: number): string => counted(count, 'file', 'files');

/** English of the upload. */
/** Of those that are ticked, some may be left out. */
function tickedWords(samples: number, ticked: number): string {
  if (samples < ticked) return `${numberWords(samples)} of the ${numberWords(ticked)} ticked files`;
  return ticked === 1 ? 'the ticked file' : `all ${numberWords(ticked)} ticked files`;
}

export const text = {
  title: 'Upload',
  staged: (count: number, bytes: number) => `${files(count)} staged, ${sizeWords(bytes)}`,
  kept: 'Draft kept on this computer,',
  adding: (added: number, found: number, isWalking: boolean) =>
    `adding ${numberWords(added)} of ${numberWords(found)}${isWalking ? ' found so far' : ''}`,
  hashing: (count: number) => `hashing ${numberWords(count)}`,
  stop: 'Stop',
  addFiles: 'Add files',
  addMenu: 'Add to the draft',
  pickFiles: 'Files',
  pickFolder: 'A folder',
  discard: 'Discard',
  discardTitle: (count: number) => `Discard the draft with its ${files(count)}?`,
  discardThen:
    'What was copied here for sending is removed, with tags, flags and the comment. The files you dropped stay where they are, and nothing was sent.',
  keepDraft: 'Keep it',
  discardDraft: 'Discard the draft',

  tickHeldTitle: (held: number) => `Tick the ${held === 1 ? 'file' : files(held)} of the watched folder, too?`,
  tickHeldThen: 'What is ticked is asked about at the repository, and sent with the next upload.',
  tickOthers: (count: number) => `Tick only the other ${count === 1 ? 'one' : numberWords(count)}`,
  tickNone: 'Tick none',
  tickAll: (count: number) => (count === 1 ? 'Tick it' : `Tick all ${numberWords(count)}`),

  emptyTitle: 'Nothing to upload yet',
  emptySentence:
    'Files are hashed here first, archives are opened, and the repository is asked what it has already. Nothing is sent until you say so.',
  orDrop: 'or drop files, folders and archives anywhere',
  dropMore: 'Drop more files or folders here. Nothing is sent until you say so.',
  notKnownYet: 'Reading the draft',

  tickedFiles: (samples: number, ticked: number) =>
    ticked === 0
      ? 'No file is ticked'
      : samples === 0
        ? 'No ticked file is one that can be sent'
        : `For ${tickedWords(samples, ticked)}`,
  addTag: 'Add tag',
  addTagTitle: (samples: number, ticked: number) => `Tag of ${tickedWords(samples, ticked)}`,
  addTagHint: 'Enter adds it to every ticked file at once.',
  setTlp: 'Set TLP',
  setTlpMenu: 'TLP of all ticked files',
  noTlp: 'No TLP',
  remove: 'Remove',
  removeKey: 'Del',
  removeTitle: (count: number) => `Take ${files(count)} out of the draft?`,
  removeThen: 'Members go with their archive. Nothing of them was sent, and the files you dropped stay where they are.',
  keepFiles: 'Keep them',
  removeFiles: (count: number) => `Remove ${files(count)}`,
  removed: 'Removed from the draft',
  flagged: (receiver: string, changed: number, refused: number) =>
    refused === 0
      ? `${receiver}: ${files(changed)} changed`
      : `${receiver}: ${files(changed)} changed, ${numberWords(refused)} stay shut by their TLP`,
  flagAll: (receiver: string) => `${receiver} gets all ticked files that may leave`,

  table: 'Files of the draft',
  columns: { file: 'File', strip: 'Bytes', size: 'Size', presence: 'At the repository', tags: 'Tags', tlp: 'TLP' },
  memberOf: 'in the archive above: ',
  members: (count: number) => `opened, ${counted(count, 'member', 'members')}`,
  none: '–',
  notAvailable: 'not for this file',
  tagsOf: (name: string) => `Tags of ${name}`,
  tlpOf: (name: string) => `TLP of ${name}`,
  sendTo: (receiver: string, name: string) => `${receiver} gets ${name}`,
  shut: (receiver: string, level: string) => `TLP:${level}: ${receiver} gets no copy`,

  standing: {
    reading: 'Hashing…',
    opening: 'Opening…',
    asking: 'Asking…',
    new: 'New',
    there: 'Already there',
    unanswered: 'Not answered',
    held: 'Not asked',
    empty: 'Empty, left out',
    same: (name: string | null) => `Same as ${name ?? 'another file'}`,
    gone: 'Gone',
    changed: 'Changed',
    locked: 'Locked',
    notOpened: 'Not opened',
    member: 'Not taken out',
    twoSamples: 'Two samples, one MD5',
    unreadable: 'Unreadable',
  },
  standingThen: {
    empty: 'A file without a byte is not sent.',
    same: 'The same bytes are in this draft already, and are sent once.',
    held: 'It came into the watched folder. Nobody was asked about it; tick it by itself, and the repository is asked whether it has it.',
    there: 'It is not sent again. Its tags and the comment can be added to the one that is there.',
    locked: 'No known password opens it.',
  },
  inPart: 'opened in part',
  unusual: (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`,
  namesAre: (encoding: string) => `Names: ${encoding}`,
  nameEncodingMenu: 'Encoding of the names in this archive',
  enterPassword: 'Enter password',
  enterPasswordOf: (name: string) => `Locked archive: enter the password of ${name}`,
  passwordTitle: 'Open the archive',
  password: 'Password',
  passwordHint: 'It is tried once, and kept nowhere.',
  notNow: 'Not now',
  openArchive: 'Open it',
  passwordWrong: 'This password does not open it',
  sentAsItIs: 'Sent as it is, a server may unpack it and keep 25 members at most',
  removeThis: 'Remove this file',
  keysHint: 'Enter edits a file, X ticks it, Del removes the ticked ones.',

  haltedAfter: (count: number) =>
    count === 0 ? 'What is in the draft stays.' : `${files(count)} did not come in; what is in the draft stays.`,

  beforeSending: 'Before you send',
  amounts: 'What becomes of the files',
  sentNow: 'Sent now',
  alreadyThere: 'Already there',
  leftOut: 'Left out',
  commentThere: 'Add tags and comment there instead',
  asking: (count: number) => `asking about ${files(count)}`,
  unanswered: (count: number) => `${files(count)} not answered; each is asked about once more before it is sent.`,
  askAgain: 'Ask again',
  whoElse: 'Who else gets a file',
  files,
  andMore: (count: number) => `and ${numberWords(count)} more`,
  nobodyElse: (workspace: string) => `Nobody but the repository of ${workspace}.`,
  handsOn: (workspace: string, receivers: string) =>
    `The repository of ${workspace} hands a copy on to ${receivers}. That cannot be taken back.`,
  and: (one: string, other: string) => `${one} and ${other}`,
  closed: (count: number) =>
    count === 1
      ? '1 file is AMBER or RED. Its boxes stay shut.'
      : `${numberWords(count)} files are AMBER or RED. Their boxes stay shut.`,
  comment: 'Comment',
  onAll: (count: number) => (count === 1 ? 'on the one file' : `on all ${numberWords(count)}`),
  commentLength: (length: number, most: number) => `${numberWords(length)} of ${numberWords(most)} characters`,
  commentTooLong: (length: number, most: number) =>
    `At most ${numberWords(most)} characters, these are ${numberWords(length)}. It is not saved like this.`,
  to: (workspace: string, requests: number) => `To ${workspace}, ${counted(requests, 'request', 'requests')}`,
  send: (count: number) => (count === 0 ? 'Send' : `Send ${files(count)}`),
  sendKey: 'Ctrl Enter',
  cannotSend: {
    nothing: 'Nothing to send: no ticked file is new at the repository',
    none: 'Nothing to send: no file is ticked',
    busy: (count: number) => `${files(count)} still being read`,
    coming: 'Files are still coming in',
    noRepository: 'This workspace has no repository',
    tooLong: 'The comment is too long',
    sending: 'Putting the job together',
  },
  openSettings: 'Open settings',

  newDraft: 'New draft',
  backToDraft: (count: number) => `Back to the draft, ${files(count)}`,

  thereTitle: 'Add tags and comment to what is there',
  thereThen: (workspace: string) =>
    `Each text is posted as a comment at the repository of ${workspace}. Tags of a sample that is there cannot be changed, so they are written down in it.`,
  thereTable: 'Known files and their comments',
  thereColumns: { file: 'File', text: 'Text', outcome: 'Outcome' },
  thereReading: 'Reading the known files',
  thereNothing: 'No known file has a tag or a TLP, and there is no comment: nothing would be posted.',
  thereSkipped: (count: number) => `${files(count)} without a word to post ${count === 1 ? 'is' : 'are'} not listed.`,
  thereProgress: (done: number, all: number) => `${numberWords(done)} of ${numberWords(all)} have an outcome`,
  thereEnd: (sent: number, all: number) =>
    sent === all
      ? `${counted(sent, 'comment', 'comments')} sent and confirmed`
      : `${numberWords(all - sent)} of ${numberWords(all)} not confirmed`,
  thereFull: 'Text for',
  tagsLine: (tags: string) => `Tags: ${tags}`,
  post: (count: number) => (count === 1 ? 'Post 1 comment' : `Post ${numberWords(count)} comments`),
  notPosted: 'Do not post',
  close: 'Close',
  outcomes: { sending: 'Sending', sent: 'Sent', failed: 'Failed', 'may-have-arrived': 'May have arrived' },
} as const;
