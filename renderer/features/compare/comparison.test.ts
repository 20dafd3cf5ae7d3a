import { expect, test } from 'vitest';
import type { LibrarySample } from '../../../shared/domain/library.ts';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { found } from '../../test/quiet-host.ts';
import { rowOf } from '../library/library-row.fixture.ts';
import { type ComparedSample, comparisonMarkdown, compareSamples } from './comparison.ts';

interface Given extends Partial<Omit<ComparedSample, 'sample'>> {
  row?: Partial<LibrarySample['row']>;
  record?: Partial<SampleRecord>;
}

const compared = (number: number, { row, record, hits = [], muted = [] }: Given = {}): ComparedSample => ({
  sample: {
    row: rowOf(number, { name: 'same.exe', sizeBytes: 64, ...row }),
    note: null,
    tlps: [],
    names: [],
    sameMd5: [],
    records:
      record === undefined
        ? []
        : [{ workspaceId: 'lab', readAt: '2026-11-18T14:21:00.000Z', record: { ...found.record, ...record } }],
  },
  hits,
  muted,
});
const compare = (...samples: readonly ComparedSample[]) => compareSamples(samples, 'lab');
const factOf = (label: string, samples: readonly ComparedSample[]) =>
  compare(...samples).find((fact) => fact.label === label);

test('two samples differ in what one of them has alone, and nothing else', () => {
  const facts = compare(
    compared(1, { record: { tags: [], signer: 'Example Ltd', imphash: null } }),
    compared(2, { record: { tags: [], signer: null, imphash: null } }),
  );
  const labels = (state: string) => facts.filter((fact) => fact.state === state).map(({ label }) => label);
  expect(labels('differs')).toEqual(['SHA-256', 'MD5', 'Signer']);
  expect(labels('without')).toContain('Imphash');
  expect(labels('same')).toContain('Name');
  expect(labels('same')).toContain('Vault');
});

test('a sample that was never downloaded is compared by its record', () => {
  const signer = factOf('Signer', [
    compared(1, { row: { vault: 'none', sha256: null }, record: { signer: 'Example Ltd' } }),
    compared(2, { record: { signer: 'Example Ltd' } }),
  ]);
  expect(signer).toMatchObject({ state: 'same', values: [{ value: 'Example Ltd' }, { value: 'Example Ltd' }] });
});

test('a sample was first seen at the earliest date of its records, or when it came here', () => {
  const row = { firstSeen: '2026-11-09T07:40:00.000Z' };
  const seen = factOf('First seen', [
    compared(1, { row, record: { date: '2025-02-11 10:00:00' } }),
    compared(2, { row, record: { date: '2026-11-20' } }),
  ]);
  expect(seen).toMatchObject({
    values: [{ value: '2025-02-11 10:00:00' }, { value: '2026-11-09T07:40:00.000Z' }],
  });
});

test('tags of four samples are split into what all have, what some have and what one has', () => {
  const tagged = [['a', 'b'], ['a', 'b', 'c'], ['a'], ['a', 'c', 'b', 'd']];
  expect(
    factOf(
      'Local tags',
      tagged.map((tags, at) => compared(at, { row: { tags } })),
    ),
  ).toMatchObject({
    state: 'differs',
    shared: ['a'],
    others: [
      [{ item: 'b', samples: 3 }],
      [
        { item: 'b', samples: 3 },
        { item: 'c', samples: 2 },
      ],
      [],
      [
        { item: 'b', samples: 3 },
        { item: 'c', samples: 2 },
        { item: 'd', samples: 1 },
      ],
    ],
  });
});

test('a repository tag that is a local tag as well is shared with a sample whose record has it', () => {
  const tags = factOf('Repository tags', [
    compared(1, { row: { tags: ['packed'], serviceTags: [] }, record: { tags: ['Packed', 'TLP:RED'] } }),
    compared(2, { row: { serviceTags: ['packed'] }, record: { tags: ['packed'] } }),
  ]);
  expect(tags).toMatchObject({ state: 'same', shared: ['packed'] });
});

test('rule hits of a sample that was not scanned are not said to be missing', () => {
  expect(factOf('Rule hits', [compared(1, { hits: ['loader'] }), compared(2, { hits: 'not-scanned' })])).toMatchObject({
    state: 'differs',
    shared: [],
    others: [[{ item: 'loader', samples: 1 }], 'Not scanned'],
  });
});

test('a copied table is Markdown in which no text of a service is markup, a link or a further cell', () => {
  const samples = [
    compared(1, { row: { name: 'a|b\n`<img>`.exe', tags: ['x', 'y'], tlp: 'amber' }, hits: ['r'] }),
    compared(2, { row: { name: null, tags: ['x'], threat: '[go](http://a.example/)', severity: 'bad' } }),
  ];
  const markdown = comparisonMarkdown(samples, compare(...samples), '3 facts are the same.');
  const lines = markdown.split('\n');
  expect(lines[0]).toMatch(/^\| Fact \| `a[^`|<]*` \| `0{12}` \|$/);
  expect(lines.filter((line) => line.startsWith('|')).every((line) => line.split(' | ').length === 3)).toBe(true);
  expect(lines).toContain('| **Threat** |  | `[go](hxxp://a[.]example/)` |');
  expect(lines).toContain('| **Severity** | Not set | Bad |');
  expect(lines).toContain('| **TLP** | TLP:AMBER | No TLP |');
  expect(lines).toContain('| **Local tags**: in both | `x` | `x` |');
  expect(lines).toContain('| **Local tags**: not in all | `y` |  |');
  expect(lines).toContain('| Size | 64 bytes | 64 bytes |');
  expect(lines.at(-2)).toBe('3 facts are the same.');
});

test('rules that are muted are marked where they are: in all samples, or in the one that has them', () => {
  const samples = [
    compared(1, { hits: ['everywhere', 'here', 'loud'], muted: ['everywhere', 'here', 'loud'] }),
    compared(2, { hits: ['everywhere', 'loud'], muted: ['everywhere'] }),
  ];
  const copied = comparisonMarkdown(samples, compare(...samples), '');
  expect(copied.split('\n').filter((each) => each.includes('Rule hits'))).toEqual([
    '| **Rule hits**: in both | `everywhere` (muted), `loud` | `everywhere` (muted), `loud` |',
    '| **Rule hits**: not in all | `here` (muted) |  |',
  ]);
});
