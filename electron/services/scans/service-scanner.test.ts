import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { recordWith } from '../../storage/testing/database.fixture.ts';
import { createTestScans, type ScanEditor, sha256Of, startScanEditor, team, type TestScans } from './scans.fixture.ts';

let editor: ScanEditor;
let setup: TestScans;
beforeAll(async () => {
  editor = await startScanEditor();
  setup = await createTestScans(editor);
  await setup.install('rule finds { condition: true }\n');
});
beforeEach(() => {
  editor.received.length = 0;
  setup.slept.length = 0;
  editor.answer = (response) => response.end('[]');
});
afterEach(() => setup.requireSound());
afterAll(async () => {
  await setup.close();
  editor.close();
});

/** Two are under way when one of them is refused; the other gets no answer. */
function refuseOneOfTwo(): void {
  editor.answer = (response: ServerResponse, number) => {
    if (number === 2) response.writeHead(401).end();
    else if (number > 2) response.end('[]');
  };
}

test.each(['service', 'both'] as const)(
  'a refused token ends all requests under way, and nothing more is sent (%s)',
  async (engines) => {
    refuseOneOfTwo();
    const names = Array.from({ length: 8 }, (_, index) => `${engines} ${index}`);
    const files = await Promise.all(names.map((name) => setup.stage(name, name)));
    const job = await setup.scan({ engines, files });
    expect(job).toMatchObject({ state: 'paused', failure: { kind: 'token-refused' }, counts: { waiting: 8 } });
    expect(editor.received).toHaveLength(2);
  },
);

test('the journal records a sent file only for files that are sent', async () => {
  refuseOneOfTwo();
  const names = Array.from({ length: 8 }, (_, index) => `told ${index}`);
  await setup.scan({ engines: 'service', files: await Promise.all(names.map((name) => setup.stage(name, name))) });
  const outcomes = names.map((name) => setup.stores.library.history(sha256Of(name)).map(({ outcome }) => outcome));
  expect(outcomes.filter((some) => some.length > 0)).toEqual([['sending'], ['sending']]);
  expect(editor.received).toHaveLength(2);
});

test('the TLP the person gives a file keeps it on this computer, and its bytes in every later scan', async () => {
  const [sha256 = ''] = await setup.keep('given amber');
  const given = await setup.scan({
    engines: 'service',
    files: [await setup.stage('given', 'given amber')],
    tlp: 'amber',
  });
  expect(await setup.files(given.id)).toMatchObject([
    { state: 'forbidden', failure: { kind: 'third-party-refused', tlp: 'amber' } },
  ]);
  expect(await setup.scans.file(given.id, 1)).toMatchObject({ tlp: 'amber' });
  const picked = await setup.scan({ engines: 'service', samples: [sha256] });
  expect(await setup.files(picked.id)).toMatchObject([
    { state: 'forbidden', failure: { kind: 'third-party-refused', tlp: 'amber' } },
  ]);
  const again = await setup.scan({
    engines: 'service',
    files: [await setup.stage('again', 'given amber')],
    tlp: 'clear',
  });
  expect(await setup.files(again.id)).toMatchObject([
    { state: 'forbidden', failure: { kind: 'third-party-refused', tlp: 'amber' } },
  ]);
  expect(editor.received).toEqual([]);
});

test.each(['service', 'both'] as const)(
  'the TLP the person gives a sample keeps it on this computer, now and later (%s)',
  async (engines) => {
    const [sha256 = ''] = await setup.keep(`picked for ${engines}`);
    const given = await setup.scan({ engines, samples: [sha256], tlp: 'red' });
    expect(await setup.files(given.id)).toMatchObject([
      { state: 'forbidden', failure: { kind: 'third-party-refused', tlp: 'red' } },
    ]);
    const opened = await setup.scan({ engines, samples: [sha256], tlp: 'clear' });
    expect(await setup.files(opened.id)).toMatchObject([
      { state: 'forbidden', failure: { kind: 'third-party-refused', tlp: 'red' } },
    ]);
    expect(editor.received).toEqual([]);
  },
);

test('a file with an open TLP is sent, and a stricter TLP in the library takes precedence', async () => {
  const open = await setup.scan({ engines: 'service', files: [await setup.stage('open', 'open')], tlp: 'green' });
  expect(open).toMatchObject({ counts: { done: 1 } });
  expect(await setup.scans.file(open.id, 1)).toMatchObject({ tlp: 'green' });
  const [sha256 = ''] = await setup.keep('closed');
  setup.stores.library.noteRecord({
    workspaceId: team,
    md5: setup.stores.library.find(sha256)?.md5 ?? '',
    record: recordWith({ tags: ['tlp:red'] }),
  });
  const closed = await setup.scan({ engines: 'service', files: [await setup.stage('closed', 'closed')], tlp: 'green' });
  expect(await setup.files(closed.id)).toMatchObject([
    { state: 'forbidden', failure: { kind: 'third-party-refused', tlp: 'red' } },
  ]);
  expect(editor.received).toHaveLength(1);
});

const redden = (sha256s: string[]): unknown =>
  setup.stores.library.changeSamples(sha256s, { add: [], remove: [], tlp: 'red' });

test('a TLP set while files wait keeps them local, and the journal has no entry of them', async () => {
  const samples = await setup.keep(...Array.from({ length: 6 }, (_, index) => `in line ${index}`));
  const begun: ServerResponse[] = [];
  editor.answer = (response) => {
    if (begun.push(response) < 2) return;
    redden(samples);
    for (const one of begun.splice(0)) one.end('[]');
  };
  const job = await setup.scan({ engines: 'service', samples });
  expect(job.counts).toMatchObject({ done: 2, forbidden: 4 });
  expect(editor.received).toHaveLength(2);
  expect(
    samples.flatMap((sha256) => setup.stores.library.history(sha256).filter(({ outcome }) => outcome === 'sending')),
  ).toHaveLength(2);
  const kept = (await setup.files(job.id)).filter(({ state }) => state === 'forbidden');
  for (const { failure } of kept)
    expect(failure).toEqual({ kind: 'third-party-refused', tlp: 'red', receiver: 'rules.example' });
});

