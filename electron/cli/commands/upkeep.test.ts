import { reasonOf } from '../reason.ts';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { WatchState } from '../../../shared/domain/watch.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { fail } from '../../../shared/failure.ts';
import {
  type Answers,
  type Events,
  jobOf,
  type MemoryHost,
  runInMemory,
  usualWorkspaces,
} from '../memory-run.fixture.ts';

const task = { kind: 'backup', folder: '/backups/desk' } as const;
const run = (args: string[], answers: (events: Events) => Answers, more: Partial<MemoryHost> = {}) =>
  runInMemory(args, (events) => ({ ...more, answers: answers(events) }));

test('a backup goes to the named folder and reports what was copied', async () => {
  const { code, lines, inputsOf } = await run(['backup', 'running'], () => ({
    'storage.backUp': () => ({ job: jobOf(task) }),
  }));
  expect([code, lines, inputsOf('storage.backUp')]).toEqual([
    0,
    ['/backups/desk  1 file copied, 0 unchanged'],
    [{ folder: `folder:${resolve('running')}` }],
  ]);
  const again = await run(['backup', 'running', '--begin-anew'], () => ({
    'storage.backUp': () => ({ job: jobOf(task) }),
  }));
  expect(again.inputsOf('storage.backUp')).toEqual([{ folder: `folder:${resolve('running')}`, startOver: true }]);
  expect((await run(['backup'], () => ({}))).code).toBe(2);
});

const [missed, kept] = ['a'.repeat(64), 'b'.repeat(64)];
const withLost = (noticeCount: number, failed: number) =>
  jobOf(task, {
    counts: { ...jobOf(task).counts, failed },
    notices:
      failed > 0
        ? [
            { kind: 'backup-missed', sha256: missed },
            { kind: 'backup-kept', sha256: kept },
          ]
        : [{ kind: 'backup-kept', sha256: kept }],
    noticeCount,
  });
const reportKept = `Earlier copy kept in the backup: ${kept} is missing from the vault or damaged.`;

test('a backup fails when samples are missing, and names them and those kept from earlier backups', async () => {
  const { code, said } = await run(['backup', 'running'], () => ({
    'storage.backUp': () => ({ job: withLost(2, 1) }),
  }));
  expect([code, said]).toEqual([
    6,
    [`Not in the backup: ${missed} cannot be read from the vault, and no earlier backup has it.`, reportKept],
  ]);
});

test('a backup fails and reports a sample kept only from an earlier backup because the vault lost it', async () => {
  const { code, said } = await run(['backup', 'running'], () => ({
    'storage.backUp': () => ({ job: withLost(1, 0) }),
  }));
  expect([code, said]).toEqual([6, [reportKept]]);
  const json = await run(['backup', 'running', '--json'], () => ({
    'storage.backUp': () => ({ job: withLost(1, 0) }),
  }));
  expect([json.code, json.json]).toMatchObject([
    6,
    [{ failed: 0, kept: 1, notices: [{ kind: 'backup-kept', sha256: kept }], noticeCount: 1 }],
  ]);
});

test('a backup reports the number of lost samples when there are more than its job names', async () => {
  const { said } = await run(['backup', 'running'], () => ({ 'storage.backUp': () => ({ job: withLost(1500, 700) }) }));
  expect(said.at(-1)).toBe('1,498 more samples. In all: 700 not in the backup, 800 with an earlier copy.');
});

test('a job halted by a failure ends the command with it and shows where to resume', async () => {
  const halted = jobOf(task, { state: 'paused', failure: { kind: 'disk-full', path: '/backups' } });
  const { code, lines, said } = await run(['backup', 'running'], () => ({ 'storage.backUp': () => ({ job: halted }) }));
  expect([code, lines, said[0]]).toEqual([6, [], 'Job 7 is paused. Resume it in Activity.']);
});

test('a paused job of a restored backup is not announced to resume, whatever pause is stored', async () => {
  const address = 'https://repo.example/api.php';
  const restored = jobOf(task, {
    state: 'paused',
    resumesAt: '2030-01-01T09:25:00.000Z',
    failure: { kind: 'slow-down', service: 'repository', address, status: 429, retryAfterSeconds: 3600 },
  });
  const { said } = await run(['backup', 'running'], () => ({ 'storage.backUp': () => ({ job: restored }) }));
  expect(said[0]).toBe('Job 7 is paused. Resume it in Activity.');
});

