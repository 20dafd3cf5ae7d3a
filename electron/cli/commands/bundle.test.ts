import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BundleFacts, BundleOpening } from '../../../shared/domain/bundle.ts';
import { failed } from '../../../shared/failure.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import {
  type Answers,
  type Events,
  jobOf,
  type MemoryHost,
  runInMemory,
  usualWorkspaces,
} from '../memory-run.fixture.ts';

const facts: BundleFacts = {
  created: '2026-11-01T00:00:00.000Z',
  title: 'Autumn',
  parts: { samples: true, notes: true, threads: false, rules: false },
  signer: { fingerprint: 'f'.repeat(64), name: 'A\u202eB', standing: 'new', isNamesake: false },
  samples: 3,
  withBytes: 2,
  bytes: 1234,
  changes: {
    samples: { new: 2, same: 1, contradicting: 0, newBytes: 2, bytes: 1000 },
    tags: { new: 4 },
    notes: { new: 0, same: 0, added: 1 },
    tlps: { stricter: 1, same: 0 },
  },
  workspaces: [
    ['lab', 7],
    ['team', 1],
  ].map(([workspaceId, fresh]) => ({
    workspaceId: String(workspaceId),
    records: { new: Number(fresh), newer: 0, same: 0, older: 0, contradicting: 0 },
    comments: { new: 0, same: 0 },
    rules: null,
  })),
};
const openingOf = (more: Partial<BundleOpening> = {}): BundleOpening => ({
  id: 'o',
  name: 'x.vitrine-bundle',
  sizeBytes: 100,
  readBytes: 50,
  state: 'reading',
  failure: null,
  facts: null,
  job: null,
  ...more,
});

const reading = ({ emit }: Events): Answers => {
  let turns = 0;
  return {
    'bundles.open': () => {
      queueMicrotask(() => emit('bundles.changed', { opening: null }));
      return openingOf();
    },
    'bundles.opening': () => {
      if (turns++ > 0) return { opening: openingOf({ state: 'ready', facts }) };
      queueMicrotask(() => emit('bundles.changed', { opening: null }));
      return { opening: openingOf() };
    },
    'bundles.close': () => ({}),
    'bundles.import': () => jobOf({ kind: 'bundle-import', name: 'x.vitrine' }),
  };
};
const run = (args: string[], more: Partial<MemoryHost> = {}) =>
  runInMemory(['bundle', ...args, ...(args[0] === 'signer' ? [] : ['--bundle-passphrase-file', '-'])], (events) => ({
    input: 'correct horse battery\n',
    ...more,
    answers: { ...reading(events), ...more.answers },
  }));

