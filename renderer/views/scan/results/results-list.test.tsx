import { huntJob } from '../../../components/jobs/job.fixture.ts';
import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { operations } from '../../../../shared/contract.ts';
import type { Job } from '../../../../shared/domain/job.ts';
import type { KnownBesides, ScanFilter, ScanGroup, ScanSummary } from '../../../../shared/domain/scan.ts';
import { fail } from '../../../../shared/failure.ts';
import { type GivenAnswers } from '../../../test/memory-bridge.ts';
import { putIn } from '../../../test/put-in.ts';
import { emptySummary } from '../../../test/quiet-host.ts';
import { fileGroupOf, fileOf, hitOf, openResults, resultOf, ruleGroupOf, scanOf } from './open-results.fixture.tsx';

const files: readonly ScanGroup[] = [
  fileGroupOf(4, { hits: 4, rules: ['one', 'two', 'three'], muted: 1, added: 2, agreement: 'differs' }),
  fileGroupOf(1, { hits: 1, rules: ['one'], lost: 1 }),
  fileGroupOf(2),
  fileGroupOf(3, { state: 'failed', failure: { kind: 'scan-timed-out', name: 'sample_3.dll', seconds: 30 } }),
  fileGroupOf(5, { isNotUnderstood: true, name: null }),
  fileGroupOf(6, { state: 'waiting' }),
];
const isShown = ({ show }: ScanFilter, group: ScanGroup): boolean =>
  show === 'all' ||
  group.by !== 'file' ||
  (show === 'lost'
    ? group.lost > 0
    : show === 'trouble'
      ? group.failure !== null || group.isNotUnderstood
      : group.hits > 0);
const rules: readonly ScanGroup[] = [
  ruleGroupOf('one', { files: 2 }),
  ruleGroupOf('two', { files: 1, service: 0, local: 1, tags: ['apt'] }),
  ruleGroupOf('noisy', { files: 1, muted: 1 }),
];
const families: readonly ScanGroup[] = [
  { by: 'family', family: 'ashveil', rules: 2, files: 2, matches: 7, muted: 0, added: 1, lost: 0 },
  { by: 'family', family: null, rules: 1, files: 1, matches: 1, muted: 0, added: 0, lost: 0 },
];
const asked = operations['scans.groups'].input;
const counts: ScanSummary = {
  ...emptySummary,
  files: 6,
  scanned: 5,
  withHits: 2,
  clean: 1,
  trouble: 2,
  differs: 1,
  added: 2,
  lost: 1,
  muted: 1,
};

function openMany(more: GivenAnswers = {}) {
  return openResults(scanOf(6), {
    'scans.summary': () => counts,
    'scans.groups': ({ by, filter }) => {
      const all = by === 'file' ? files : by === 'rule' ? rules : families;
      const groups = all
        .filter((group) => isShown(filter, group))
        .filter((group) => filter.find === '' || JSON.stringify(group).includes(filter.find))
        .filter((group) => filter.rule === null || (group.by === 'file' && group.rules.includes(filter.rule)));
      return { groups, total: groups.length };
    },
    'scans.file': ({ position }) =>
      fileOf(position, [resultOf('local', [hitOf('one'), hitOf('two')]), resultOf('service', [hitOf('one')])], {
        sizeBytes: 0,
      }),
    ...more,
  });
}

const grid = (name: string): Promise<HTMLElement> => screen.findByRole('grid', { name });
const rowsOf = async (name: string): Promise<(string | null)[]> =>
  within(await grid(name))
    .getAllByRole('row')
    .map(({ textContent }) => textContent);
const shownFile = (name: string): Promise<HTMLElement> => screen.findByRole('region', { name: `File ${name}` });
const focusFirst = async (name: string): Promise<void> => {
  const list = await grid(name);
  await waitFor(() => within(list).getAllByRole('rowheader'));
  act(() => list.querySelector<HTMLElement>('[data-index][tabindex="0"]')?.focus());
};

test('every file shows its outcome, and the first is open', async () => {
  openMany();
  await waitFor(async () =>
    expect(await rowsOf('Scanned files')).toEqual([
      'sample_4.dll2 newdiffersone, two, three +1, 1 muted4 hits',
      'sample_1.dll1 lostone1 hit',
      'sample_2.dllno hits (409 rules)',
      'sample_3.dllThe scan of sample_3.dll took too long',
      '000000000000unexpected response',
      'sample_6.dllwaiting',
    ]),
  );
  await shownFile('sample_4.dll');
});

