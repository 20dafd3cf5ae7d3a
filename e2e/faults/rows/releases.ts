import type { FieldDialectOptions } from '../field-dialect.ts';
import {
  altered,
  cutShort,
  databaseDown,
  dropped,
  expanding,
  mayHaveArrived,
  noComments,
  notStored,
  tooLong,
  unknown,
  unknownBehindNotice,
  unpacked,
  wrongBytes,
} from './due-failures.ts';
import { due, type FaultRow } from './fault-row.ts';

/** One way in which a public release answers, and what must be seen of it. */
export interface ReleaseRow extends FaultRow {
  action: 'getfile' | 'downloadfile' | 'bulkdownload' | 'uploadfiles' | 'addcomment';
  dialect: Omit<FieldDialectOptions, 'target' | 'port' | 'release'>;
  /** Asks for a sample that the service does not have. */
  isUnknown?: boolean;
  upload?: Upload;
  /** What the service did stays done: nothing is left to try again. */
  isFinal?: boolean;
}

/** What is uploaded. Files are named by their sizes. */
export interface Upload {
  sizes: readonly number[];
  /** Sends one ZIP of them instead; with a password, encrypted. */
  zip?: { password: string | null };
  comment?: string;
  tags?: readonly string[];
}

const row = (
  action: ReleaseRow['action'],
  words: string,
  dialect: ReleaseRow['dialect'],
  expected: ReleaseRow['due'],
  more: Partial<ReleaseRow> = {},
): ReleaseRow => ({ action, words, dialect, due: expected, ...more });

const [html, text] = ['a PHP notice as HTML before JSON', 'a PHP notice as text before JSON'];
const [gzipped, cutOff, padded, bomb] = [
  'gzip unasked',
  'gzip unasked, cut off',
  'gzip unasked, 64 MiB of spaces behind it',
  'gzip unasked, a bomb (compressed twice)',
];
const down = 'the database is down';

const lookUps: readonly ReleaseRow[] = [
  row('getfile', 'each tag is repeated for each URL', {}, due('done', null, 'getfile 1', 'the record')),
  row('getfile', html, { notices: 'html' }, due('done', null, 'getfile 1', 'the record, marked')),
  row('getfile', text, { notices: 'text' }, due('done', null, 'getfile 1', 'the record, marked')),
  row('getfile', `${html}, unknown sample`, { notices: 'html' }, due('failed', unknownBehindNotice, 'getfile 1'), {
    isUnknown: true,
  }),
  row('getfile', 'unknown sample: `{"file":null}`', {}, due('failed', unknown, 'getfile 1'), { isUnknown: true }),
  row('getfile', gzipped, { gzip: 'whole' }, due('done', null, 'getfile 1', 'the record')),
  row(
    'getfile',
    `${html}, and ${gzipped}`,
    { notices: 'html', gzip: 'whole' },
    due('done', null, 'getfile 1', 'the record, marked'),
  ),
  row('getfile', cutOff, { gzip: 'cut-off' }, due('failed', cutShort, 'getfile 1')),
  row('getfile', padded, { gzip: 'padded' }, due('failed', tooLong, 'getfile 1')),
  row('getfile', bomb, { gzip: 'bomb' }, due('failed', expanding, 'getfile 1')),
  row('getfile', down, { database: 'down' }, due('failed', databaseDown, 'getfile 1')),
];

const stored = '1 of 1 in the vault';
const [asked, both] = ['getfile 1, downloadfile 1', 'bulkdownload 1'];
const downloads: readonly ReleaseRow[] = [
  row('downloadfile', html, { notices: 'html' }, due('done', null, asked, stored)),
  row(
    'downloadfile',
    'two stray bytes `{}` after the length',
    { stray: 'after-length' },
    due('done', null, asked, stored),
  ),
  row('downloadfile', gzipped, { gzip: 'whole', gzipOf: 'files' }, due('done', null, asked, stored)),
  row('downloadfile', cutOff, { gzip: 'cut-off', gzipOf: 'files' }, due('failed', cutShort, asked)),
  row('downloadfile', padded, { gzip: 'padded', gzipOf: 'files' }, due('failed', wrongBytes, asked)),
  row('downloadfile', bomb, { gzip: 'bomb', gzipOf: 'files' }, due('failed', expanding, asked)),
  row('downloadfile', down, { database: 'down' }, due('failed', databaseDown, 'getfile 1')),
  row('bulkdownload', html, { notices: 'html' }, due('done, done', null, both, '2 of 2 in the vault')),
  row('bulkdownload', gzipped, { gzip: 'whole' }, due('done, done', null, both, '2 of 2 in the vault')),
  row(
    'bulkdownload',
    cutOff,
    { gzip: 'cut-off' },
    due('done, failed', cutShort, 'bulkdownload 2, getfile 1', '1 of 2 in the vault'),
  ),
  row(
    'bulkdownload',
    'gzip unasked of archives and files, cut off',
    { gzip: 'cut-off', gzipOf: 'files' },
    due('done, failed', cutShort, 'bulkdownload 2, getfile 1, downloadfile 1', '1 of 2 in the vault'),
  ),
  row('bulkdownload', padded, { gzip: 'padded' }, due('done, done', null, both, '2 of 2 in the vault')),
  row('bulkdownload', bomb, { gzip: 'bomb' }, due('done, done', null, both, '2 of 2 in the vault')),
  row('bulkdownload', down, { database: 'down' }, due('paused: waiting, waiting', databaseDown, both)),
  row(
    'bulkdownload',
    'an archive does not fit into the server’s memory (500)',
    { archiveBytesAtMost: 50_000 },
    due('done, done', null, 'bulkdownload 3, getfile 1, downloadfile 1', '2 of 2 in the vault'),
  ),
  row(
    'bulkdownload',
    'a release without `bulkdownload`, and a PHP notice as HTML before JSON',
    { bulk: 'none', notices: 'html' },
    due('done, done', null, 'bulkdownload 1, getfile 2, downloadfile 2', '2 of 2 in the vault'),
  ),
];

