import { expect, test } from 'vitest';
import { journalWords } from './journal-words.ts';
import { journalOperation, type JournalOperation, type JournalRow } from './journal.ts';

const format = {
  time: (instant: string) => `${instant.slice(0, 16).replace('T', ' ')}Z`,
  size: (bytes: number) => `${bytes} B`,
};
const sha256 = '0123456789abcdef'.repeat(4);

type Example = [outcome: string, detail: JournalRow['detail'], words: string];

/** What is written of each operation: `operation: outcome; line`. */
const examples: Readonly<Record<JournalOperation, readonly Example[]>> = {
  'look-up': [
    ['found', {}, 'Look-up: found; '],
    [
      'done',
      { job: 3, requests: 1000, records: 940, unknown: 59, forbidden: 1 },
      'Look-up: done; job 3, 1,000 requests, 940 records fetched, 59 unknown hashes, 1 forbidden sample',
    ],
  ],
  download: [
    ['done', { job: 12, sizeBytes: 2048, sha256 }, 'Download: done; job 12, 2048 B'],
    ['md5-mismatch', { job: 12 }, 'Download: md5 mismatch; job 12'],
  ],
  export: [
    [
      'done',
      { to: 'folder', form: 'zip-each', encryption: 'aes-256' },
      'Export: done; to the export folder, a password ZIP per sample, AES-256',
    ],
    [
      'done',
      { of: 'journal', to: 'browser', form: 'csv', rows: 1 },
      'Export: done; journal, to the browser, CSV, 1 entry',
    ],
    [
      'done',
      { of: 'outcomes', job: 7, to: 'folder', form: 'jsonl' },
      'Export: done; list of job items, job 7, to the export folder, JSON Lines',
    ],
    [
      'done',
      { of: 'rules', version: '2026.11', package: sha256, to: 'browser', encryption: null, difference: 'patch' },
      'Export: done; rule package, version 2026.11, to the browser, difference as patch',
    ],
    [
      'done',
      { of: 'case', to: 'folder', form: 'misp', encryption: 'zipcrypto' },
      'Export: done; case, to the export folder, MISP event, ZipCrypto',
    ],
  ],
  upload: [
    [
      'sending',
      {
        job: 9,
        sizeBytes: 70,
        virusTotal: true,
        sandbox: false,
        withComment: true,
        tags: 1,
        tlp: 'green',
        sha256,
        receiver: 'repo.test',
        membersStored: 2,
        membersDropped: 1,
      },
      'Upload: sending; job 9, 70 B, VirusTotal, with a comment, 1 tag, TLP:GREEN, receiver repo.test, ' +
        '2 members stored, 1 member dropped',
    ],
  ],
  comment: [['sent', { comment: 4, remoteId: '77' }, 'Comment: sent; ']],
  scan: [
    [
      'scanned',
      { job: 3, local: 'native, scanned, 1 hits', service: 'rule editor, failed, 0 hits' },
      'Scan: scanned; job 3, local engine (native): scanned, 1 hit, rule editor: failed, 0 hits',
    ],
    [
      'done',
      { job: 4, scope: 'changed', version: '2026.11', rules: 5, samples: 8214, failed: 1 },
      'Hunt: done; job 4, version 2026.11, 5 rules, 8,214 samples, 1 sample failed',
    ],
    [
      'done',
      { of: 'trial', version: '2026.11', rules: 2, files: 10, done: 10, rulesHit: 1 },
      'Trial: done; version 2026.11, 2 rules, 10 files, 10 files scanned, 1 rule hit',
    ],
  ],
  'rule-update': [
    [
      'up-to-date',
      { version: null, group: null, rules: null, broken: null, step: 'check', offered: '2026.11' },
      'Rule update: up to date; update check, offered version 2026.11',
    ],
    [
      'activated',
      { version: '2', group: 'live', rules: 409, broken: 1, step: 'activate', from: sha256 },
      'Rule update: activated; version 2, group live, 409 rules, 1 broken rule, made active, from 0123456789ab',
    ],
  ],
  workspace: [
    [
      'changed',
      {
        name: 'Lab',
        repository: 'https://repo.test/',
        ruleEditor: null,
        allowHttp: true,
        trust: 'system',
        proxy: 'none',
        front: null,
        repositoryToken: 'kept',
      },
      'Workspace: changed; name Lab, repository https://repo.test/, unencrypted allowed, TLS system, proxy none, ' +
        'repository token kept',
    ],
    ['removed', { forgetLibrary: true }, 'Workspace: removed; its records forgotten'],
  ],
  'key-change': [['durable', { key: '0123456789abcdef' }, 'Journal key: key in the token store; ']],
  forget: [
    ['bytes', { sha256 }, 'Forget: copy in the vault; '],
    ['all', { sha256: null }, 'Forget: all local data; '],
    ['brought-back', {}, 'Forget: restored; '],
  ],
  bundle: [
    ['done', { from: sha256, job: 5, bytes: true }, 'Bundle: done; from 0123456789ab, job 5, sample file included'],
    [
      'done',
      { to: 'folder', key: sha256, title: 'Gate', parts: 'samples, notes' },
      'Bundle: done; to the export folder, title Gate, parts samples, notes',
    ],
  ],
  backup: [
    ['done', { folder: '/b', files: 3, bytes: 9, copied: 1 }, 'Backup: done; folder /b, 3 files, 9 B, 1 file copied'],
  ],
  restore: [
    [
      'done',
      { folder: '/b', made: '2026-11-20T08:00:00.000Z', restored: '2026-11-21T09:30:00.000Z' },
      'Restore: done; folder /b, backup of 2026-11-20 08:00Z, restored 2026-11-21 09:30Z',
    ],
  ],
  watch: [
    ['on', { folder: '/in', leftAlone: 4 }, 'Watched folder: turned on; folder /in, 4 files ignored'],
    ['off', { folder: '/in' }, 'Watched folder: turned off; folder /in'],
  ],
  mute: [
    [
      'added',
      { rule: 'glasswing_stub', reason: 'noise', expires: null },
      'Mute: added; rule glasswing_stub, reason noise',
    ],
  ],
  add: [
    [
      'opened',
      { name: 'a.zip', job: 6, sizeBytes: 12, archive: 'partly' },
      'Add: opened; name a.zip, job 6, 12 B, archive opened in part',
    ],
  ],
  'record-change': [
    [
      'sending',
      { receiver: 'repo.test', parts: 'comment tags' },
      'Record change: sending; receiver repo.test, changed comment, tags',
    ],
  ],
};