test('a job is followed to its end, even when it ended before the command subscribed', async () => {
  const { code } = await run(['backup', 'running'], () => ({
    'storage.backUp': () => ({ job: jobOf(task, { state: 'running' }) }),
    'jobs.list': () => ({ jobs: [jobOf(task)] }),
  }));
  expect(code).toBe(0);
});

test('a job that sleeps is followed, and reported once with the time at which it resumes', async () => {
  const address = 'https://repo.example/api.php';
  const asleep = jobOf(task, {
    state: 'waiting',
    resumesAt: '2030-01-01T09:25:00.000Z',
    failure: { kind: 'slow-down', service: 'repository', address, status: 429, retryAfterSeconds: 3600 },
  });
  const { code, said } = await run(['backup', 'running'], ({ emit }) => ({
    'storage.backUp': () => ({ job: asleep }),
    'jobs.list': () => {
      queueMicrotask(() => {
        emit('job.changed', asleep);
        emit('job.changed', jobOf(task));
      });
      return { jobs: [asleep] };
    },
  }));
  expect([code, said]).toEqual([
    0,
    ['Too many requests for the repository (429). Job 7 resumes automatically at 2030-01-01 09:25Z.'],
  ]);
});

test('Ctrl-C pauses the job and shows how to resume it', async () => {
  const interrupt = new AbortController();
  const { code, said, inputsOf } = await run(
    ['backup', 'running'],
    ({ emit }) => ({
      'storage.backUp': () => ({ job: jobOf(task, { state: 'running' }) }),
      'jobs.list': () => {
        queueMicrotask(() => {
          emit('job.changed', jobOf(task, { id: 8 }));
          interrupt.abort();
        });
        return { jobs: [] };
      },
      'jobs.pause': () => ({}),
    }),
    { interrupt },
  );
  expect([code, said, inputsOf('jobs.pause')]).toEqual([130, ['Job 7 is paused. Resume it in Activity.'], [{ id: 7 }]]);
});

test('a backup whose job ended with a failed item is no success', async () => {
  const over = jobOf(task, { failure: { kind: 'disk-failed', path: '/backups', code: 'EIO' } });
  expect((await run(['backup', 'running'], () => ({ 'storage.backUp': () => ({ job: over }) }))).code).not.toBe(0);
});

test('a backup is verified without a client, and damaged parts are named', async () => {
  const verified = { folder: '/backups/desk', files: 3, damaged: 1, named: ['vault/one'] };
  const { code, lines, asked } = await run(['backup', 'running', '--verify'], () => ({}), {
    verifies: async () => verified,
  });
  expect([code, lines, asked]).toEqual([6, ['/backups/desk  3 files, 1 damaged', '  vault/one'], []]);
  expect(
    (
      await run(['backup', 'running', '--verify'], () => ({}), {
        verifies: async () => ({ ...verified, damaged: 0, named: [] }),
      })
    ).code,
  ).toBe(0);
});

test('a restore opens no client and writes into the named directory', async () => {
  const asked: unknown[] = [];
  const restores: MemoryHost['restores'] = async ({ onBegin, onBytes, ...order }) => {
    asked.push(order);
    onBegin({ files: 2, bytes: 10, made: '2026-11-01T00:00:00.000Z' });
    onBytes(10);
    return { directory: '/new', files: 2, bytes: 10, made: '2026-11-01T00:00:00.000Z' };
  };
  const { code, lines, asked: called } = await run(['restore', 'backup', '--data', '/new'], () => ({}), { restores });
  expect([code, lines, called, asked]).toEqual([
    0,
    ['/new  2 files restored'],
    [],
    [{ backup: resolve('backup'), data: '/new' }],
  ]);
  const refused = await run(['restore', 'backup'], () => ({}), {
    restores: async () => fail({ kind: 'backup-refused', path: '/new', reason: 'not-empty' }),
  });
  expect([refused.code, refused.lines]).toEqual([7, []]);
});

const state: WatchState = {
  folder: '/in',
  isOn: true,
  workspaceId: 'team',
  failure: null,
  leftAlone: 0,
  found: 1,
  files: [{ path: 'new.bin', sizeBytes: 1, sha256: null, state: 'drafted', hits: 2, found: '', failure: null }],
};
const watching: Answers = {
  'watch.state': () => state,
  'watch.turn': ({ isOn }) => ({ ...state, isOn }),
  'watch.chooseFolder': () => ({ isChosen: true, state }),
};

