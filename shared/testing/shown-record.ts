import type { QueryFieldName } from '../domain/query-fields.ts';
import type { SampleRecord } from '../domain/sample.ts';

/** A record that states everything, with what the page draws otherwise than it was sent: addresses, hidden letters. */
export const shownRecord: SampleRecord = {
  md5: 'd41d8cd98f00b204e9800998ecf8427e',
  sha1: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  name: 'see http://evil.example/\u202efdp.exe',
  sizeBytes: 1_208_320,
  date: '2026-11-09 07:40:12',
  uploader: ' anna@team.example ',
  threat: 'W32/Ashveil "B" \\ (c*)',
  criticity: 'unwanted',
  mime: 'Application/X-DosExec; charset=binary',
  favorite: true,
  locked: false,
  tags: ['family:ashveil', 'Two, in one', `${'long '.repeat(30)}tag`, ':::'],
  urls: [
    { name: 'c2', url: 'HTTP://A.example/x?q=*' },
    { name: '', url: 'http://b.example/(1)' },
    { name: 'the name alone', url: '' },
  ],
  comments: [],
  commentsOmitted: 0,
  listsComments: false,
  virusTotal: { state: 'unknown', score: '12/60', link: 'https://vt.example/1' },
  sandbox: { state: ' 0 ', link: 'https://box.example/7' },
  ssdeep: '3:AIO9AJraNvsgzsVqSwHq9:AeOJnBwHq9',
  imphash: 'F34D5F2D4577ED6D9CEEC516C1F5A744',
  pdbPath: 'C:\\new\\u202e\\"x"\tLoader.pdb',
  signer: 'Acme  Ze\u0301ro\u200b Corp',
  warning: null,
  unknown: { tlsh: 'T1A2' },
};

export interface ShownRow {
  name: string;
  /** As the page has it. */
  shown: string;
  /** Which finds the sample by what is shown. */
  field: QueryFieldName;
  /** What of it, where it is several values; else the whole. */
  parts?: readonly string[];
}

/** Each row of the record's part of the page. */
export const shownRows: readonly ShownRow[] = [
  { name: 'severity', shown: 'unwanted', field: 'severity' },
  { name: 'threat', shown: 'W32/Ashveil "B" \\ (c*)', field: 'threat' },
  {
    name: 'virustotal',
    shown: 'not found, 12/60, hxxps://vt[.]example/1',
    field: 'vt',
    parts: ['not found', '12/60', 'hxxps://vt[.]example/1'],
  },
  {
    name: 'sandbox',
    shown: 'found, hxxps://box[.]example/7',
    field: 'sandbox',
    parts: ['found', 'hxxps://box[.]example/7'],
  },
  { name: 'name', shown: 'see hxxp://evil[.]example/\\u202efdp.exe', field: 'name' },
  { name: 'mime', shown: 'Application/X-DosExec; charset=binary', field: 'mime' },
  { name: 'size', shown: '1,208,320 bytes (1.15 MiB)', field: 'size' },
  { name: 'date', shown: '2026-11-09 07:40:12 server time', field: 'date', parts: ['2026-11-09'] },
  { name: 'uploader', shown: ' anna[at]team[.]example ', field: 'uploader' },
  { name: 'signer', shown: 'Acme  Ze\u0301ro\\u200b Corp', field: 'signer' },
  { name: 'imphash', shown: 'F34D5F2D4577ED6D9CEEC516C1F5A744', field: 'imphash' },
  { name: 'ssdeep', shown: '3:AIO9AJraNvsgzsVqSwHq9:AeOJnBwHq9', field: 'ssdeep' },
  { name: 'pdbpath', shown: 'C:\\new\\u202e\\"x"\tLoader.pdb', field: 'pdb' },
  { name: 'favorite', shown: 'yes', field: 'favorite' },
  { name: 'locked', shown: 'no', field: 'locked' },
  { name: 'url', shown: 'c2: Hxxp://A[.]example/x?q=*', field: 'url' },
  { name: 'url', shown: 'hxxp://b[.]example/(1)', field: 'url' },
  { name: 'url', shown: 'the name alone: ', field: 'url' },
];
