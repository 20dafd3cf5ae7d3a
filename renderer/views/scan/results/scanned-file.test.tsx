import { huntJob, scanJob } from '../../../components/jobs/job.fixture.ts';
import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Job } from '../../../../shared/domain/job.ts';
import type { KnownBesides, ScannedFile, ScanResult } from '../../../../shared/domain/scan.ts';
import { fail } from '../../../../shared/failure.ts';
import type { GivenAnswers } from '../../../test/memory-bridge.ts';
import { fileOf, hitOf, openResults, resultOf } from './open-results.fixture.tsx';

const both = [
  resultOf('local', [hitOf('ashveil_config_xor', [0x210, 0x21a, 0x248]), hitOf('noisy'), hitOf('susp_export')]),
  resultOf('service', [hitOf('ashveil_config_xor', [0x210, 0x21a, 0x248]), hitOf('noisy')]),
];
const openFile = (file: ScannedFile, answers: GivenAnswers = {}) =>
  openResults(scanJob, { 'scans.file': () => file, ...answers });
const rowsOf = async (name: string): Promise<(string | null)[]> =>
  within(await screen.findByRole('grid', { name }))
    .getAllByRole('row')
    .map(({ textContent }) => textContent);
const rulesOf = (): Promise<(string | null)[]> => rowsOf('Rules that hit this file');

test('a scan of one file shows it at once: rule hits, muted ones last, and the engine', async () => {
  openFile(fileOf(1, both, { muted: [{ rule: 'noisy', reason: 'too noisy', expires: '2027-01-01T23:59:59.000Z' }] }));
  await waitFor(async () =>
    expect(await rulesOf()).toEqual([
      'ashveil_config_xorashveil, config3 matches',
      'susp_exportashveil, config, local engine only1 match',
      'noisyuntil 2027-01-01, too noisy1 match, muted',
    ]),
  );
  expect(screen.getByText('2 rules hit')).toBeDefined();
  const where = screen.getByRole('region', { name: 'Scan details' });
  expect([...where.querySelectorAll('dl > div')].map(({ textContent }) => textContent)).toEqual([
    'Rule editor2 rules hit, 412 ms',
    'Local engine3 rules hit, 31 ms',
    'Enginenative',
    'Package (both)2026.11.10',
  ]);
  expect(within(where).getByRole('note').textContent).toBe(
    '1 rule differs. The rule editor did not report susp_export.',
  );
});

test('a rule that matches by condition only shows that instead of a count of none', async () => {
  openFile(
    fileOf(
      1,
      [
        resultOf('local', [
          hitOf('any', [], { strings: [] }),
          hitOf('plain', [], { strings: [], family: null, tags: [] }),
        ]),
      ],
      { muted: [{ rule: 'plain', reason: 'too noisy', expires: null }] },
    ),
  );
  await waitFor(async () =>
    expect(await rulesOf()).toEqual(['anyashveil, config, condition only', 'plaintoo noisy muted']),
  );
});

test('equal results of both engines are reported as such', async () => {
  openFile(fileOf(1, [resultOf('local', [hitOf('a')]), resultOf('service', [hitOf('a')])]));
  expect(await screen.findByText('Both engines agree')).toBeDefined();
});

test('the matches of a rule are listed by offset; N and P walk through them and around the ends', async () => {
  const { user } = openFile(fileOf(1, both));
  await waitFor(async () =>
    expect(await rowsOf('Matches of ashveil_config_xor')).toEqual([
      '$key0x21080 34 08 5c4 bytes',
      '$key0x21a80 34 08 5c4 bytes',
      '$key0x24880 34 08 5c4 bytes',
    ]),
  );
  const current = (): string | null | undefined =>
    screen.getByRole('grid', { name: 'Matches of ashveil_config_xor' }).querySelector('[aria-current]')?.textContent;
  expect(current()).toContain('0x210');
  await user.keyboard('n');
  expect(current()).toContain('0x21a');
  await user.keyboard('pp');
  expect(current()).toContain('0x248');
});

test('matches along the file have a row for each rule, and touching ticks count as one position', async () => {
  openFile(fileOf(1, both, { sizeBytes: 1_208_320 }));
  const tracks = await screen.findByRole('region', { name: 'Matches along the file' });
  expect(within(tracks).getByRole('img', { name: 'ashveil_config_xor: 3 matches in 1 place' }).textContent).toBe(
    '3 within 60 bytes',
  );
  expect(within(tracks).getByRole('img', { name: 'susp_export: 1 match in 1 place' })).toBeDefined();
});

test('the ends of the match rows have as many digits as the byte offsets below, also beyond 4 GiB', async () => {
  openFile(fileOf(1, both, { sizeBytes: 0x1_2345_6788 }));
  const tracks = await screen.findByRole('region', { name: 'Matches along the file' });
  for (const offset of ['0000000000', '0091a2b3c4', '0123456788'])
    expect(within(tracks).getByText(offset)).toBeDefined();
});