test.each(
  journalOperation.options.flatMap((operation) =>
    examples[operation].map(([outcome, detail, words]) => ({ operation, outcome, detail, words })),
  ),
)('an entry of $operation is in words when it is listed: $words', ({ words, ...row }) => {
  const { operation, outcome, line, facts } = journalWords(row, format);
  expect(`${operation}: ${outcome}; ${line}`).toBe(words);
  const everything = [line, ...facts.map(({ name, value }) => `${name} ${value}`)].join('\n');
  expect(everything).not.toMatch(/[{}"=]|\b[a-z]+[A-Z]|[\da-f]{32}/);
  expect(facts).toHaveLength(Object.keys(row.detail).length);
});

test('a hash is cut, and whole beside it', () => {
  expect(journalWords({ operation: 'bundle', outcome: 'done', detail: { from: sha256 } }, format).facts).toEqual([
    { name: 'from', value: '0123456789ab', words: 'from 0123456789ab', whole: sha256 },
  ]);
});

test('a field that this version does not know is spelled out, and nothing hidden in it stays hidden', () => {
  const detail = { triesLeft: 2, 'odd-one': true, toString: 'a\u202eb', __proto__: null };
  const { line } = journalWords({ operation: 'scan', outcome: 'odd-end', detail }, format);
  expect(line).toBe(String.raw`tries left 2, odd one, to string a\u202eb`);
});