test('watch turns on a watched folder from the command line and shows its state', async () => {
  const on = await run(['watch', 'on', 'in'], () => watching);
  expect([on.inputsOf('watch.chooseFolder'), on.inputsOf('watch.turn'), on.said]).toEqual([
    [{ folder: `folder:${resolve('in')}` }],
    [{ isOn: true, workspaceId: 'team' }],
    ['Vitrine is not open. Watching starts when you open it.'],
  ]);
  const off = await run(['watch', 'off'], () => watching, { kind: 'running' });
  expect([off.lines, off.said, off.code]).toEqual([['off\t/in\tTeam', 'drafted\tnew.bin\t2\t-'], [], 0]);
  const reported = await run(['watch'], () => ({
    'watch.state': () => ({ ...state, failure: { kind: 'folder-gone', path: '/in' } }),
  }));
  const { what, then } = sentenceFor({ kind: 'folder-gone', path: '/in' });
  expect(reported.said).toEqual([`${what}. ${then}`]);
  expect([reported.code, reported.lines[0]]).toEqual([6, 'on\t/in\tTeam']);
  expect((await run(['watch', 'maybe'], () => watching)).code).toBe(2);
});

test('watch on and off keep the workspace of the files unless another is named or it was removed', async () => {
  const [team] = usualWorkspaces.workspaces;
  const workspaces = [...usualWorkspaces.workspaces, ...(team ? [{ ...team, id: 'other', name: 'Other' }] : [])];
  const turns = async (workspaceId: string | null, ...args: string[]): Promise<unknown[]> => {
    const turned: Answers = {
      'watch.state': () => ({ ...state, workspaceId }),
      'watch.turn': (input) => ({ ...state, ...input }),
      'workspaces.list': () => ({ ...usualWorkspaces, workspaces }),
    };
    const { inputsOf, lines } = await run(['watch', ...args], () => turned);
    return [...inputsOf('watch.turn'), lines[0]];
  };
  expect(await turns('other', 'on')).toEqual([{ isOn: true, workspaceId: 'other' }, 'on\t/in\tOther']);
  expect(await turns('other', 'off')).toEqual([{ isOn: false, workspaceId: 'other' }, 'off\t/in\tOther']);
  expect(await turns('other', 'on', '--workspace', 'Team')).toEqual([
    { isOn: true, workspaceId: 'team' },
    'on\t/in\tTeam',
  ]);
  expect(await turns('gone', 'on')).toEqual([{ isOn: true, workspaceId: 'team' }, 'on\t/in\tTeam']);
  expect(await turns(null, 'on')).toEqual([{ isOn: true, workspaceId: 'team' }, 'on\t/in\tTeam']);
});

test('watch shows the outcome of each file in words, with no hits for a file without a hit', async () => {
  const file = (path: string, facts: Partial<WatchState['files'][number]>): WatchState['files'][number] => ({
    path,
    sizeBytes: 1,
    sha256: null,
    state: 'drafted',
    hits: null,
    found: '',
    failure: null,
    ...facts,
  });
  const files = [
    file('none.bin', { hits: 0 }),
    file('one.bin', { hits: 1 }),
    file('unscanned.bin', { failure: { kind: 'no-active-rules' } }),
    file('shut.bin', { state: 'waiting', failure: { kind: 'file-unreadable', name: 'shut.bin', code: 'EACCES' } }),
    file('c\\xe9.b', { state: 'left-out', failure: { kind: 'file-unreadable', name: 'c\\xe9.b', code: 'EILSEQ' } }),
  ];
  const { lines } = await run(['watch'], () => ({ 'watch.state': () => ({ ...state, files }) }));
  expect(lines.slice(1)).toEqual([
    'drafted\tnone.bin\t0\t-',
    'drafted\tone.bin\t1\t-',
    `drafted\tunscanned.bin\t-\tnot scanned: ${reasonOf({ kind: 'no-active-rules' })}`,
    `waiting\tshut.bin\t-\t${reasonOf({ kind: 'file-unreadable', name: 'shut.bin', code: 'EACCES' })}`,
    `left-out\tc\\xe9.b\t-\t${reasonOf({ kind: 'file-unreadable', name: 'c\\xe9.b', code: 'EILSEQ' })}`,
  ]);
});
