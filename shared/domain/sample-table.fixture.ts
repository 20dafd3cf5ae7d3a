import { type ReportedSample, reportedSample } from './sample-table.ts';
import { tlpLevels } from './tag.ts';

/** Whose hashes the golden samples carry, so that an engine can be shown the bytes. */
export const goldenBytes = {
  one: 'golden sample one\n',
  two: 'golden sample two\n',
  three: 'golden sample three\n',
} as const;

const one = reportedSample({
  sha256: 'c344a5e6fa449cbc92d6c63817070dee702168874b7a082b569646e797fd0616',
  sha1: '3751980deba92a29cdd0f5fb4c386e6c8f04512c',
  md5: '798b9845fea720a1be2f5ef5f71cc43b',
  name: 'update_helper.dll',
  sizeBytes: 18,
  type: 'PE32+ executable (DLL)',
  tlp: 'amber',
  threat: 'Trojan.Ashveil',
  tags: ['campaign:harbour', 'to do'],
  serviceTags: ['dll', 'packed'],
  hits: ['ashveil_config', 'pe_overlay'],
  firstSeen: '2026-11-01T10:00:00.000Z',
  lastSeen: '2026-11-18T14:32:51.000Z',
  inVault: true,
});
const twoSha1 = '26a5afd6d273680061353e500e37d3e1e84de70f';
const threeMd5 = 'd118d4c0da2d75680077d7d69d7a3da4';

const hostileNames = [
  'invoice_\u202efdp.exe',
  'two\nlines\r\nand\ta tab',
  "=cmd|' /C calc'!A0",
  'a|b\\|c',
  '`code` ``more``',
  '<script>alert(1)</script>',
  `${'long '.repeat(59)}x.exe`,
  'half \ud800 a pair',
  '[click](https://evil.example/x) www.evil.example',
  'bad.guy@evil.example @everyone #1',
  'nul\0 and\u2028separators\u200b',
  '   ',
  '',
];

/** Lists of samples, each with its golden text in every format. */
export const goldenSamples = {
  empty: [],
  plain: [one],
  hostile: hostileNames.map((name, at) =>
    reportedSample({
      sha256: at.toString(16).padStart(64, '0'),
      name,
      type: name,
      threat: name,
      serviceTags: [name, '"quoted"'],
      hits: [name],
      sizeBytes: at,
      inVault: false,
    }),
  ),
  'unknown-hashes': [
    reportedSample({ name: 'no hash' }),
    reportedSample({ sha1: twoSha1, md5: 'f'.repeat(32), name: 'no SHA-256' }),
    reportedSample({ md5: threeMd5, name: 'MD5 alone' }),
    one,
  ],
  'every-tlp': [...tlpLevels, null].map((tlp, at) =>
    reportedSample({ sha256: at.toString(16).repeat(64), name: `${tlp ?? 'no TLP'}.bin`, tlp }),
  ),
} as const satisfies Record<string, readonly ReportedSample[]>;