test('a TLP set while the rule editor delays a file prevents it from being resent', async () => {
  const samples = await setup.keep('put off');
  editor.answer = (response) => {
    redden(samples);
    response.writeHead(429, { 'Retry-After': '20' }).end();
  };
  const job = await setup.scan({ engines: 'service', samples });
  expect(await setup.files(job.id)).toMatchObject([
    { state: 'forbidden', failure: { kind: 'third-party-refused', tlp: 'red' } },
  ]);
  expect([editor.received.length, setup.slept]).toEqual([1, [20_000]]);
});

test('a delay that the rule editor requests is waited for, and the file is resent', async () => {
  editor.answer = (response, number) =>
    number < 3 ? response.writeHead(429, { 'Retry-After': String(number * 20) }).end() : response.end('[]');
  expect(await setup.scan({ engines: 'service', files: [await setup.stage('paused', 'paused')] })).toMatchObject({
    state: 'done',
    counts: { done: 1 },
  });
  expect(editor.received).toHaveLength(3);
  expect(setup.slept).toEqual([20_000, 40_000]);
});

test.each([
  ['that never ends', 429, { 'Retry-After': '0' }, 3, 'slow-down'],
  ['of an hour', 429, { 'Retry-After': '3600' }, 1, 'slow-down'],
  ['of an hour of maintenance', 503, { 'Retry-After': '3600' }, 1, 'slow-down'],
  ['without an end', 429, {}, 1, 'slow-down'],
  ['of a service that is unavailable', 503, {}, 3, 'service-failed'],
])('a delay %s lets the job sleep', async (why, status, headers, requests, kind) => {
  editor.answer = (response) => response.writeHead(status, headers).end();
  const job = await setup.scan({ engines: 'service', files: [await setup.stage(why, why)] });
  expect(job).toMatchObject({
    state: 'waiting',
    resumesAt: expect.any(String),
    failure: { kind },
    counts: { waiting: 1 },
  });
  expect(editor.received).toHaveLength(requests);
});

test('a repository that is unavailable for the TLP of a file lets the job sleep, and no file is sent', async () => {
  setup.hasRepository = true;
  const { record } = editor;
  onTestFinished(() => {
    setup.hasRepository = false;
    editor.record = record;
  });
  editor.record = (response) => response.writeHead(503).end();
  const job = await setup.scan({ engines: 'service', files: [await setup.stage('of no TLP', 'of no TLP')] });
  expect(job).toMatchObject({ state: 'waiting', failure: { service: 'repository', status: 503 } });
  expect(editor.received).toEqual([]);
});

test('files whose TLP is known are sent before a job sleeps for the repository', async () => {
  setup.hasRepository = true;
  const { record } = editor;
  onTestFinished(() => {
    setup.hasRepository = false;
    editor.record = record;
  });
  let allowed = 3;
  const waiting: ServerResponse[] = [];
  editor.record = (response) => {
    waiting.push(response);
    if (waiting.length < 6) return;
    for (const one of waiting.splice(0)) {
      allowed -= 1;
      if (allowed < 0) one.writeHead(429, { 'Retry-After': '3600' }).end();
      else one.end(JSON.stringify({ file: null }));
    }
  };
  const names = Array.from({ length: 12 }, (_, index) => `limited ${index}`);
  const files = await Promise.all(names.map((name) => setup.stage(name, name)));
  const job = await setup.scan({ engines: 'service', files });
  expect(job).toMatchObject({ state: 'waiting', failure: { service: 'repository' }, counts: { done: 3, waiting: 9 } });
  expect(editor.received).toHaveLength(3);
});

test('a file that a service is unavailable for fails alone, and others are scanned', async () => {
  const names = ['unlucky', 'one', 'two', 'three', 'four'];
  const files = await Promise.all(names.map((name) => setup.stage(name, name)));
  const unlucky: ServerResponse[] = [];
  // Each refusal follows a scan: otherwise the service would be unavailable for all of them.
  editor.answer = (response, number) => {
    if (editor.received[number - 1]?.includes('unlucky')) unlucky.push(response);
    else response.end('[]', () => unlucky.pop()?.writeHead(503).end());
  };
  const job = await setup.scan({ engines: 'service', files });
  expect(job).toMatchObject({ state: 'done', counts: { done: 4, failed: 1 } });
});

test.each([
  ['asks for a pause', 429, { 'Retry-After': '3600' }],
  ['is unavailable each time', 503, {}],
])('a scan under way comes to its end when the service %s for another file', async (why, status, headers) => {
  let first: ServerResponse | null = null;
  editor.answer = (response) => {
    if (first === null) first = response;
    else response.writeHead(status, headers).end();
  };
  const names = Array.from({ length: 8 }, (_, index) => `${why} ${index}`);
  const files = await Promise.all(names.map((name) => setup.stage(name, name)));
  const ended = setup.scan({ engines: 'service', files });
  const requests = status === 429 ? 2 : 4;
  await expect.poll(() => editor.received.length).toBe(requests);
  // What the refusal would end has ended by then.
  for (let turns = 0; turns < 100; turns += 1) await nextTurn();
  (first as ServerResponse | null)?.end('[]');
  expect(await ended).toMatchObject({
    state: 'waiting',
    resumesAt: expect.any(String),
    counts: { done: 1, waiting: 7 },
  });
  expect(editor.received).toHaveLength(requests);
});
