import { randomUUID } from 'node:crypto';
import { encodeStrip } from '../../../shared/domain/byte-classes.ts';
import type { CaseFormat } from '../../../shared/domain/job.ts';
import { goldenSamples } from '../../../shared/domain/sample-table.fixture.ts';
import type { ReportedSample } from '../../../shared/domain/sample-table.ts';
import { type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import { caseText } from './case-file.ts';
import { type CaseComment, type CaseHead, type CaseSample, type CaseStory, CaseSums } from './case-sample.ts';
import { keyOf } from './case-selection.ts';

/** Cases without a library. */

const made = new Date('2026-11-18T14:29:36.500Z');
const seen = '2026-11-01T10:00:00.000Z';

const hostileTexts = [
  '</script><script>alert(1)</script>',
  "=cmd|' /C calc'!A0",
  '```\n# not a heading\n```',
  'before\u202eafter\u200b\0 and\u2028more',
  'half \ud800 a pair',
  '"quoted" \'both\' \\ ways',
  'two\r\nlines at http://evil.example/x',
  ']]>--><img src=x onerror=alert(1)>',
  '  ',
  '',
] as const;
/** Times as services may send them, the last day of time and the year 0 among them. */
const hostileTimes = ['9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00'];

export const caseSample = (reported: ReportedSample, more: Partial<CaseSample> = {}): CaseSample => {
  const facts = {
    ...reported,
    isRecorded: true,
    ownTlp: null,
    firstSeen: reported.firstSeen ?? seen,
    lastSeen: reported.lastSeen ?? seen,
    inVault: reported.inVault ?? false,
    hasBytes: reported.inVault ?? false,
  };
  return { ...facts, hash: keyOf(facts), mime: null, note: null, comments: [], strip: null, ...more };
};

const strip = encodeStrip(
  Array.from({ length: 64 }, (_, at) => ({
    byteClass: (['zero', 'text', 'code', 'high', 'ff'] as const)[at % 5] ?? 'zero',
    entropy: at / 8,
  })),
);
const comment = (text: string, number: number, more: Partial<CaseComment> = {}): CaseComment => ({
  id: `lab/${number}`,
  author: 'ana',
  created: '2026-11-02 08:30:00',
  text,
  ...more,
});

const [first] = goldenSamples.plain;
const plain = [
  caseSample(first, {
    mime: 'application/x-dosexec',
    strip,
    note: { text: 'Drops a second file.\n\n- see `harbour`', changed: seen },
    comments: [comment('First seen at the customer.', 1), comment('Confirmed.', 2, { author: null, created: null })],
  }),
  caseSample({
    ...first,
    sha256: 'b'.repeat(64),
    sha1: 'b'.repeat(40),
    md5: 'b'.repeat(32),
    name: 'second.exe',
    threat: null,
    tags: ['family:ashveil'],
    hits: [],
    firstSeen: '2026-11-09T00:00:00.000Z',
    inVault: false,
  }),
];
const hostile = goldenSamples.hostile.map((reported, at) => {
  const text = hostileTexts[at % hostileTexts.length] ?? '';
  return caseSample(reported, {
    note: { text, changed: seen },
    comments: [comment(text, at, { author: text, created: hostileTimes[at] ?? text })],
  });
});
/** Of the golden ones without any hash no library knows. */
const unknownHashes = goldenSamples['unknown-hashes']
  .filter(({ sha256, sha1, md5 }) => (sha256 ?? sha1 ?? md5) !== null)
  .map((reported) => caseSample(reported));
const everyTlp = goldenSamples['every-tlp'].map((reported) => caseSample(reported));

interface Reported {
  samples: readonly CaseSample[];
  title: string;
  author: string;
  tlp: TlpLevel | null;
}

export const goldenCases: Readonly<Record<string, Reported>> = {
  plain: { samples: plain, title: 'Ashveil at the harbour', author: 'Example CERT', tlp: 'amber' },
  hostile: {
    samples: hostile,
    title: '</title><script>alert("1")</script> =1+1 | `x` @everyone #1 //evil.example/x www.evil.example',
    author: '"><img src=x> @ana evil.example/x GH-1',
    tlp: 'red',
  },
  'unknown-hashes': { samples: unknownHashes, title: 'Known by an MD5', author: '', tlp: null },
  ...Object.fromEntries(
    tlpLevels.map((level, at) => [
      `tlp-${level.replace('+', '-')}`,
      { samples: everyTlp.slice(0, at + 1), title: 'Marked', author: 'Example CERT', tlp: level },
    ]),
  ),
};

export function storyOf(
  { samples, title, author, tlp }: Reported,
  include: CaseHead['include'] = { notes: true, comments: true, hits: true },
): CaseStory {
  const sums = new CaseSums({ groups: true });
  for (const sample of samples) sums.add(sample);
  return {
    head: { computerId: 'a desk', title, author, tlp, include, made, summary: sums.summary },
    async *pages() {
      yield samples.slice(0, 1);
      yield samples.slice(1);
    },
  };
}

export async function textOf(format: CaseFormat, story: CaseStory): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of caseText(format, story, async function* none() {})) pieces.push(piece);
  return pieces.join('');
}

/** The golden plain sample under other hashes. */
export const otherSample = (): CaseSample => {
  const digits = randomUUID().replaceAll('-', '');
  return caseSample({ ...first, md5: digits, sha1: `${digits}${digits.slice(0, 8)}`, sha256: `${digits}${digits}` });
};