test('a file that was scanned without a global rule is marked in the list', async () => {
  openMany({
    'scans.groups': () => ({ groups: [fileGroupOf(1, { hits: 1, rules: ['one'], isWithoutGlobal: true })], total: 1 }),
  });
  await waitFor(async () => expect(await rowsOf('Scanned files')).toEqual(['sample_1.dllglobal rule skippedone1 hit']));
});

const noRules = { count: 0, rules: [], side: null, versions: [] };
const known: KnownBesides = {
  hits: { count: 1, rules: ['theirs'], side: 'service', versions: ['7'] },
  older: { count: 2, rules: ['a', 'b\u202e'], side: 'local', versions: ['1.2'] },
  severity: 'bad',
  threat: 'Emotet',
};

test('a row of a file without hits shows its other details, also when the file was not scanned', async () => {
  const failure = { kind: 'scan-timed-out', name: 'sample_2.dll', seconds: 30 } as const;
  const groups: ScanGroup[] = [
    fileGroupOf(1, { known }),
    fileGroupOf(2, { state: 'failed', failure, known: { ...known, hits: noRules, older: noRules } }),
    fileGroupOf(3, { known: { hits: noRules, older: noRules, severity: 'other', threat: null } }),
  ];
  openMany({ 'scans.groups': () => ({ groups, total: 3 }) });
  await waitFor(async () =>
    expect(await rowsOf('Scanned files')).toEqual([
      'sample_1.dll1 known hit, 2 older hits, severity bad (Emotet)no hits (409 rules)',
      'sample_2.dllseverity bad (Emotet)The scan of sample_2.dll took too long',
      'sample_3.dllno hits (409 rules)',
    ]),
  );
});

test('a rule left out of a job does not count among the rules of no hits', async () => {
  const job: Job = {
    ...scanOf(2),
    task: {
      kind: 'scan',
      engines: 'local',
      local: 'native',
      package: { sha256: null, version: '1', rules: 409 },
      name: null,
    },
    notices: [{ kind: 'scan-rule-left-out', rule: 'slow', reason: 'endless' }],
    noticeCount: 1,
  };
  openResults(job, {
    'scans.groups': () => ({ groups: [fileGroupOf(1)], total: 1 }),
    'scans.file': () => fileOf(1, [resultOf('local', [])]),
  });
  await waitFor(async () => expect(await rowsOf('Scanned files')).toEqual(['sample_1.dllno hits (408 of 409 rules)']));
  expect(await screen.findByRole('heading', { name: 'No hits in sample_1.dll (408 of 409 rules)' })).toBeDefined();
});

test('rules of a scan in which every file failed show that nothing was scanned, not “no hits”', async () => {
  const none = { 'scans.groups': () => ({ groups: [], total: 0 }) };
  const { user } = openResults(scanOf(2), {
    ...none,
    'scans.summary': () => ({ ...emptySummary, files: 2, trouble: 2 }),
  });
  await user.click(await screen.findByRole('radio', { name: 'Rules' }));
  expect(await screen.findByRole('heading', { name: 'Nothing was scanned' })).toBeDefined();
  expect(screen.getByText('2 files could not be scanned.')).toBeDefined();
  cleanup();
  const again = openResults(scanOf(2), {
    ...none,
    'scans.summary': () => ({ ...emptySummary, files: 2, trouble: 1, clean: 1 }),
  });
  await again.user.click(await screen.findByRole('radio', { name: 'Rules' }));
  expect(
    await screen.findByText(
      'No rule matched. See Files for what else is known about each file. 1 file could not be scanned.',
    ),
  ).toBeDefined();
});

test('a scan by one engine alone is reported once above the rules, and in no row', async () => {
  const { user } = openResults(huntJob, {
    'scans.groups': () => ({
      groups: [ruleGroupOf('one', { service: 0 }), ruleGroupOf('two', { service: 0, tags: ['apt'] })],
      total: 2,
    }),
  });
  await user.click(await screen.findByRole('radio', { name: 'Rules' }));
  expect(await screen.findByText('2 rules, found by the local engine')).toBeDefined();
  await waitFor(async () =>
    expect(await rowsOf('Rules that hit')).toEqual(['oneashveil2 files', 'twoashveil, apt2 files']),
  );
});

