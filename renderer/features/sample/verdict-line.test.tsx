import '../../test/page-surroundings.ts';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { LibrarySample } from '../../../shared/domain/library.ts';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { found, lab } from '../../test/quiet-host.ts';
import { hit, known, openSample } from './open-sample.fixture.tsx';

const recordOf = (workspaceId: string, facts: Partial<SampleRecord>): LibrarySample['records'][number] => ({
  workspaceId,
  readAt: '2026-11-18T14:21:00.000Z',
  record: { ...found.record, ...facts },
});
/** Each part of the line: its value and its source. */
async function parts(): Promise<(string | null)[]> {
  const line = await screen.findByRole('region', { name: 'Verdict' });
  return [...(line.firstElementChild?.children ?? [])].map(({ textContent }) => textContent);
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
    'TLP:AMBERLab, tag',
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

describe('where two records disagree', () => {
  const team = { ...lab, id: 'team', name: 'Incident Response Team Alpha', builtIn: false };
  const records = [
    recordOf('lab', { criticity: 'other', threat: 'Trojan.Alpha', uploader: 'uploader-lab' }),
    recordOf('team', {
      criticity: 'bad',
      threat: 'Worm.Beta',
      uploader: 'uploader-team',
      date: '2025-02-11',
      tags: ['tlp:red'],
    }),
  ];
  const two = { 'workspaces.list': () => ({ workspaces: [lab, team], current: 'lab', damaged: [] }) };
  const { row } = known;
  const open = () => openSample({ row: { ...row, tlp: 'red' }, tlps: [{ level: 'red', source: 'tag' }], records }, two);

  test('each source is the workspace of the value that is shown, then the one that disagrees', async () => {
    open();
    await screen.findByText('Incid…am Alpha; Lab: other');
    expect(await parts()).toEqual([
      'BadIncid…am Alpha; Lab: other',
      'Trojan.AlphaLab; Incid…am Alpha: Worm.Beta',
      'Not scannedNo scan here',
      'TLP:REDIncid…am Alpha; Lab: AMBER',
      'First2025-02-11Incid…am AlphaLast2026-11-18here',
    ]);
  });

  test('a tooltip has every statement with the whole name of its workspace', async () => {
    open();
    expect((await screen.findByText('Incid…am Alpha; Lab: other')).closest('button')?.title).toBe(
      'Incident Response Team Alpha: bad\nLab (this computer): other',
    );
  });

  test('each source leads to the record of its workspace, also while the bytes are shown in its place', async () => {
    const { user } = open();
    const line = within(await screen.findByRole('region', { name: 'Verdict' }));
    const record = () => within(screen.getByRole('region', { name: 'Record' }));
    expect(record().getByText('uploader-lab')).toBeDefined();
    await user.click(await line.findByRole('button', { name: 'Incid…am Alpha; Lab: other' }));
    expect(record().getByText('uploader-team')).toBeDefined();
    expect(document.activeElement?.id).toBe('record');
    await user.click(line.getByRole('button', { name: 'Lab; Incid…am Alpha: Worm.Beta' }));
    expect(record().getByText('uploader-lab')).toBeDefined();
    await user.click(screen.getByRole('button', { name: /^Show bytes/ }));
    expect(screen.queryByRole('region', { name: 'Record' })).toBeNull();
    await user.click(line.getByRole('button', { name: 'Incid…am Alpha' }));
    expect(record().getByText('uploader-team')).toBeDefined();
    expect(document.activeElement?.id).toBe('record');
  });
});

test.each([
  ['family:zeus', 'Lab; here, tag: zeus'],
  ['family:ashveil', 'Lab, threat'],
])('a local tag %s beside another threat gives the source "%s"', async (tag, source) => {
  const { row } = known;
  openSample({
    row: { ...row, tags: [tag], serviceTags: [] },
    records: [recordOf('lab', { threat: 'Win32/Ashveil.A' })],
  });
  await screen.findByText(source);
  expect((await parts())[1]).toBe(`Win32/Ashveil.A${source}`);
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
  await user.click(within(line).getByRole('button', { name: 'Lab, tag' }));
  expect(document.activeElement?.id).toBe('tlp');
});
