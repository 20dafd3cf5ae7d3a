import '../../test/page-surroundings.ts';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { LibrarySample } from '../../../shared/domain/library.ts';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { found } from '../../test/quiet-host.ts';
import { hit, known, openSample } from './open-sample.fixture.tsx';

const recordOf = (workspaceId: string, facts: Partial<SampleRecord>): LibrarySample['records'][number] => ({
  workspaceId,
  readAt: '2026-11-18T14:21:00.000Z',
  record: { ...found.record, ...facts },
});
/** Each part of the line: its value and its source. */
async function parts(): Promise<(string | null)[]> {
  const line = await screen.findByRole('region', { name: 'Verdict' });
  // What is drawn in two pieces is read out whole.
  for (const twice of line.querySelectorAll('bdi [aria-hidden]')) twice.remove();
  return [...line.children].map(({ textContent }) => textContent);
}

test('the verdict names the severity, the family, the hits, the TLP and the times, each with its source', async () => {
  openSample(
    { records: [recordOf('lab', { criticity: 'bad', threat: 'Ashveil loader', date: '2026-11-01 07:40:12' })] },
    {
      'samples.hits': () => ({
        hits: [
          hit('loader'),
          hit('loader', { side: 'service' }),
          hit('noisy', { mute: { reason: 'x', expires: null } }),
        ],
        known: null,
        lastScan: { rules: 5883, time: '2026-11-18T14:30:00Z' },
      }),
    },
  );
  await screen.findByText('1 of 5,883 rules hit');
  expect(await parts()).toEqual([
    'BadLab, record',
    'Ashveil loaderLab, threat',
    '1 of 5,883 rules hitHere, 2026-11-18',
    'TLP:AMBERFrom a tag',
    'First2026-11-01LabLast2026-11-18here',
  ]);
});

test('parts of the verdict without a value keep their place and state what is missing', async () => {
  const { row } = known;
  openSample({ row: { ...row, tlp: null, serviceTags: [], tags: [], isRecorded: false }, tlps: [], records: [] });
  expect(await parts()).toEqual([
    'UnknownNo record fetched',
    'No familyNo threat or family tag',
    'Not scannedNo scan here',
    'TLP unknownNo record fetched',
    'First2026-11-09hereLast2026-11-18here',
  ]);
});

test('the worst severity holds where two records disagree, and the other one is the source', async () => {
  openSample({
    records: [
      recordOf('lab', { criticity: 'other', threat: 'A' }),
      recordOf('gone', { criticity: 'bad', threat: 'B' }),
    ],
  });
  expect((await parts()).slice(0, 2)).toEqual(['BadLab: other', 'Aa rem…orkspace: B']);
});

test('a scan without hits is no scan that was never made', async () => {
  openSample({}, { 'samples.hits': () => ({ hits: [], known: null, lastScan: { rules: 1, time: null } }) });
  await screen.findByText('No hits (1 rule)');
  expect((await parts())[2]).toBe('No hits (1 rule)Here, earlier');
});

test('a source leads to the part of the page that has the value', async () => {
  const { user } = openSample();
  const line = await screen.findByRole('region', { name: 'Verdict' });
  await user.click(within(line).getByRole('button', { name: 'No scan here' }));
  expect(document.activeElement?.textContent).toBe('Rule hits');
  await user.click(within(line).getByRole('button', { name: 'From a tag' }));
  expect(document.activeElement?.id).toBe('tlp');
});