test('rules that hit by condition only count no matches', async () => {
  const { user } = openMany({
    'scans.groups': ({ by }) => ({
      groups:
        by === 'rule'
          ? [ruleGroupOf('any', { matches: 0 })]
          : [{ by: 'family', family: 'ashveil', rules: 2, files: 2, matches: 0, muted: 0, added: 0, lost: 0 }],
      total: 1,
    }),
  });
  await user.click(await screen.findByRole('radio', { name: 'Rules' }));
  expect(
    within(await screen.findByRole('region', { name: 'Group any' })).getByText('none, condition only'),
  ).toBeDefined();
  await user.click(screen.getByRole('radio', { name: 'Families' }));
  await waitFor(async () =>
    expect(await rowsOf('Families that hit')).toEqual(['ashveil2 rules, condition only2 files']),
  );
  expect(
    within(await screen.findByRole('region', { name: 'Group ashveil' })).getByText('none, condition only'),
  ).toBeDefined();
});

test('the counts are the filter; an empty one is not offered', async () => {
  const { user, bridge } = openMany();
  const filter = await screen.findByRole('toolbar', { name: 'Show' });
  expect(
    within(filter)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['6 all', '2 with hits', '1 no hits', '2 failed', '1 differ', '2 new', '1 lost', '1 muted']);
  await user.click(within(filter).getByRole('button', { name: '2 failed' }));
  await waitFor(() =>
    expect(bridge.inputsOf('scans.groups').at(-1)).toMatchObject({ by: 'file', filter: { show: 'trouble' } }),
  );
});

test('a file outside a new filter gives way to its first file, and a listed one stays', async () => {
  const { user } = openMany();
  const filter = within(await screen.findByRole('toolbar', { name: 'Show' }));
  await shownFile('sample_4.dll');
  await user.click(filter.getByRole('button', { name: '1 lost' }));
  await shownFile('sample_1.dll');
  await user.click(filter.getByRole('button', { name: '2 with hits' }));
  await waitFor(async () => expect(await rowsOf('Scanned files')).toHaveLength(2));
  await shownFile('sample_1.dll');
  await user.type(screen.getByRole('textbox', { name: /^Find a rule/ }), 'sample_4');
  await shownFile('sample_4.dll');
  await user.type(screen.getByRole('textbox', { name: /^Find a rule/ }), ' or nothing');
  expect(await screen.findByText('No file selected')).toBeDefined();
});

test('a file that lost all of its hits shows the lost ones instead of no hits', async () => {
  openMany({
    'scans.groups': () => ({
      groups: [fileGroupOf(1, { lost: 4, rules: ['gone', 'gone_too', 'long_gone'] })],
      total: 1,
    }),
  });
  await waitFor(async () =>
    expect(await rowsOf('Scanned files')).toEqual(['sample_1.dll4 lostgone, gone_too, long_gone +1']),
  );
});

test('a search starts when typing pauses, and one without results leads back to all', async () => {
  const { user, bridge } = openMany();
  const finds = (): unknown[] => bridge.inputsOf('scans.groups').map((input) => asked.parse(input).filter.find);
  await grid('Scanned files');
  await putIn(user, screen.getByRole('textbox', { name: /^Find a rule/ }), 'nothing like it');
  await user.click(await screen.findByRole('button', { name: 'Show all' }));
  await waitFor(async () => expect(await rowsOf('Scanned files')).toHaveLength(6));
  expect(finds()).not.toContain('nothing');
  expect(finds()).toContain('nothing like it');
});

test('the list by rule shows engine and mutes; Enter filters the files by rule, and back', async () => {
  const { user, bridge } = openMany();
  await user.click(await screen.findByRole('radio', { name: 'Rules' }));
  await waitFor(async () =>
    expect(await rowsOf('Rules that hit')).toEqual([
      'oneashveil2 files',
      'twoashveil, apt, local engine only1 file',
      'noisyashveil1 file, muted',
    ]),
  );
  expect(await screen.findByRole('region', { name: 'Group one' })).toBeDefined();
  await focusFirst('Rules that hit');
  await user.keyboard('j');
  expect(await screen.findByRole('region', { name: 'Group two' })).toBeDefined();
  await user.keyboard('{Enter}');
  await waitFor(async () => expect(await rowsOf('Scanned files')).toHaveLength(1));
  expect(bridge.inputsOf('scans.groups').at(-1)).toMatchObject({ by: 'file', filter: { rule: 'two', family: null } });
  expect(await screen.findByRole('grid', { name: 'Matches of two' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'All files' }));
  expect(await grid('Rules that hit')).toBeDefined();
});

