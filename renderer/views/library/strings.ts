import type { SearchOrder } from '../../../shared/domain/server-record.ts';

const many = (count: number): string => count.toLocaleString('en');
const samples = (count: number): string => (count === 1 ? '1 sample' : `${many(count)} samples`);
const named = (count: number, name: string | null): string =>
  count === 1 && name !== null ? `“${name}”` : samples(count);

const orders: Readonly<Record<SearchOrder, string>> = {
  newest: 'newest first',
  oldest: 'oldest first',
  largest: 'largest first',
  smallest: 'smallest first',
  name: 'by name',
  'name-descending': 'by name, Z to A',
};
const ofThem = (known: number | null): string =>
  known === null ? '' : `, ${known === 0 ? 'none' : many(known)} of them here`;

/** English of the library. */
export const text = {
  title: 'Library',
  list: 'Samples in the library',
  all: (count: number) => samples(count),
  some: (found: number, all: number) => `${many(found)} of ${samples(all)}`,
  unnamed: 'No name',
  exportButton: 'Export all…',
  hunt: 'Hunt with rules',
  more: 'More library actions',
  openBundle: 'Import bundle…',
  onlyMd5: (md5: string) => `${md5} (MD5; SHA-256 unknown)`,
  tags: (count: number) => (count === 1 ? '1 tag' : `${count} tags`),
  moreTags: (count: number) => `+${count}`,
  vault: { none: 'Not in vault', held: 'In vault', missing: 'Missing', altered: 'Modified' },
  fetchAgain: (name: string) => `Download ${name} again`,
  columns: {
    hash: 'SHA-256',
    name: 'Name',
    bytes: 'Bytes',
    size: 'Size',
    type: 'Type',
    tags: 'Tags',
    tlp: 'TLP',
    severity: 'Severity',
    threat: 'Threat',
    hits: 'Hits',
    comments: 'Comments',
    firstSeen: 'First seen',
    lastSeen: 'Last seen',
    vault: 'In vault',
  },

  close: 'Close',
  cancel: 'Cancel',

  query: 'Search samples',
  placeholder: 'Words, or fields such as tag:family:emotet seen:<7d size:>1MB',
  choices: 'Suggestions',
  elapsed: (ms: number) => `${many(Math.max(1, Math.round(ms)))} ms`,
  allShown: 'All samples are shown.',
  help: 'Search fields',
  helpSentence:
    'All terms must match, unless OR is between them. Quotes keep spaces and make text of anything. ' +
    'Words without a field match names, hashes, tags, comments, notes, rules and threats.',
  helpColumns: ['Term', 'Matches', 'Example'],
  operators: {
    OR: { does: 'The terms before it or those after it match.', example: 'type:pe OR type:elf' },
    NOT: { does: 'The next term does not match. A minus in front is the same.', example: 'NOT tag:reviewed' },
    AND: { does: 'Both match, as with a space.', example: 'type:pe AND tag:packed' },
    '(': { does: 'Groups terms up to the closing parenthesis.', example: 'NOT (type:pe OR type:elf)' },
  },
  parentheses: '( )',
  wildcards: {
    name: '* ?',
    does: 'In names, threats, types, tags, rules and the fields of records: any characters, or one.',
    example: 'name:inv*.pdf',
  },
  applyFix: (fix: string) => `Use ${fix}`,

  saveView: 'Save view…',
  saveTitle: 'Save this search as a view?',
  viewName: 'Name',
  viewUpdates: 'This replaces the search of the existing view.',
  save: 'Save view',
  update: 'Update view',
  saved: (name: string) => `Saved view ${name}`,
  notSaved: (why: string) => `The view was not saved: ${why}`,

  tooManyLeftOut: (most: number) =>
    `At most ${many(most)} samples can be excluded. Exclude fewer, or narrow the search.`,
  selected: (count: number) => `${many(count)} selected`,
  noneChosen: 'No sample selected',
  forgetWords: 'delete remove erase purge wipe',
  downloadBegins: 'Another download is being prepared',
  scanBegins: 'Another scan is being prepared',
  actions: 'Actions for selected samples',
  tag: 'Tag',
  note: 'Note…',
  tlp: 'TLP',
  download: 'Download',
  scan: 'Scan',
  forget: 'Forget…',
  forgetKey: 'Del',

  manyTlp: (level: string | null) => ({
    title: (count: number) =>
      level === null
        ? `Remove the local TLP from ${samples(count)}?`
        : `Set the local TLP of ${samples(count)} to ${level}?`,
    verb: (count: number) => `Change ${samples(count)}`,
  }),
  hadTlp: 'TLP already set',
  notNoted: (count: number) => `${samples(count)} skipped: SHA-256 unknown, or the note would be too long`,
  noUndo: 'Too many samples to undo',
  notDone: (why: string) => `Not done: ${why}`,
  stretchTooLong: (most: number) =>
    `Shift selects at most ${samples(most)} at once. Use Ctrl A to select all samples found`,
  notTicked: (why: string) => `Some samples could not be selected: ${why}`,

  tlpMenu: 'Local TLP',
  noTlp: 'No local TLP',
  tlpSet: (level: string, count: number) => `${level} set for ${samples(count)}`,
  tlpTaken: (count: number) => `Local TLP removed from ${samples(count)}`,
  tlpSame: 'No change: this local TLP was already set',

  noteTitle: (count: number, name: string | null) =>
    count === 1 ? `Add to the note of ${named(1, name)}` : `Add to the notes of ${samples(count)}`,
  noteSentence: 'Added below existing notes, after a blank line. Notes are never sent.',
  noteField: 'Note',
  noteAdd: (count: number) => (count > 1 ? `Add note to ${samples(count)}` : 'Add note'),
  noteTooLong: (most: number) => `A note has at most ${many(most)} characters.`,
  noteNotAdded: (count: number, name: string | null, why: string) =>
    `The note was not added to ${named(count, name)}: ${why}`,
  noteOpen: 'Open note',
  noted: (count: number) => `Note added to ${samples(count)}`,

  downloadNone: 'All of them are already in the vault',
  downloadBegun: (id: number, count: number, of: number) =>
    count >= of
      ? `Downloading ${samples(count)} (job ${id})`
      : `Downloading ${many(count)} of ${samples(of)} (job ${id}): the others are already in the vault`,
  show: 'Show',
  noWorkspace: 'No workspace configured',
  exportNone: 'None of them is in the vault. Download them first',
  exportTooMany: (most: number) =>
    `At most ${samples(most)} selected one by one can be exported. Use Ctrl A to select all samples found`,
  copyScope: (count: string) => `${count} selected`,
  scansFewer: (count: number, of: number) =>
    `Scanning ${many(count)} of ${samples(of)}: the others are not in the vault`,
  scanNone: 'None of them is in the vault. Download them first',
  scanTooMany: (most: number) => `A scan takes at most ${samples(most)}. Select fewer, or hunt the vault`,

  forgetTitle: (count: number, name: string | null) => `Forget ${named(count, name)}?`,
  forgetWhat: 'Forget',
  forgetBytes: 'Only the copy in the vault. Everything else is kept.',
  forgetBytesOf: (held: number, of: number) =>
    `Only the copies in the vault: ${many(held)} of ${samples(of)}. Everything else is kept.`,
  forgetNoBytes: (count: number) =>
    count === 1 ? 'The sample has no copy in the vault.' : 'None of these samples has a copy in the vault.',
  forgetAll: 'All local data: the copy in the vault, tags, notes, records and hits. The journal keeps its entries.',
  forgetSentence: 'This cannot be undone. Copies on servers are not affected.',
  forgetMeant: (count: number) => `Applies to the ${samples(count)} found now, not to samples added later.`,
  forgetKeep: 'Cancel',
  forgetDo: (count: number) => `Forget ${samples(count)}`,
  forgotten: {
    all: (count: number) => `${samples(count)} forgotten`,
    bytes: (count: number) =>
      count === 1 ? 'Copy in the vault removed' : `${many(count)} copies in the vault removed`,
  },
  notForgotten: (why: string) => `Not forgotten: ${why}`,
  forgetsNow: 'Forgetting…',

  inspector: 'Selected sample',
  inspectorWidth: 'Inspector width',
  hideInspector: 'Hide inspector',
  toggleInspector: 'Show or hide the inspector',
  inspectorKey: 'Space',
  open: 'Open',
  openKey: 'Enter',
  state: 'State',
  states: {
    none: 'Not in the vault',
    held: 'In the vault',
    missing: 'Missing from the vault',
    altered: 'Modified in the vault',
  },
  fetch: 'Download again',
  type: 'Type',
  size: 'Size',
  tlpFact: 'TLP',
  tlpUnknown: 'unknown: no record fetched yet',
  tlpUnknownWhy: 'TLP unknown: no record fetched yet',
  threat: 'Threat',
  unknown: 'unknown',
  none: 'none',
  hashes: 'Hashes',
  sha256: 'SHA-256',
  sha1: 'SHA-1',
  md5: 'MD5',
  copyHash: (kind: string) => `Copy ${kind}`,
  tagsTitle: 'Tags',
  addTag: 'Add tag',
  noTags: 'No tags yet',
  hits: 'Hits',
  noHits: 'No rule has matched yet',
  /** A rule may need no string at all. */
  matches: (count: number) => (count === 0 ? 'condition only' : count === 1 ? '1 match' : `${many(count)} matches`),
  moreHits: (count: number) => `${many(count)} more`,
  noteOf: 'Note',
  lastComment: 'Last comment',
  comments: (count: number) => (count === 1 ? '1 comment' : `${many(count)} comments`),
  unnamedAuthor: 'unknown author',
  you: 'You',

  emptyTitle: 'The library is empty',
  emptySentence: 'Samples you look up, download, upload, scan or add appear here. The lab has sample files to try.',
  emptyAction: 'Look up a sample',
  nothingTitle: 'No samples found',
  nothingSentence: (query: string) => `No sample matches ${query}.`,
  without: (part: string) => `Without ${part}`,
  withoutFinds: (count: number) => samples(count),
  noOne: (part: string) => `${part} alone matches no sample.`,
  showAll: 'Show all samples',
  unreadableTitle: (view: string) => `Invalid query in “${view}”`,
  unreadableQuery: 'Invalid query',
  unreadableSentence: 'See the message under the search field.',
  unreadableView: 'See the message under the search field. Edit the query and save the view again, or remove the view.',
  editQuery: 'Edit query',
  removeView: 'Remove view',
  searching: 'Searching…',

  atServer: 'Also at the repository',
  atServerTable: 'Samples at the repository',
  atServerFind: 'Find out whether the repository can be searched',
  atServerFinding: 'Asking the repository…',
  atServerNone: 'This repository cannot be searched.',
  atServerOpen: 'The answers of the repository do not show whether it can be searched.',
  serverField: 'Field to search at the repository',
  serverFields: { name: 'Name', threat: 'Threat', tag: 'Tag', comment: 'Comment', sha256: 'SHA-256' },
  serverText: 'Text to search for at the repository',
  serverSearch: 'Search',
  serverSearchAgain: 'Search again',
  serverHints: {
    name: 'Finds any part of a name. “_” is any character, “%” any text.',
    threat: 'Finds any part of a threat. “_” is any character, “%” any text.',
    tag: 'Finds any part of a tag. “_” is any character, “%” any text. Only the matching tags are listed.',
    comment: 'Finds any part of a comment. “_” is any character, “%” any text. Comments are not listed.',
    sha256: 'Finds a whole SHA-256: 64 hexadecimal characters.',
  },
  serverFound: (count: number, mayBeMore: boolean) => (mayBeMore ? `First ${samples(count)}` : samples(count)),
  serverNothing: (field: string, sought: string) => `The repository has no sample with ${field} “${sought}”.`,
  serverMore: 'More',
  queryPlan: (hasQuery: boolean, order: SearchOrder) =>
    `${hasQuery ? 'Sends the query above' : 'Lists all samples'}, ${orders[order]}. ` +
    'Enter in the search field does the same.',
  queryUnreadable: 'Invalid query. See the message under the search field.',
  queryOutdated: (query: string | null, order: SearchOrder) =>
    `Results for ${query === null ? 'all samples' : `“${query}”`}, ${orders[order]}, not for the current search.`,
  queryFound: (count: number, known: number | null) => `${samples(count)} at the repository${ofThem(known)}`,
  queryFirst: ({
    total,
    more,
    listed,
    known,
  }: {
    total: number;
    more: boolean;
    listed: number;
    known: number | null;
  }) => `${more ? 'More than ' : ''}${samples(total)} at the repository. First ${many(listed)} listed${ofThem(known)}.`,
  queryNothing: (query: string) => `The repository has no sample for “${query}”.`,
  queryNothingAtAll: 'The repository has no samples.',
  serverColumns: {
    name: 'Name',
    md5: 'MD5',
    size: 'Size',
    date: 'Date (server time)',
    threat: 'Threat',
    tags: 'Tags',
    here: 'Local',
  },
  serverHere: { vault: 'In vault', library: 'In library' },
  reading: (done: number, of: number) => `Reading ${many(done)} of ${many(of)}…`,
} as const;