test('bundle show reads a bundle to its end and closes it without a change', async () => {
  const { code, lines, inputsOf } = await run(['show', 'x.vitrine']);
  expect(inputsOf('bundles.open')).toEqual([{ stagedId: 'staged:x.vitrine', passphrase: 'correct horse battery' }]);
  expect([code, lines.slice(0, 4), lines.length]).toEqual([
    0,
    [
      'Autumn',
      'created    2026-11-01T00:00:00.000Z',
      expect.stringMatching(/^signed by {2}A\\u202eB {2}\(NEW: /),
      `           ${'f'.repeat(64)}`,
    ],
    12,
  ]);
  expect([inputsOf('bundles.close'), inputsOf('bundles.import')]).toEqual([[{ id: 'o' }], []]);
});

test('bundle show counts the changes for the target workspace', async () => {
  expect((await run(['show', 'x.vitrine'])).lines).toContain('records    1 new, 0 newer, 0 unchanged, 0 older');
  const answers: Answers = {
    'workspaces.list': () => ({
      ...usualWorkspaces,
      workspaces: usualWorkspaces.workspaces.flatMap((one) => [one, { ...one, id: 'lab', name: 'Lab' }]),
    }),
  };
  expect((await run(['show', 'x.vitrine', '-w', 'lab'], { answers })).lines).toContain(
    'records    7 new, 0 newer, 0 unchanged, 0 older',
  );
  expect((await run(['show', 'x.vitrine', '--json'])).json).toMatchObject([
    { workspace: 'team', changes: { records: { new: 1 }, samples: { new: 2 } } },
  ]);
});

test('bundle show counts skipped samples that contradict local data', async () => {
  const changes = { ...facts.changes, samples: { ...facts.changes.samples, contradicting: 2 } };
  const { lines } = await run(['show', 'x.vitrine'], {
    answers: { 'bundles.opening': () => ({ opening: openingOf({ state: 'ready', facts: { ...facts, changes } }) }) },
  });
  expect(lines.filter((line) => line.includes('skipped'))).toEqual([
    expect.stringMatching(/^samples .*; 2 skipped: they contradict local data$/),
  ]);
});

test('bundle show warns of a known signer name with another key', async () => {
  const { lines } = await run(['show', 'x.vitrine'], {
    answers: {
      'bundles.opening': () => ({
        opening: openingOf({ state: 'ready', facts: { ...facts, signer: { ...facts.signer, isNamesake: true } } }),
      }),
    },
  });
  expect(lines[2]).toMatch(/known with ANOTHER KEY/);
});

test('an interrupted bundle import explains how to continue, because its passphrase is only in memory', async () => {
  const halted = { ...jobOf({ kind: 'bundle-import', name: 'x' }), state: 'paused' } as const;
  const { code, said } = await run(['import', 'x.vitrine', '--yes'], { answers: { 'bundles.import': () => halted } });
  expect([code, said.at(-1)]).toEqual([130, expect.stringMatching(/^Job \d+ is paused\. .*Import the bundle again/)]);
});

test.each(['show', 'import'])('an unknown workspace is reported before the bundle is read (%s)', async (verb) => {
  const { code, inputsOf } = await run([verb, 'x.vitrine', '--yes', '-w', 'nonesuch']);
  expect([code, inputsOf('bundles.open')]).toEqual([expect.any(Number), []]);
  expect(code).not.toBe(0);
});

test('bundle import with --yes imports a bundle after showing it', async () => {
  const { code, lines, said, inputsOf } = await run(['import', 'x.vitrine', '--yes']);
  expect([code, lines, said[0], inputsOf('bundles.import')]).toEqual([
    0,
    ['1 imported, 0 unchanged'],
    'Autumn',
    [{ id: 'o', workspaceId: 'team' }],
  ]);
});

test('bundle import names samples that were not imported, or only in part', async () => {
  const hash = 'd'.repeat(64);
  const task = { kind: 'bundle-import', name: 'x' } as const;
  const over = jobOf(task, {
    counts: { ...jobOf(task).counts, done: 0, failed: 23 },
    notices: [
      { kind: 'bundle-contradicts', hash },
      { kind: 'bundle-note-full', sha256: hash },
    ],
    noticeCount: 23,
  });
  const answers: Answers = { 'bundles.import': () => over };
  const { code, lines, said } = await run(['import', 'x.vitrine', '--yes'], { answers });
  expect([code, lines]).toEqual([1, ['0 imported, 0 unchanged, 23 failed']]);
  expect(said.slice(-3)).toEqual([
    expect.stringMatching(`contradicts.*${hash}`),
    expect.stringMatching(`did not fit.*${hash}`),
    '21 more failures: see Activity or the journal.',
  ]);
  expect((await run(['import', 'x.vitrine', '--yes', '--json'], { answers })).json.at(-1)).toEqual({
    job: 7,
    taken: 0,
    same: 0,
    failed: 23,
    notices: over.notices,
    noticeCount: 23,
  });
});

test('a bundle that changed after it was verified is refused', async () => {
  const task = { kind: 'bundle-import', name: 'x' } as const;
  const over = jobOf(task, {
    counts: { ...jobOf(task).counts, done: 0, failed: 3 },
    notices: [{ kind: 'bundle-changed', name: 'x' }],
    noticeCount: 1,
  });
  const { code, said } = await run(['import', 'x.vitrine', '--yes'], { answers: { 'bundles.import': () => over } });
  expect([code, said.at(-1)]).toEqual([7, expect.stringContaining('changed after it was verified')]);
});

test('bundle show refuses what is not a regular file', async () => {
  const { code, said } = await run(['show', '/dev/null'], {
    stages: async (path) => failed({ kind: 'staged-file-missing', id: path }),
  });
  expect([code, said[0]]).toEqual([2, expect.stringContaining('/dev/null is not a regular file')]);
});

test('bundle import without --yes prompts, and changes nothing without a user to answer', async () => {
  process.env.VITRINE_BUNDLE_PASSPHRASE = 'correct horse battery';
  const asked = await runInMemory(['bundle', 'import', 'x'], (events) => ({ answers: reading(events), answer: true }));
  expect([asked.code, asked.inputsOf('bundles.import').length, process.env.VITRINE_BUNDLE_PASSPHRASE]).toEqual([
    0,
    1,
    undefined,
  ]);
  for (const [answer, code] of [
    [false, 7],
    [null, 2],
  ] as const) {
    process.env.VITRINE_BUNDLE_PASSPHRASE = 'correct horse battery';
    const kept = await runInMemory(['bundle', 'import', 'x'], (events) => ({ answers: reading(events), answer }));
    expect([kept.code, kept.inputsOf('bundles.import'), kept.inputsOf('bundles.close')]).toEqual([
      code,
      [],
      [{ id: 'o' }],
    ]);
  }
  expect((await run(['import', 'x.vitrine'])).code).toBe(2);
});

test.each([
  [{ kind: 'bundle-passphrase-wrong' }, 4],
  [{ kind: 'bundle-damaged', atByte: 3 }, 6],
  [{ kind: 'bundle-not-signed' }, 7],
] as const)('a bundle refused with %j ends with %i and is closed', async (failure, expected) => {
  const { code, lines, inputsOf } = await run(['import', 'x.vitrine', '--yes'], {
    answers: { 'bundles.opening': () => ({ opening: openingOf({ state: 'refused', failure }) }) },
  });
  expect([code, lines, inputsOf('bundles.import'), inputsOf('bundles.close')]).toEqual([
    expected,
    [],
    [],
    [{ id: 'o' }],
  ]);
});

test('bundle write puts the samples of a query into the named folder', async () => {
  const folder = temporaryFolder();
  const out = join(folder, 'made');
  const task = { kind: 'bundle', title: 'Autumn', folder: out, result: 'autumn.vitrine' } as const;
  const { code, lines, said, inputsOf } = await run(
    ['write', 'emotet', '--title', 'Autumn', '--author', 'CSIRT', '--out', out, '--rules', '--comments'],
    {
      answers: {
        'bundles.start': () => jobOf(task),
        'bundles.signer': () => ({ fingerprint: 'a'.repeat(64), isDurable: false }),
      },
    },
  );
  expect(inputsOf('bundles.start')).toEqual([
    {
      selection: { kind: 'query', terms: [{ field: 'text', negated: false, value: 'emotet' }], except: [] },
      parts: { samples: true, notes: false, threads: true, rules: true },
      title: 'Autumn',
      author: 'CSIRT',
      passphrase: 'correct horse battery',
      workspaceId: 'team',
      folder: `folder:${out}`,
    },
  ]);
  expect([code, lines]).toEqual([0, [join(out, 'autumn.vitrine')]]);
  expect(said).toEqual(
    expect.arrayContaining([
      `Signed by ${'a'.repeat(64)}`,
      'The key is in memory only: the next start creates another one.',
    ]),
  );
  expect(await readdir(folder)).toEqual(['made']);
});

test('bundle write needs a passphrase, and no option accepts one', async () => {
  expect((await runInMemory(['bundle', 'show', 'x'], (events) => ({ answers: reading(events) }))).code).toBe(2);
  expect(
    (
      await runInMemory(['bundle', 'show', 'x', '--bundle-passphrase', 'secret'], (events) => ({
        answers: reading(events),
      }))
    ).code,
  ).toBe(2);
});

test('bundle signer prints the fingerprint of this installation', async () => {
  const { lines } = await run(['signer'], {
    answers: { 'bundles.signer': () => ({ fingerprint: 'a'.repeat(64), isDurable: true }) },
  });
  expect(lines).toEqual(['a'.repeat(64)]);
});