const one: Upload = { sizes: [20_000] };
/** Looked up before and after it is sent. */
const sent = 'getfile 2, uploadfiles 1';
/** Dropped as a whole, then each file by itself. */
const divided = 'getfile 6, uploadfiles 3';
const words = 'C++ loader, 100% packed; see a%20b';
const uploads: readonly ReleaseRow[] = [
  row('uploadfiles', html, { notices: 'html' }, due('done', null, sent, '1 of 1 at the service'), { upload: one }),
  row('uploadfiles', text, { notices: 'text' }, due('done', null, sent, '1 of 1 at the service'), { upload: one }),
  row('uploadfiles', gzipped, { gzip: 'whole' }, due('done', null, sent, '1 of 1 at the service'), { upload: one }),
  row('uploadfiles', cutOff, { gzip: 'cut-off' }, due('failed', mayHaveArrived, sent, '1 of 1 at the service'), {
    upload: one,
  }),
  row('uploadfiles', bomb, { gzip: 'bomb' }, due('failed', mayHaveArrived, sent, '1 of 1 at the service'), {
    upload: one,
  }),
  row('uploadfiles', down, { database: 'down' }, due('paused: waiting', databaseDown, 'getfile 1'), { upload: one }),
  row(
    'uploadfiles',
    '`files:[]` after a form over the limit: a small and a large file',
    { bodyBytesAtMost: 200_000 },
    due('done, refused', dropped, divided, '1 of 2 at the service'),
    { upload: { sizes: [20_000, 300_000] } },
  ),
  row(
    'uploadfiles',
    `\`files:[]\` behind a PHP notice as HTML: a small and a large file`,
    { bodyBytesAtMost: 200_000, notices: 'html' },
    due('done, refused', dropped, divided, '1 of 2 at the service'),
    { upload: { sizes: [20_000, 300_000] } },
  ),
  row(
    'uploadfiles',
    'a ZIP of 2 files is unpacked',
    {},
    due('done', unpacked('2 stored, 0 already there'), 'getfile 4, uploadfiles 1', '2 of 2 at the service'),
    {
      upload: { sizes: [1000, 2000], zip: { password: null } },
      isFinal: true,
    },
  ),
  row(
    'uploadfiles',
    'a ZIP of 30 files is unpacked, 25 are kept',
    {},
    due(
      'done',
      unpacked(
        '25 stored, 0 already there, 5 dropped',
        'Such servers keep at most 25 members of an archive. Send the unpacked files to store the others.',
      ),
      'getfile 27, uploadfiles 1',
      '25 of 30 at the service',
    ),
    {
      upload: { sizes: Array.from({ length: 30 }, (_, index) => 500 + index), zip: { password: null } },
      isFinal: true,
    },
  ),
  row(
    'uploadfiles',
    'a ZIP with the password “infected” is unpacked',
    {},
    due('done', unpacked('1 stored, 0 already there'), 'getfile 3, uploadfiles 1', '1 of 1 at the service'),
    {
      upload: { sizes: [1000], zip: { password: 'infected' } },
      isFinal: true,
    },
  ),
  row('uploadfiles', 'a ZIP with another password', {}, due('vanished', notStored, sent), {
    upload: { sizes: [1000], zip: { password: 'another' } },
    isFinal: true,
  }),
  row(
    'uploadfiles',
    'a comment is decoded once more',
    {},
    due('done', altered, sent, '1 of 1 at the service, 0 with the comment as written'),
    { upload: { ...one, comment: words }, isFinal: true },
  ),
  row(
    'uploadfiles',
    'a comment is decoded once more, of several files',
    {},
    due(
      'done, done, done',
      altered,
      'getfile 6, uploadfiles 2',
      '3 of 3 at the service, 2 with the comment as written',
    ),
    { upload: { sizes: [1000, 2000, 3000], comment: words }, isFinal: true },
  ),
  row('uploadfiles', 'each tag is repeated for each URL', {}, due('done', null, sent, '1 of 1 at the service'), {
    upload: { ...one, tags: ['phish', 'loader'] },
  }),
  row('addcomment', 'a release without `addcomment`', {}, due('failed', noComments, 'addcomment 1'), { isFinal: true }),
];

export const releases: readonly ReleaseRow[] = [...lookUps, ...downloads, ...uploads];