test('another rule shows its own matches, by keyboard; Escape leads back from them', async () => {
  const { user } = openFile(fileOf(1, both));
  const rules = await screen.findByRole('grid', { name: 'Rules that hit this file' });
  act(() => within(rules).getAllByRole('row')[0]?.focus());
  await user.keyboard('{ArrowDown}{ArrowDown}');
  const matches = await screen.findByRole('grid', { name: 'Matches of susp_export' });
  act(() => within(matches).getAllByRole('row')[0]?.focus());
  await user.keyboard('{Escape}');
  expect(document.activeElement?.textContent).toContain('susp_export');
});

test('a file without hits shows the number of rules it was scanned with, and still has its bytes', async () => {
  const { user } = openFile(fileOf(1, [resultOf('local', [], { engine: 'wasm' }), resultOf('service', [])]));
  expect(await screen.findByRole('heading', { name: 'No hits in sample_1.dll (409 rules)' })).toBeDefined();
  expect(
    screen.getByText(
      'Scanned by the local engine (portable) with 409 rules, package 2026.11.10. Scanned by the rule editor ' +
        'with 409 rules, package 2026.11.10.',
    ),
  ).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show bytes' }));
  expect(await screen.findByRole('region', { name: 'Bytes' })).toBeDefined();
});

const known: KnownBesides = {
  hits: { count: 4, rules: ['one', 'three', 'two'], side: null, versions: ['1.2', '7'] },
  older: { count: 2, rules: ['a', 'b\u202e'], side: 'local', versions: ['1.2'] },
  severity: 'bad',
  threat: 'Emotet',
};
const knownText =
  '4 known hits, with rules 1.2 and 7: one, three, two and 1 more. ' +
  String.raw`2 older hits, with rules 1.2: a, b\u202e. Severity: bad (Emotet).`;

test('a file without hits shows known hits, older hits and the severity beside it', async () => {
  openFile(fileOf(1, [resultOf('local', []), resultOf('service', [])], { known }));
  expect(await screen.findByRole('heading', { name: 'No hits in sample_1.dll (409 rules)' })).toBeDefined();
  expect(screen.getByText('Also known').closest('[role=note]')?.textContent).toBe(`Also known${knownText}`);
});

test('a file with muted hits alone shows its other details, and a file with a hit does not', async () => {
  const muted = [{ rule: 'noisy', reason: 'too noisy', expires: null }];
  openFile(fileOf(1, [resultOf('local', [hitOf('noisy')])], { muted, known }));
  expect(await screen.findByText('Also known')).toBeDefined();
  cleanup();
  openFile(fileOf(1, both, { known }));
  expect(await screen.findByText('3 rules hit')).toBeDefined();
  expect(screen.queryByText('Also known')).toBeNull();
});

test('a file does not show no hits before every engine has answered, nor when one failed', async () => {
  openFile(fileOf(1, [resultOf('local', [])]), { 'jobs.items': () => ({ items: [], total: 0 }) });
  expect(await screen.findByText('Not every engine has returned a result.')).toBeDefined();
  cleanup();
  openFile(
    fileOf(1, [
      resultOf('local', []),
      resultOf('service', [], {
        state: 'failed',
        failure: { kind: 'scan-engine-failed', engine: 'the service', text: 'out of memory' },
      }),
    ]),
  );
  expect((await screen.findByRole('alert')).textContent).toContain('The scan engine failed');
  expect(screen.queryByText(/^No hits/)).toBeNull();
});

