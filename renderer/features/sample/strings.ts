import { journalOperationNames } from '../../../shared/domain/journal-words.ts';
import type { JournalOperation } from '../../../shared/domain/journal.ts';
import { longestNote } from '../../../shared/domain/library.ts';
import { longestTag, mostSearchedTags } from '../../../shared/domain/tag.ts';

const number = (count: number): string => count.toLocaleString('en');

/** English of the page of one sample. */
export const text = {
  title: 'Sample',
  back: 'Library',
  reading: 'Loading',
  goneTitle: 'This sample is not in the library',
  goneSentence: 'It was forgotten on this computer. Look it up to add it again.',
  lookUpAgain: 'Look up',
  notAllKnown: 'Tags, the note and other local data are not shown.',

  kinds: { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256' },
  hashes: 'Hashes',
  sameMd5: (count: number) =>
    count === 1 ? 'Another sample here has this MD5' : `${number(count)} other samples here have this MD5`,
  openSha256: (start: string) => `Open SHA-256 ${start}…`,
  openWithoutSha256: 'Open the one without a SHA-256',

  unnamed: 'No name in the record',
  vault: {
    none: 'Not in the vault',
    held: 'In the vault, verified and encrypted',
    missing: 'Missing from the vault',
    altered: 'Modified in the vault',
  },
  damage: {
    missing: {
      title: 'The vault file of this sample is missing',
      then: 'It was removed outside Vitrine.',
    },
    altered: {
      title: 'The vault file of this sample was modified',
      then: 'It was changed outside Vitrine, or the disk failed.',
    },
  },
  repairByDownload: 'Download the sample again to replace it.',
  noRepair: 'It cannot be downloaded again: its MD5 is unknown.',
  fetchAgain: 'Download again',
  sizeUnknown: 'Size unknown',
  alsoSizeUnknown: 'size unknown',
  namesHere: (count: number) => `${number(count)} local names.`,

  verdict: {
    title: 'Verdict',
    record: (workspace: string) => `${workspace}, record`,
    /** Of two sources whose values differ: the one of the value that is shown first. */
    disagrees: (source: string, other: string, value: string) => `${source}; ${other}: ${value}`,
    states: (source: string, value: string) => `${source}: ${value}`,
    noRecord: 'No record fetched',
    noFamily: 'No family',
    noSource: 'No threat or family tag',
    threat: (workspace: string) => `${workspace}, threat`,
    foreignTag: 'Tag, from the record',
    localTag: 'Here, tag',
    hits: (count: number, rules: number | null) =>
      rules === null
        ? `${number(count)} ${count === 1 ? 'rule hit' : 'rules hit'}`
        : `${number(count)} of ${number(rules)} ${rules === 1 ? 'rule' : 'rules'} hit`,
    noHits: (rules: number | null) =>
      rules === null ? 'No hits' : `No hits (${number(rules)} ${rules === 1 ? 'rule' : 'rules'})`,
    notScanned: 'Not scanned',
    noScan: 'No scan here',
    scannedBefore: 'Here, earlier',
    scanned: (age: string) => `Here, ${age}`,
    knownElsewhere: (count: number) => `${number(count)} known ${count === 1 ? 'hit' : 'hits'} elsewhere`,
    tlpUnknown: 'TLP unknown',
    tlpTag: (workspace: string) => `${workspace}, tag`,
    tlpSources: { own: 'Set here', tag: 'From a tag', upload: 'From its upload', scan: 'From a scan' },
    first: 'First',
    last: 'Last',
    here: 'here',
  },

  bytes: 'Bytes and entropy',
  entropyLine: 'line: entropy, 0 to 8 bits',
  showBytes: 'Show bytes',
  hideBytes: 'Hide bytes',
  matchesIn: (count: number, ticks: number) =>
    `${number(count)} ${count === 1 ? 'match' : 'matches'} from the last scan ` +
    `at ${number(ticks)} ${ticks === 1 ? 'position' : 'positions'}`,
  notInVault: 'Download the sample to see its bytes.',

  record: 'Record',
  recordOf: 'Record from',
  fetching: (workspace: string) => `Fetching from ${workspace}`,
  answeredIn: (ms: number) => `${number(ms)} ms`,
  knownHereStays: 'Below is what this computer knows.',
  notRecognized: 'not recognized',
  hereWhy: 'Known on this computer',
  readAt: 'fetched',
  justNow: 'just now',
  removedWorkspace: 'a removed workspace',
  behindWarning: 'This record came behind a server warning',
  behindWarningThen: (words: string) => `Parts of it may be missing or wrong. The warning: ${words}`,
  workspaceGone: 'Its workspace was removed',
  workspaceGoneThen: 'The record is kept. You can fetch a new one from another workspace.',
  noRecord: 'No record fetched yet',
  nothingMore: 'No other fields in the record',
  more: 'Other fields',
  moreAside: 'raw',

  tags: 'Tags',
  addTag: 'Add tag',
  noTags: 'No repository tags',
  ownTags: 'Local tags (not sent)',
  tagPlaceholder: 'Add a tag',
  needsBytes: 'Local tags, a TLP and a note need the SHA-256. Download the sample first.',
  notChanged: (name: string, why: string) => `${name} was not changed: ${why}`,
  moreTags: (count: number) => `Show ${number(count)} more`,
  moreFacts: (count: number) => `Show ${number(count)} more lines`,
  wholeTags: (count: number) =>
    `${number(count)} of these ${count === 1 ? 'is found by its' : 'are found by their'} whole text only. ` +
    `Patterns and suggestions cover the first ${mostSearchedTags} tags of a record, ` +
    `each up to ${longestTag} characters.`,

  tlp: 'TLP',
  setTlp: 'Set TLP',
  tlpMenu: 'Local TLP',
  noTlp: 'No TLP',
  notSet: 'No TLP set',
  notFetched: 'Unknown: no record fetched yet',
  tlpSources: { own: 'set locally', tag: 'from a tag', upload: 'from its upload', scan: 'from a scan' },
  stricterHolds: (level: string) => `The strictest TLP applies (${level}). A local TLP cannot lower it.`,

  note: 'Note',
  noteNeedsBytes: 'A note needs the SHA-256. Download the sample first.',
  noteField: 'Note, in Markdown',
  notePlaceholder: 'Private notes in Markdown. Never sent.',
  noteWrite: 'Write note',
  noteEdit: 'Edit note',
  noteDone: 'Preview',
  noteStates: {
    idle: '',
    waiting: 'Unsaved. Saved when you leave, or with Ctrl S',
    saving: 'Saving',
    saved: 'Saved',
    failed: 'Not saved',
  },
  noteFailed: {
    browser: 'The text stays in this browser until it can be saved.',
    nowhere: 'The text exists only in this field. Do not close the page.',
  },
  noteLimit: {
    left: (count: number) => `${number(count)} of ${number(longestNote)} characters left`,
    tooMany: (count: number) =>
      `${number(count)} ${count === 1 ? 'character' : 'characters'} over ${number(longestNote)}. ` +
      'Shorten the note to save it.',
    refused: (count: number) =>
      `The note would have ${number(count)} characters; the limit is ${number(longestNote)}. ` +
      'Nothing was inserted, and the clipboard is unchanged.',
  },
  noteCut: 'This preview is cut off. Choose Edit note to see it all.',
  noteDeep: 'Deeply nested content is not shown. Choose Edit note to see it all.',
  noteWhole: (count: number) => `Show all ${number(count)} characters`,
  copyAddress: 'Copy address',
  picture: 'Image',

  hits: 'Rule hits',
  hitsAside: 'last scan',
  noHits: 'No rule has matched yet',
  notScanned: 'Not scanned yet',
  sideWith: (side: string, version: string) => `${side} with ${version}`,
  knownHits: 'Also known',
  sides: { local: 'local engine', service: 'rule editor' },
  /** A rule may need no string at all. */
  matches: (count: number) => (count === 0 ? 'condition only' : count === 1 ? '1 match' : `${number(count)} matches`),
  muted: 'muted',
  showHit: 'Show',
  showHitOf: (rule: string) => `Show ${rule} in its scan`,

  scans: 'Scans',
  scansAside: 'newest first',
  scanKinds: { scan: 'Scan', hunt: 'Hunt' },
  scanGone: 'No longer in the list',
  seenThere: (rules: string) => `last match of ${rules}`,
  moreRules: (count: number) => `and ${number(count)} more`,
  openScan: 'Open',
  openScanOf: (id: number) => `Open job ${id}`,

  history: 'Local history',
  historyAside: 'from the journal',
  noHistory: 'No history yet',
  directions: { from: 'Source', to: 'Sent or exported', here: 'Local actions' },
  from: (name: string) => `from ${name}`,
  to: (name: string) => `to ${name}`,
  at: (place: string) => `at ${place}`,
  by: (name: string) => `by ${name}`,
  sentForScan: 'Sent for a scan',
  exportedInto: { folder: 'the export folder', browser: 'a browser download' },

  noThread: 'No comments: the MD5 of this sample is unknown.',

  download: 'Download',
  unknownAt: (workspace: string) => `${workspace} does not know this hash.`,
  cancel: 'Cancel',
  waiting: 'Waiting',
  receiving: 'Downloading and verifying',
  cancelled: 'Download cancelled',
  cancelledThen: 'The partial download was deleted.',
  copyWhat: { all: 'All hashes, one per line', name: 'Name' },
  copied: (what: string) => `Copied: ${what}`,
  scan: 'Scan',
  again: 'Refresh',
  ask: (service: string) => `Fetch from ${service}`,

  exportTitle: 'Export as a password ZIP?',
  exportSentence:
    'The ZIP contains the sample, named by its SHA-256, and a manifest. Anyone with the password can extract it.',
  notExported: (name: string, why: string) => `${name} was not exported: ${why}`,
  exportedTo: (name: string, folder: string) => `Exported ${name} to ${folder}`,

  fields: {
    name: 'name',
    type: 'type',
    date: 'date',
    uploader: 'uploader',
    mime: 'mime',
    size: 'size',
    imphash: 'imphash',
    ssdeep: 'ssdeep',
    signer: 'signer',
    pdbPath: 'pdbpath',
    favorite: 'favorite',
    locked: 'locked',
    url: 'url',
    threat: 'threat',
    criticity: 'severity',
    virusTotal: 'virustotal',
    sandbox: 'sandbox',
  },
  yes: 'yes',
  no: 'no',
  criticity: { bad: 'bad', unwanted: 'unwanted', other: 'other' },

  operations: {
    'look-up': 'Looked up',
    download: 'Downloaded',
    export: 'Exported',
    upload: 'Uploaded',
    comment: 'Commented',
    scan: 'Scanned',
    'rule-update': 'Rules updated',
    workspace: 'Workspace changed',
    'key-change': 'Journal key changed',
    forget: 'Forgotten',
    bundle: 'In a bundle',
    backup: 'Backed up',
    restore: 'Restored',
    watch: 'Watched folder changed',
    mute: 'Mute changed',
    add: 'Added',
    'record-change': 'Record changed',
  } satisfies Record<JournalOperation, string>,
  attempted: journalOperationNames,
} as const;