test('the list by family has a group for rules without one, which filters nothing', async () => {
  const { user, bridge } = openMany();
  await user.click(await screen.findByRole('radio', { name: 'Families' }));
  await waitFor(async () =>
    expect(await rowsOf('Families that hit')).toEqual([
      'ashveil1 new2 rules, 7 matches2 files',
      'no family1 rule, 1 match1 file',
    ]),
  );
  await user.click(screen.getByRole('button', { name: 'Show 2 files' }));
  await waitFor(() =>
    expect(bridge.inputsOf('scans.groups').at(-1)).toMatchObject({
      by: 'file',
      filter: { rule: null, family: 'ashveil' },
    }),
  );
});

test('J and K walk through the files, Enter leads to the rules and Escape back to the list', async () => {
  const { user } = openMany();
  await shownFile('sample_4.dll');
  await focusFirst('Scanned files');
  await user.keyboard('j');
  await shownFile('sample_1.dll');
  await user.keyboard('{Enter}');
  expect(document.activeElement?.closest('[role=grid]')?.getAttribute('aria-label')).toBe('Rules that hit this file');
  await user.keyboard('{Escape}');
  expect(document.activeElement?.textContent).toContain('sample_1.dll');
});

test('a held key skips files: only the last one is requested', async () => {
  const { bridge } = openMany();
  await shownFile('sample_4.dll');
  await focusFirst('Scanned files');
  for (const _ of [1, 2, 3]) fireEvent.keyDown(document.activeElement ?? document.body, { key: 'j' });
  await shownFile('sample_3.dll');
  expect(bridge.inputsOf('scans.file')).toEqual([
    { jobId: 221, position: 4 },
    { jobId: 221, position: 3 },
  ]);
});

test('results arrive while a job runs; the file the person chose stays', async () => {
  const host = { groups: [fileGroupOf(1, { state: 'waiting' })] };
  const running = scanOf(6, { state: 'running', ended: null });
  const { user, bridge } = openMany({
    'jobs.list': () => ({ jobs: [running] }),
    'scans.groups': () => ({ groups: host.groups, total: host.groups.length }),
    'scans.summary': () => emptySummary,
  });
  await shownFile('sample_1.dll');
  const report = (groups: typeof host.groups): void => {
    host.groups = groups;
    act(() => bridge.emit('scans.changed', { workspaceId: 'lab' }));
  };
  report([fileGroupOf(3, { hits: 1, rules: ['one'] }), fileGroupOf(1)]);
  await shownFile('sample_3.dll');
  await user.click(within(await grid('Scanned files')).getByText('sample_1.dll'));
  await shownFile('sample_1.dll');
  report([fileGroupOf(5, { hits: 2, rules: ['one'] }), fileGroupOf(3, { hits: 1, rules: ['one'] }), fileGroupOf(1)]);
  await waitFor(async () => expect(await rowsOf('Scanned files')).toHaveLength(3));
  expect(await shownFile('sample_1.dll')).toBeDefined();
});

test('only the visible ones of ten thousand files are requested', async () => {
  const { bridge } = openMany({
    'scans.groups': ({ offset, limit }) => ({
      groups: Array.from({ length: limit }, (_, index) => fileGroupOf(offset + index + 1)),
      total: 10_000,
    }),
  });
  await waitFor(() => expect(screen.getByText('10,000 files')).toBeDefined());
  expect((await grid('Scanned files')).getAttribute('aria-rowcount')).toBe('10000');
  expect(bridge.inputsOf('scans.groups')).toHaveLength(1);
});

test('an unreadable list shows the reason in its place', async () => {
  openMany({ 'scans.groups': () => fail({ kind: 'worker-ended', task: 'reading results', code: '1' }) });
  expect(await within(await screen.findByRole('region', { name: 'Results' })).findByRole('alert')).toBeDefined();
});
