import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jobKind, type Job } from '../../shared/domain/job.ts';
import type { HostEvent } from '../event-hub.ts';
import { foundRules, jobNews, lostComment } from './host-news.fixture.ts';
import { gathered, type Notice, NoticeReader } from './notices.ts';

/** What the last of these events is told as. */
function told(...events: HostEvent[]): Notice | null {
  const reader = new NoticeReader();
  return events.map((event) => reader.read(event)).at(-1) ?? null;
}
const going = jobNews();

test('a job that ended says how much of it is done, and leads to itself', () => {
  expect(told(going, jobNews({ state: 'done', settled: 4 }))).toEqual({
    kind: 'jobs',
    title: 'Bulk download finished',
    body: 'Job 218: 4 of 4 done.',
    leadsTo: { kind: 'open-job', id: 218 },
  });
  const counts = {
    mismatch: 0,
    forbidden: 3,
    failed: 9,
    refused: 0,
    vanished: 0,
    unknown: 0,
    'needs-md5': 0,
    cancelled: 0,
    waiting: 0,
    done: 4000,
    'already-here': 210,
  };
  expect(told(going, jobNews({ state: 'done', items: 4222, counts }))?.body).toBe('Job 218: 4,210 of 4,222 done.');
});

test('a hunt that ended says what it found, in counts', () => {
  const task: Job['task'] = {
    kind: 'hunt',
    scope: 'changed',
    local: 'native',
    package: { sha256: null, version: '1', rules: 2 },
    rules: 2,
    names: ['secret_rule'],
    against: null,
    found: { added: 3, samples: 2, lost: 1 },
  };
  expect(told(jobNews({ task }), jobNews({ task, state: 'done', settled: 4 }))).toMatchObject({
    title: 'Hunt finished',
    body: 'Job 218: 3 new hits in 2 samples, 1 hit lost.',
  });
});

test('a job that was halted says why', () => {
  const notice = told(going, jobNews({ state: 'paused', failure: { kind: 'disk-full', path: '/data' } }));
  expect(notice).toMatchObject({ kind: 'jobs', title: 'Bulk download halted', body: 'Job 218: The disk is full.' });
});

test.each<[string, HostEvent[]]>([
  ['runs', [going, jobNews({ settled: 2 })]],
  ['was paused', [going, jobNews({ state: 'paused' })]],
  ['was cancelled', [going, jobNews({ state: 'cancelled' })]],
  ['had ended before', [jobNews({ state: 'done' })]],
  ['has ended already', [going, jobNews({ state: 'done' }), jobNews({ state: 'done' })]],
  ['is another one', [going, jobNews({ id: 219, state: 'done' })]],
])('a job that %s is no news', (_what, events) => {
  expect(told(...events)).toBeNull();
});

test('a job that is tried again is told again', () => {
  expect(
    told(going, jobNews({ state: 'done' }), jobNews({ state: 'waiting' }), jobNews({ state: 'done' })),
  ).not.toBeNull();
});

test('an update of rules leads to the updates of its workspace', () => {
  expect(told(foundRules('1.4', 'team'))).toEqual({
    kind: 'rules',
    title: 'New rules available',
    body: 'Version 1.4 can be installed.',
    leadsTo: { kind: 'open-updates', workspaceId: 'team' },
  });
  expect(
    told({
      name: 'publications.news',
      payload: { workspaceId: 'lab', kind: 'installed', version: '1.4', counts: null },
    }),
  ).toMatchObject({
    title: 'New rules installed',
    body: 'Version 1.4 is active now.',
  });
  expect(
    told({ name: 'publications.news', payload: { workspaceId: 'lab', kind: 'failed', version: null, counts: null } }),
  ).toBeNull();
});

test.each([null, '', '<b>1</b>', '1.4\u202e', 'a'.repeat(41), 'call 555-1234'])(
  'a version %j of a service is not repeated',
  (version) => {
    expect(told(foundRules(version))?.body).toBe('A package can be installed.');
  },
);

test('a comment that was lost leads to the comments of its workspace', () => {
  expect(told(lostComment)).toEqual({
    kind: 'comments',
    title: 'A comment did not arrive',
    body: 'Its text is saved.',
    leadsTo: { kind: 'open-comments', workspaceId: 'team' },
  });
  expect(
    told({ name: 'comments.lost', payload: { workspaceId: 'lab', md5: 'a'.repeat(32), state: 'may-have-arrived' } })
      ?.title,
  ).toBe('A comment may not have arrived');
});