test('a reply in an unknown format is shown unchanged, and shows neither hits nor no hits', async () => {
  const raw = JSON.stringify({ verdict: 'eleven', list: [1, 2] });
  const { user } = openFile(
    fileOf(1, [resultOf('local', []), resultOf('service', [], { state: 'not-understood', raw })]),
  );
  expect(await screen.findByText('Unexpected response from the rule editor')).toBeDefined();
  const reply = screen.getByRole('region', { name: 'Raw reply' });
  expect(
    within(reply)
      .getAllByRole('treeitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['verdicteleven', 'list2 entries']);
  expect(screen.queryByText(/^No hits/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show reply' }));
  expect(
    within(await screen.findByRole('dialog', { name: 'Reply from the rule editor' })).getByRole('tree'),
  ).toBeDefined();
});

test('a file scanned without a global rule reports that, with the name of the rule', async () => {
  openFile(fileOf(1, [resultOf('local', [hitOf('one')], { withoutGlobal: ['only_pe\u202e'] })]));
  expect(await screen.findByText('1 global rule was skipped')).toBeDefined();
  expect(
    await screen.findByText(/only_pe.*\. Global rules can suppress hits, so some of these may be false\./),
  ).toBeDefined();
});

test('a truncated reply or a list is still shown', async () => {
  openFile(
    fileOf(1, [resultOf('local', []), resultOf('service', [], { state: 'not-understood', raw: '[{"rule": "a' })]),
  );
  expect((await screen.findByRole('region', { name: 'Raw reply' })).textContent).toContain('[{"rule": "a');
  cleanup();
  openFile(fileOf(1, [resultOf('local', []), resultOf('service', [], { state: 'not-understood', raw: '[1, 2, 3]' })]));
  expect((await screen.findByRole('treeitem')).textContent).toBe('reply3 entries');
});

test('a hunt shows new and lost hits first, and a sample without a result has no hits', async () => {
  const hunt = { ...huntJob, items: 1, state: 'done' as const };
  const file = fileOf(1, [resultOf('local', [hitOf('a_known'), hitOf('z_new')])], { added: ['z_new'], lost: ['gone'] });
  openResults(hunt, { 'scans.file': () => file });
  await waitFor(async () =>
    expect(await rulesOf()).toEqual(['z_newnewashveil, config1 match', 'gonelost', 'a_knownashveil, config1 match']),
  );
  cleanup();
  const item = {
    position: 1,
    hash: file.sha256,
    md5: null,
    sha256: file.sha256,
    state: 'done' as const,
    sizeBytes: 4096,
    name: null,
    failure: null,
  };
  openResults(hunt, { 'scans.file': () => fileOf(1, []), 'jobs.items': () => ({ items: [item], total: 1 }) });
  expect(
    await screen.findByText('Scanned by the local engine (native) with 5 rules, package 2026.11.10, in this hunt.'),
  ).toBeDefined();
});

test('a file without a result shows why its outcome is unknown', async () => {
  openFile(fileOf(1, []), { 'jobs.items': () => fail({ kind: 'worker-ended', task: 'reading items', code: '1' }) });
  expect((await screen.findByRole('alert')).textContent).toContain('stopped while reading items');
});

test('names and texts of a service are shown as text, with direction marks spelled out', async () => {
  openFile(fileOf(1, [resultOf('local', [hitOf('evil\u202egpj')]), resultOf('service', [hitOf('evil\u202egpj')])]));
  await waitFor(async () => expect((await rulesOf())[0]).toContain(String.raw`evil\u202egpj`));
});

const timedOut = { kind: 'scan-timed-out', name: 'sample_1.dll', seconds: 30 } as const;
const ends: readonly [string, ScanResult, RegExp][] = [
  ['a hit', resultOf('service', [hitOf('late_rule')]), /^1 rule hit$/],
  ['no hits', resultOf('service', []), /^No hits in sample_1.dll \(409 rules\)$/],
  ['failed', resultOf('service', [], { state: 'failed', failure: timedOut }), /took too long/],
  ['not understood', resultOf('service', [], { state: 'not-understood', raw: '{"status":"queued"}' }), /^queued$/],
];
const over: Job = {
  ...scanJob,
  task: { kind: 'scan', engines: 'service', local: null, package: null, name: 'sample_1.dll' },
};
const running: Job = { ...over, state: 'running', ended: null, counts: { ...over.counts, waiting: 1, done: 0 } };

/** A job that runs, and a host whose answers the test releases; an answer has the state at the time of the request. */
function openRunning() {
  const host = { results: [] as ScanResult[], isHeld: true, let: (): void => undefined };
  const held = new Promise<void>((resolve) => (host.let = resolve));
  const answer = async (): Promise<ScannedFile> => {
    const file = fileOf(1, host.results);
    if (host.isHeld) await held;
    return file;
  };
  const { bridge } = openResults(running, { 'jobs.list': () => ({ jobs: [running] }), 'scans.file': answer });
  return { host, bridge };
}

test.each(ends)(
  'a file requested before its result existed is read again when the job ends: %s',
  async (_, result, sight) => {
    const { host, bridge } = openRunning();
    await waitFor(() => expect(bridge.inputsOf('scans.file')).not.toEqual([]));
    Object.assign(host, { results: [result], isHeld: false });
    act(() => bridge.emit('job.changed', over));
    act(() => host.let());
    expect((await screen.findAllByText(sight)).length).toBeGreaterThan(0);
    expect(screen.getByRole('region', { name: 'Scan details' })).toBeDefined();
  },
);

test('a failed engine is read again while the job runs, as it may have been retried', async () => {
  const { host, bridge } = openRunning();
  Object.assign(host, { results: [resultOf('service', [], { state: 'failed', failure: timedOut })] });
  act(() => host.let());
  act(() => bridge.emit('scans.changed', { workspaceId: 'lab' }));
  expect(await screen.findByText(/took too long/)).toBeDefined();
  Object.assign(host, { results: [resultOf('service', [hitOf('late_rule')])] });
  act(() => bridge.emit('scans.changed', { workspaceId: 'lab' }));
  expect(await screen.findByText('1 rule hit')).toBeDefined();
});
