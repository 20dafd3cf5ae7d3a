import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Job, jobKind } from '../../shared/domain/job.ts';
import type { ShellCommand } from '../../shared/domain/host.ts';
import type { HostEvent } from '../event-hub.ts';
import { foundRules, jobNews, lostComment } from './host-news.fixture.ts';
import { gathered, NativeNotices, type Notice, NoticeReader, Notifier } from './notices.ts';
import { emitter } from './stand-ins.fixture.ts';

/** The notice for the last of these events. */
function reported(...events: HostEvent[]): Notice | null {
  const reader = new NoticeReader();
  return events.map((event) => reader.read(event)).at(-1) ?? null;
}
const going = jobNews();

test('an ended job reports how much of it is done and leads to itself', () => {
  expect(reported(going, jobNews({ state: 'done', settled: 4 }))).toEqual({
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
  expect(reported(going, jobNews({ state: 'done', items: 4222, counts }))?.body).toBe('Job 218: 4,210 of 4,222 done.');
});

test('an ended hunt reports its findings in counts', () => {
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
  expect(reported(jobNews({ task }), jobNews({ task, state: 'done', settled: 4 }))).toMatchObject({
    title: 'Hunt finished',
    body: 'Job 218: 3 new hits in 2 samples, 1 hit lost.',
  });
});

test('a halted job reports the reason', () => {
  const notice = reported(going, jobNews({ state: 'paused', failure: { kind: 'disk-full', path: '/data' } }));
  expect(notice).toMatchObject({ kind: 'jobs', title: 'Bulk download halted', body: 'Job 218: The disk is full.' });
});

test.each<[string, HostEvent[]]>([
  ['runs', [going, jobNews({ settled: 2 })]],
  ['was paused', [going, jobNews({ state: 'paused' })]],
  ['was cancelled', [going, jobNews({ state: 'cancelled' })]],
  ['had ended before', [jobNews({ state: 'done' })]],
  ['has ended already', [going, jobNews({ state: 'done' }), jobNews({ state: 'done' })]],
  ['is another one', [going, jobNews({ id: 219, state: 'done' })]],
])('a job that %s causes no notification', (_what, events) => {
  expect(reported(...events)).toBeNull();
});

test('a retried job is reported again', () => {
  expect(
    reported(going, jobNews({ state: 'done' }), jobNews({ state: 'waiting' }), jobNews({ state: 'done' })),
  ).not.toBeNull();
});

test('an update of rules leads to the updates of its workspace', () => {
  expect(reported(foundRules('1.4', 'team'))).toEqual({
    kind: 'rules',
    title: 'New rules available',
    body: 'Version 1.4 can be installed.',
    leadsTo: { kind: 'open-updates', workspaceId: 'team' },
  });
  expect(
    reported({
      name: 'publications.news',
      payload: { workspaceId: 'lab', kind: 'installed', version: '1.4', counts: null },
    }),
  ).toMatchObject({
    title: 'New rules installed',
    body: 'Version 1.4 is active now.',
  });
  expect(
    reported({
      name: 'publications.news',
      payload: { workspaceId: 'lab', kind: 'failed', version: null, counts: null },
    }),
  ).toBeNull();
});

test.each([null, '', '<b>1</b>', '1.4\u202e', 'a'.repeat(41), 'call 555-1234'])(
  'a service version %j is not repeated',
  (version) => {
    expect(reported(foundRules(version))?.body).toBe('A package can be installed.');
  },
);

test('a lost comment leads to the comments of its workspace', () => {
  expect(reported(lostComment)).toEqual({
    kind: 'comments',
    title: 'A comment did not arrive',
    body: 'Its text is saved.',
    leadsTo: { kind: 'open-comments', workspaceId: 'team' },
  });
  expect(
    reported({ name: 'comments.lost', payload: { workspaceId: 'lab', md5: 'a'.repeat(32), state: 'may-have-arrived' } })
      ?.title,
  ).toBe('A comment may not have arrived');
});

test('files in the watched folder are reported without a name, and their scan is not reported as well', () => {
  expect(reported({ name: 'watch.found', payload: { files: 3, hits: 1, scan: 7 } })).toEqual({
    kind: 'watch',
    title: '3 new files in the watched folder',
    body: '1 has hits. Nothing was sent.',
    leadsTo: { kind: 'open-job', id: 7 },
  });
  expect(reported({ name: 'watch.found', payload: { files: 3, hits: 2, scan: null } })?.leadsTo).toEqual({
    kind: 'open-view',
    view: 'activity',
  });
  expect(reported({ name: 'watch.found', payload: { files: 1, hits: 0, scan: null } })).toMatchObject({
    title: '1 new file in the watched folder',
    body: 'Nothing was sent.',
    leadsTo: { kind: 'open-view', view: 'upload' },
  });
  const task: Job['task'] = {
    kind: 'scan',
    engines: 'local',
    local: 'wasm',
    package: null,
    name: null,
    isWatched: true,
  };
  expect(reported(jobNews({ task }), jobNews({ task, state: 'done' }))).toBeNull();
  expect(reported(jobNews({ task }), jobNews({ task, state: 'paused', failure: { kind: 'no-rules' } }))).toMatchObject({
    title: 'Scan halted',
  });
});

test('other host news is shown only by the page', () => {
  expect(reported({ name: 'library.changed', payload: {} })).toBeNull();
});

test('several notices of a kind are one, which leads to all of them', () => {
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
    leadsTo: { kind: 'open-view', view: 'activity' },
  });
  expect(gathered([{ ...one, kind: 'rules' }, one]).leadsTo).toEqual({ kind: 'open-view', view: 'publications' });
  expect(gathered([{ ...one, kind: 'watch' }, one])).toMatchObject({
    title: 'New files in the watched folder (2 times)',
    leadsTo: { view: 'upload' },
  });
  expect(gathered([{ ...one, kind: 'comments' }, one]).leadsTo).toEqual({ kind: 'open-view', view: 'comments' });
});

