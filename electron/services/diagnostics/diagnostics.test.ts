import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { makeTestFolder, type TestFolder } from '../../storage/testing/database.fixture.ts';
import { migratedData } from '../../storage/testing/migrated-data.fixture.ts';
import { unpacked } from './canaries.fixture.ts';
import { type DiagnosticsOptions, DiagnosticsService, RecentFailures } from './diagnostics.ts';

let folder: TestFolder;
let defects: unknown[];
let opened: string[];
let offered: { fileName: string; open(): AsyncIterable<Uint8Array> }[];
beforeEach(() => {
  folder = makeTestFolder();
  [defects, opened, offered] = [[], [], []];
  mkdirSync(join(folder.path, 'chosen'));
});
afterEach(() => folder.remove());

const capabilities = {
  chooseFolder: true,
  openFolders: true,
  browserDownload: false,
  windowControls: true,
  notifications: true,
  staysInTray: true,
  restarts: true,
};
const chosen = (): string => join(folder.path, 'chosen');

function service(
  more: Partial<DiagnosticsOptions> = {},
  platform: Partial<DiagnosticsOptions['platform']> = {},
): DiagnosticsService {
  return new DiagnosticsService({
    platform: {
      kind: 'desktop',
      isPackaged: false,
      capabilities,
      dataDirectory: migratedData(join(folder.path, 'data')),
      chooseFolder: async () => chosen(),
      openPath: async (path) => void opened.push(path),
      ...platform,
    },
    program: { version: '1.2.3', engines: {} },
    failures: new RecentFailures(),
    secrets: () => [],
    running: { jobs: () => 0 },
    requireUnwatched: async () => {},
    namedFolder: (id) => id,
    offer: (prepared) => ({ kind: 'browser', id: String(offered.push(prepared)), fileName: prepared.fileName }),
    logDefect: (_id, _operation, error) => void defects.push(error),
    logSaved: () => {},
    ...more,
  });
}

test('diagnostics are saved in the folder that the person picks, which can then be shown', async () => {
  const diagnostics = service();
  await diagnostics.showFolder();
  expect(opened).toEqual([]);
  const { saved, missing } = await diagnostics.save({});
  expect(saved).toEqual({
    kind: 'folder',
    path: join(chosen(), readdirSync(chosen())[0] ?? ''),
    fileName: expect.stringMatching(/^vitrine-diagnostics-\d{8}T\d{6}Z\.zip$/),
    sizeBytes: expect.any(Number),
  });
  expect([missing, readdirSync(chosen()).length]).toEqual([[{ part: 'log', reason: 'ENOENT' }], 1]);
  await diagnostics.showFolder();
  expect(opened).toEqual([chosen()]);
});

test('diagnostics are not saved when the person picks no folder', async () => {
  expect(await service({}, { chooseFolder: async () => null }).save({})).toEqual({ saved: null, missing: [] });
});

test('diagnostics go to the caller without a host picker, and for the command line', async () => {
  const web = service({}, { kind: 'web', capabilities: { ...capabilities, chooseFolder: false } });
  expect((await web.save({})).saved).toMatchObject({ kind: 'browser', id: '1' });
  expect((await service().save({ to: 'command-line', folder: 'named' })).saved).toMatchObject({
    kind: 'browser',
    id: '2',
  });
  for (const { open } of offered) expect([...(await unpacked(open())).files.keys()]).toContain('about.json');
  expect(readdirSync(chosen())).toEqual([]);
});

test('the file is not saved in the watched folder; if that is unreadable, the file is saved anyway', async () => {
  const watched = service({ requireUnwatched: async (path) => fail({ kind: 'export-into-watched', path }) });
  for (const request of [{}, { to: 'command-line', folder: 'named' }] as const)
    await expect(watched.save(request)).rejects.toMatchObject({ failure: { kind: 'export-into-watched' } });
  const broken = await service({
    requireUnwatched: async (path) => fail({ kind: 'data-damaged', path, code: 'SQLITE_CORRUPT' }),
  }).save({});
  expect([broken.saved?.kind, defects.length]).toEqual(['folder', 1]);
});

test('diagnostics report an unwritable folder, and leave nothing in it', async () => {
  rmSync(chosen(), { recursive: true });
  await expect(service().save({})).rejects.toMatchObject({ failure: { kind: 'not-writable', path: chosen() } });
});

test('the file contains the state of the program, and a failing part costs only that part', async () => {
  const failures = new RecentFailures();
  failures.note('samples.lookup', { kind: 'token-missing', service: 'repository' });
  failures.note('samples.lookup', { kind: 'cancelled' });
  const running = {
    lab: () => ({ state: 'stopped' }),
    engine: () => fail({ kind: 'data-damaged', path: folder.path, code: 'x' }),
    jobs: () => {
      throw new Error(folder.path);
    },
  };
  await service({ failures, running }).save({ to: 'command-line' });
  const { files } = await unpacked(offered[0]?.open() ?? expect.fail('nothing'));
  expect(JSON.parse(files.get('about.json') ?? '')).toMatchObject({
    vitrine: { madeBy: 'the running program' },
    running: { lab: { state: 'stopped' }, engine: 'data-damaged', jobs: 'unexpected' },
  });
  expect(JSON.parse(files.get('failures.json') ?? '')).toMatchObject({
    answers: [{ operation: 'samples.lookup', kind: 'token-missing', service: 'repository' }],
  });
  expect(defects).toHaveLength(2);
});

test('recent failures are the newest two hundred', () => {
  const failures = new RecentFailures();
  for (let at = 1; at <= 250; at += 1) failures.note('jobs.cancel', { kind: 'job-missing', id: at });
  const kept = failures.newestFirst();
  expect([kept.length, kept[0]?.failure, kept.at(-1)?.failure]).toEqual([
    200,
    { kind: 'job-missing', id: 250 },
    { kind: 'job-missing', id: 51 },
  ]);
});

test('the saved file is readable only by its owner', async () => {
  const { saved } = await service().save({});
  expect(saved?.kind === 'folder' && statSync(saved.path).mode & 0o777).toBe(0o600);
});