test('files that came into the watched folder are told without a name, and their scan is not told beside them', () => {
  expect(told({ name: 'watch.found', payload: { files: 3, hits: 1, scan: 7 } })).toEqual({
    kind: 'watch',
    title: '3 new files in the watched folder',
    body: '1 has hits. Nothing was sent.',
    leadsTo: { kind: 'open-job', id: 7 },
  });
  expect(told({ name: 'watch.found', payload: { files: 3, hits: 2, scan: null } })?.leadsTo).toEqual({
    kind: 'open-room',
    room: 'activity',
  });
  expect(told({ name: 'watch.found', payload: { files: 1, hits: 0, scan: null } })).toMatchObject({
    title: '1 new file in the watched folder',
    body: 'Nothing was sent.',
    leadsTo: { kind: 'open-room', room: 'upload' },
  });
  const task: Job['task'] = {
    kind: 'scan',
    engines: 'local',
    local: 'wasm',
    package: null,
    name: null,
    isWatched: true,
  };
  expect(told(jobNews({ task }), jobNews({ task, state: 'done' }))).toBeNull();
  expect(told(jobNews({ task }), jobNews({ task, state: 'paused', failure: { kind: 'no-rules' } }))).toMatchObject({
    title: 'Scan halted',
  });
});

test('what else the host tells is told by the page alone', () => {
  expect(told({ name: 'library.changed', payload: {} })).toBeNull();
});

test('several of a kind are one, which leads to where all of them are', () => {
  const one: Notice = {
    kind: 'jobs',
    title: 'Scan finished',
    body: 'Job 7: 1 of 1 done.',
    leadsTo: { kind: 'open-job', id: 7 },
  };
  expect(gathered([one])).toBe(one);
  expect(gathered([one, one, one])).toEqual({
    kind: 'jobs',
    title: '3 jobs finished or halted',
    body: 'See Activity for the results.',
    leadsTo: { kind: 'open-room', room: 'activity' },
  });
  expect(gathered([{ ...one, kind: 'rules' }, one]).leadsTo).toEqual({ kind: 'open-room', room: 'publications' });
  expect(gathered([{ ...one, kind: 'watch' }, one])).toMatchObject({
    title: 'New files in the watched folder (2 times)',
    leadsTo: { room: 'upload' },
  });
  expect(gathered([{ ...one, kind: 'comments' }, one]).leadsTo).toEqual({ kind: 'open-room', room: 'comments' });
});

/** Everything of a job that somebody else wrote, or that tells which sample it is about. */
const secrets = fc.string({ minLength: 6 }).map((text) => `SECRET${text}`);

test('no notice names a sample, a file or a rule, nor holds markup or hidden characters', () => {
  const task = fc.tuple(fc.constantFrom(...jobKind.options), secrets).map(([kind, name]): Job['task'] => {
    const pack = { sha256: 'a'.repeat(64), version: name, rules: 1 };
    if (kind === 'scan') return { kind, engines: 'local', local: null, package: pack, name };
    if (kind === 'hunt')
      return { kind, scope: 'all', local: null, package: pack, rules: 1, names: [name], against: name };
    if (kind === 'library-change') return { kind, what: 'change', add: [name], remove: [name], addsNote: true };
    if (kind === 'export') return { kind, form: 'raw', folder: name, result: name };
    if (kind === 'case-export')
      return { kind, format: 'misp', title: name, withSamples: true, folder: name, result: name };
    if (kind === 'bundle') return { kind, title: name, folder: name, result: name };
    if (kind === 'bundle-import') return { kind, name };
    if (kind === 'library-add') return { kind, opensArchives: true };
    return kind === 'backup' ? { kind, folder: name } : { kind };
  });
  fc.assert(
    fc.property(task, secrets, fc.boolean(), (of, name, isHalted) => {
      const active: Job['active'] = [
        { position: 1, hash: 'b'.repeat(32), phase: 'receiving', receivedBytes: 0, totalBytes: null },
      ];
      const failure: Job['failure'] = isHalted
        ? { kind: 'http-not-allowed', host: `<b>&${name.slice(6)}\u202e</b>` }
        : null;
      const notice = told(
        jobNews({ task: of }),
        jobNews({ task: of, active, failure, state: isHalted ? 'paused' : 'done' }),
      );
      const text = `${notice?.title} ${notice?.body}`;
      expect(notice).not.toBeNull();
      expect(text).not.toMatch(/SECRET|b{32}|[<>&\u202e]/);
    }),
  );
});