/** All content of a job that other people wrote, or that reveals its sample. */
const secrets = fc.string({ minLength: 6 }).map((text) => `SECRET${text}`);

test('no notice names a sample, a file or a rule, or contains markup or hidden characters', () => {
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
      const notice = reported(
        jobNews({ task: of }),
        jobNews({ task: of, active, failure, state: isHalted ? 'paused' : 'done' }),
      );
      const text = `${notice?.title} ${notice?.body}`;
      expect(notice).not.toBeNull();
      expect(text).not.toMatch(/SECRET|b{32}|[<>&\u202e]/);
    }),
  );
});

/** A notifier whose window is not watched, with a clock that the test advances. */
function host() {
  const shown: string[] = [];
  const timers = new Set<{ at: number; action: () => void }>();
  let now = 0;
  const state = { isWanted: true, isWatched: false };
  const notifier = new Notifier({
    isWanted: () => state.isWanted,
    isWatched: () => state.isWatched,
    show: ({ title }) => shown.push(title),
    after: (milliseconds, action) => {
      const timer = { at: now + milliseconds, action };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const goOn = (milliseconds: number): void => {
    now += milliseconds;
    for (const timer of [...timers].filter(({ at }) => at <= now)) {
      timers.delete(timer);
      timer.action();
    }
  };
  const endJob = (id: number): void => {
    notifier.hear(jobNews({ id }));
    notifier.hear(jobNews({ id, state: 'done' }));
  };
  return { shown, timers, state, notifier, goOn, endJob };
}

test('the first notice is shown at once, and later ones within ten seconds are combined', () => {
  const { shown, goOn, endJob } = host();
  for (const id of [1, 2, 3, 4]) endJob(id);
  expect(shown).toEqual(['Bulk download finished']);
  goOn(9_999);
  expect(shown).toHaveLength(1);
  goOn(1);
  expect(shown).toEqual(['Bulk download finished', '3 jobs finished or halted']);
  endJob(5);
  expect(shown).toHaveLength(2);
  goOn(10_000);
  expect(shown.at(-1)).toBe('Bulk download finished');
  goOn(10_000);
  endJob(6);
  expect(shown).toHaveLength(4);
});

test('each kind has its own ten seconds', () => {
  const { shown, notifier, endJob } = host();
  endJob(1);
  notifier.hear(foundRules('1.4'));
  notifier.hear(lostComment);
  expect(shown).toEqual(['Bulk download finished', 'New rules available', 'A comment did not arrive']);
});

test('a focused window gets news in the page, and pending notices are dropped', () => {
  const { shown, state, goOn, endJob } = host();
  endJob(1);
  endJob(2);
  state.isWatched = true;
  endJob(3);
  goOn(10_000);
  expect(shown).toHaveLength(1);
});

test('a job begun in a focused window is reported when it ends in an unfocused one', () => {
  const { shown, state, notifier } = host();
  state.isWatched = true;
  notifier.hear(jobNews());
  state.isWatched = false;
  notifier.hear(jobNews({ state: 'done' }));
  expect(shown).toHaveLength(1);
});

test('disabled notices stop immediately', () => {
  const { shown, state, goOn, endJob } = host();
  endJob(1);
  endJob(2);
  state.isWanted = false;
  goOn(10_000);
  endJob(3);
  expect(shown).toHaveLength(1);
});

test('a closing program sends no further notices', () => {
  const { shown, timers, notifier, goOn, endJob } = host();
  endJob(1);
  endJob(2);
  notifier.close();
  goOn(10_000);
  expect([shown.length, timers.size]).toEqual([1, 0]);
});

function system() {
  const created: {
    words: { title: string; body: string };
    emit(name: string, ...rest: unknown[]): boolean;
    did: string[];
  }[] = [];
  const chosen: ShellCommand[] = [];
  const failures: string[] = [];
  const notices = new NativeNotices({
    create: (words) => {
      const did: string[] = [];
      const notification = emitter({
        did,
        words,
        show: () => void did.push('shown'),
        close: () => void did.push('closed'),
      });
      created.push(notification);
      return notification;
    },
    onChosen: (leadsTo) => chosen.push(leadsTo),
    onFailure: ({ message }) => failures.push(message),
  });
  const show = (id: number) =>
    notices.show({ kind: 'jobs', title: `Job ${id}`, body: 'Done.', leadsTo: { kind: 'open-job', id } });
  return { created, chosen, failures, show };
}

test('a notification shows its text, and its click leads to its subject', () => {
  const { created, chosen, show } = system();
  show(7);
  expect(created).toMatchObject([{ words: { title: 'Job 7', body: 'Done.' }, did: ['shown'] }]);
  created[0]?.emit('click');
  expect(chosen).toEqual([{ kind: 'open-job', id: 7 }]);
});

test('a notification the system cannot show is logged', () => {
  const { created, failures, show } = system();
  show(7);
  created[0]?.emit('failed', {}, 'no shortcut');
  expect(failures).toEqual(['no shortcut']);
});

test('at most twenty notifications exist: the oldest is removed, and dismissed ones do not count', () => {
  const { created, show } = system();
  for (let id = 0; id < 20; id += 1) show(id);
  created[3]?.emit('close', { reason: 'userCanceled' });
  show(20);
  expect(created.filter(({ did }) => did.includes('closed'))).toEqual([]);
  show(21);
  expect(created.flatMap(({ did, words }) => (did.includes('closed') ? words.title : []))).toEqual(['Job 0']);
});

test('a notification that left the screen still counts and opens its job when clicked in the system list', () => {
  const { created, chosen, show } = system();
  for (let id = 0; id < 20; id += 1) show(id);
  for (const notification of created) notification.emit('close', { reason: 'timedOut' });
  show(20);
  expect(created.flatMap(({ did, words }) => (did.includes('closed') ? words.title : []))).toEqual(['Job 0']);
  created[7]?.emit('click');
  expect(chosen).toEqual([{ kind: 'open-job', id: 7 }]);
});
