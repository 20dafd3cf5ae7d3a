import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { everyResult } from '../../../shared/domain/scan.ts';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { recordWith } from '../../storage/testing/database.fixture.ts';
import { NativeEngine } from './native-engine.ts';
import { createTestScans, type ScanEditor, sha256Of, startScanEditor, team, type TestScans } from './scans.fixture.ts';

let editor: ScanEditor;
let setup: TestScans;
beforeAll(async () => {
  editor = await startScanEditor();
  setup = await createTestScans(editor);
});
beforeEach(() => {
  editor.received.length = 0;
  editor.answer = (response) => response.end('[]');
  Object.assign(setup.settings, defaultSettings);
  setup.receiver = { host: 'rules.example', isHere: false };
  setup.hasRepository = false;
});
afterEach(() => setup.requireSound());
afterAll(async () => {
  await setup.close();
  editor.close();
});

const ashveil =
  'rule ashveil : ashveil config { meta: family = "ashveil" strings: $key = { 80 34 08 5c } $path = "/sync/" ' +
  'wide condition: $key and $path }\n';
const named = 'rule named { condition: filename == "update.dll" and extension == ".dll" and filesize < 100 }\n';
const sampleFile = Buffer.concat([
  Buffer.alloc(16),
  Buffer.from([0x80, 0x34, 0x08, 0x5c]),
  Buffer.from('/sync/', 'utf16le'),
]);

for (const { tags, cases } of longAfter(1, ['native', 'wasm']))
  test.each(cases)(
    'the %s engine reports which rule matched, what of it, where, and with which bytes',
    { tags },
    async (engine) => {
      await setup.install(ashveil + named);
      setup.settings.scanEngine = engine;
      const job = await setup.scan({ files: [await setup.stage('update.dll', sampleFile)] });
      expect(job).toMatchObject({
        state: 'done',
        counts: { done: 1 },
        task: { kind: 'scan', local: engine, name: 'update.dll', package: { rules: 2 } },
      });
      const file = await setup.scans.file(job.id, 1);
      expect(file).toMatchObject({
        name: 'update.dll',
        sha256: sha256Of(sampleFile),
        sizeBytes: sampleFile.length,
        inVault: false,
        results: [{ side: 'local', state: 'scanned', engine, isCut: false }],
      });
      expect(file.results[0]?.hits).toMatchObject([
        {
          rule: 'ashveil',
          tags: ['ashveil', 'config'],
          family: 'ashveil',
          meta: [{ key: 'family', value: 'ashveil' }],
          place: { number: 0, file: 'rules.yar', line: 1 },
          strings: [
            { id: '$key', total: 1, matches: [{ offset: 16, length: 4, data: '8034085c' }] },
            {
              id: '$path',
              total: 1,
              matches: [{ offset: 20, length: 12, data: Buffer.from('/sync/', 'utf16le').toString('hex') }],
            },
          ],
        },
        { rule: 'named', strings: [] },
      ]);
    },
  );

test('both engines are used and compared, and the service’s reply is kept unchanged', async () => {
  await setup.install(ashveil + named);
  editor.answer = (response) =>
    response.end(
      JSON.stringify({
        matches: [{ rule: 'ashveil', meta: { family: 'ashveil' }, strings: [[16, '$key', '8034085C']] }],
      }),
    );
  const job = await setup.scan({ engines: 'both', files: [await setup.stage('update.dll', sampleFile)] });
  expect(await setup.files(job.id)).toMatchObject([{ state: 'done', hits: 2, agreement: 'differs' }]);
  const { results } = await setup.scans.file(job.id, 1);
  expect(results.map(({ side, hits }) => [side, hits.map(({ rule }) => rule)])).toEqual([
    ['local', ['ashveil', 'named']],
    ['service', ['ashveil']],
  ]);
  expect(results[1]).toMatchObject({
    state: 'scanned',
    hits: [{ family: 'ashveil', strings: [{ id: '$key', matches: [{ offset: 16, data: '8034085c' }] }] }],
  });
  expect(JSON.parse(results[1]?.raw ?? '')).toEqual({
    matches: [{ rule: 'ashveil', meta: { family: 'ashveil' }, strings: [[16, '$key', '8034085C']] }],
  });
  expect(editor.received).toHaveLength(1);
  expect(editor.received[0]).toContain(sampleFile.toString('latin1'));
});

test.each([['{"surprise": 1}'], ['"maybe"'], ['[{"surprise": true}]']])(
  'the reply %s counts neither as a hit nor as no hits',
  async (reply) => {
    editor.answer = (response) => response.end(reply);
    const job = await setup.scan({ engines: 'service', files: [await setup.stage('a', reply)] });
    expect(await setup.files(job.id)).toMatchObject([
      { state: 'failed', isNotUnderstood: true, hits: 0, failure: { kind: 'scan-not-understood' } },
    ]);
    expect(await setup.scans.summary(job.id)).toMatchObject({ files: 1, clean: 0, withHits: 0, trouble: 1 });
    expect((await setup.scans.file(job.id, 1)).results).toMatchObject([{ state: 'not-understood' }]);
  },
);

test('a closed TLP keeps a file on this computer, unless the rule editor is local too', async () => {
  await setup.install(ashveil);
  const kept = await setup.scan({ engines: 'both', files: [await setup.stage('amber', 'amber')], tlp: 'amber' });
  expect(await setup.files(kept.id)).toMatchObject([
    { state: 'forbidden', failure: { kind: 'third-party-refused', receiver: 'rules.example' } },
  ]);
  expect((await setup.scans.file(kept.id, 1)).results).toMatchObject([
    { side: 'local', state: 'scanned' },
    { side: 'service', state: 'failed' },
  ]);
  expect(editor.received).toEqual([]);
  setup.receiver = { host: 'the lab of this computer', isHere: true };
  expect(
    await setup.scan({ engines: 'service', files: [await setup.stage('amber', 'amber')], tlp: 'amber' }),
  ).toMatchObject({ counts: { done: 1 } });
  expect(editor.received).toHaveLength(1);
});

test('the library’s TLP applies to a picked sample', async () => {
  const [sha256 = ''] = await setup.keep('a red sample');
  const md5 = setup.stores.library.find(sha256)?.md5 ?? '';
  setup.stores.library.noteRecord({ workspaceId: team, md5, record: recordWith({ tags: ['TLP:RED'] }) });
  const job = await setup.scan({ engines: 'service', samples: [sha256] });
  expect(await setup.files(job.id)).toMatchObject([
    { state: 'forbidden', failure: { kind: 'third-party-refused', tlp: 'red' } },
  ]);
  expect(editor.received).toEqual([]);
});

test('unknown TLPs are fetched from the repository, and no file is sent while it does not respond', async () => {
  expect((await setup.scans.plan(team)).service).toMatchObject({ asksTlp: false });
  setup.hasRepository = true;
  expect((await setup.scans.plan(team)).service).toMatchObject({ asksTlp: true });
  editor.record = (response) => response.end(JSON.stringify({ file: { tags: 'tlp:amber+strict' } }));
  const kept = await setup.scan({ engines: 'service', files: [await setup.stage('never asked', 'never asked')] });
  expect(await setup.files(kept.id)).toMatchObject([
    { state: 'forbidden', failure: { kind: 'third-party-refused', tlp: 'amber+strict' } },
  ]);
  editor.record = (response) => response.writeHead(500).end('out of order');
  const unsure = await setup.scan({ engines: 'service', files: [await setup.stage('unsure', 'unsure')] });
  expect(await setup.files(unsure.id)).toMatchObject([{ state: 'failed', failure: { kind: 'service-failed' } }]);
  expect(editor.received).toEqual([]);
  editor.record = (response) => response.end('{"file":null}');
  expect(await setup.scan({ engines: 'service', files: [await setup.stage('unknown', 'unknown')] })).toMatchObject({
    counts: { done: 1 },
  });
  expect(editor.received).toHaveLength(1);
});

test('a sent file is in the journal before it leaves, and after its end', async () => {
  const job = await setup.scan({ engines: 'service', files: [await setup.stage('told', 'told')] });
  const rows = setup.stores.library.history(sha256Of('told'));
  expect(rows.map(({ operation, outcome }) => [operation, outcome]).toReversed()).toEqual([
    ['scan', 'sending'],
    ['scan', 'done'],
  ]);
  expect(rows[1]?.detail).toMatchObject({ job: job.id, receiver: 'rules.example' });
});

test('a file too large for the service fails alone, and a token refused midway halts the job', async () => {
  editor.answer = (response, number) => (number === 1 ? response.writeHead(413).end() : response.end('[]'));
  const first = await setup.scan({
    engines: 'service',
    files: [await setup.stage('large', 'large'), await setup.stage('small', 'small')],
  });
  expect(first).toMatchObject({ state: 'done', counts: { done: 1, failed: 1 } });
  editor.answer = (response, number) => (number <= 4 ? response.end('[]') : response.writeHead(401).end());
  const files = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => setup.stage(name, name)));
  const second = await setup.scan({ engines: 'service', files });
  expect(second).toMatchObject({ state: 'paused', failure: { kind: 'token-refused' } });
  expect(second.counts.waiting).toBeGreaterThan(0);
  editor.answer = (response) => response.end('[]');
  setup.jobs.resume(second.id);
  expect(await setup.over(second.id)).toMatchObject({ state: 'done', counts: { done: 8, waiting: 0 } });
});

test('an endless rule is left out by name, and every file is scanned without it', { tags: ['long'] }, async () => {
  const endless = 'rule endless { condition: for all i in (0..9223372036854775806) : ( filesize > i - i - 1 ) }\n';
  await setup.install(ashveil + endless);
  setup.settings.scanSeconds = 0.5;
  const job = await setup.scan({ files: [await setup.stage('one', sampleFile), await setup.stage('two', 'two')] });
  expect(job).toMatchObject({
    state: 'done',
    counts: { done: 2 },
    notices: [{ kind: 'scan-rule-left-out', rule: 'endless', reason: 'endless' }],
  });
  expect(await setup.files(job.id, { show: 'hits' })).toMatchObject([{ rules: ['ashveil'] }]);
});

test('a file over the limit is not scanned locally, and reports that', async () => {
  await setup.install(ashveil);
  setup.settings.scanMebibytes = 1;
  const job = await setup.scan({
    files: [
      await setup.stage('large', Buffer.alloc(1024 * 1024 + 1)),
      await setup.stage('edge', Buffer.alloc(1024 * 1024)),
    ],
  });
  expect((await setup.items(job.id)).map(({ state, failure }) => [state, failure?.kind ?? null])).toEqual([
    ['failed', 'scan-too-large'],
    ['done', null],
  ]);
});

test('a sample missing in the vault, or damaged, affects only its own outcome', async () => {
  await setup.install(ashveil);
  const [gone = '', there = ''] = await setup.keep('gone sample', 'sample that stays');
  await setup.vault.remove(gone);
  const job = await setup.scan({ samples: [gone, there] });
  expect((await setup.items(job.id)).map(({ state, failure }) => [state, failure?.kind ?? null])).toEqual([
    ['failed', 'not-in-vault'],
    ['done', null],
  ]);
});

test('a file missing when the scan begins is named by the job, and the others are scanned', async () => {
  await setup.install(ashveil);
  const [gone, there] = [await setup.stage('gone.exe', 'gone'), await setup.stage('there.exe', sampleFile)];
  rmSync(setup.staging.sourceOf(gone.id)?.path ?? '');
  const job = await setup.scan({ files: [gone, there] });
  expect(job).toMatchObject({
    items: 1,
    counts: { done: 1 },
    notices: [{ kind: 'file-gone', name: 'gone.exe' }],
    noticeCount: 1,
  });
  expect(await setup.staging.check(gone.id)).toBe('gone');
  const alone = await setup.stage('alone.exe', 'alone');
  rmSync(setup.staging.sourceOf(alone.id)?.path ?? '');
  await expect(setup.start({ files: [alone] })).rejects.toMatchObject({
    failure: { kind: 'file-gone', name: 'alone.exe' },
  });
});

test('the same bytes are scanned once, and unneeded copies are deleted', async () => {
  await setup.install(ashveil);
  const [first, second] = [await setup.stage('first', 'same'), await setup.stage('second', 'same')];
  const job = await setup.scan({ files: [first, second] });
  expect(job).toMatchObject({ items: 1, counts: { done: 1 }, task: { name: 'first' } });
  expect(await Promise.all([first, second].map(({ id }) => setup.staging.check(id)))).toEqual(['there', 'gone']);
  setup.jobs.forget(job.id);
  await vi.waitFor(async () => expect(await setup.staging.check(first.id)).toBe('gone'));
});

test('a scan is refused without files, a package, a rule editor or the requested engine', async () => {
  await expect(setup.start({})).rejects.toMatchObject({ failure: { kind: 'nothing-selected' } });
  await expect(setup.start({ workspaceId: 'nobody', samples: [sha256Of('x')] })).rejects.toMatchObject({
    failure: { kind: 'no-package' },
  });
  await expect(setup.start({ samples: [sha256Of('not there')] })).rejects.toMatchObject({
    failure: { kind: 'not-in-vault' },
  });
  setup.receiver = null;
  await expect(setup.start({ engines: 'service', files: [await setup.stage('a', 'a')] })).rejects.toMatchObject({
    failure: { kind: 'service-not-set' },
  });
  const missing = vi
    .spyOn(NativeEngine.prototype, 'check')
    .mockResolvedValue({ ok: false, text: 'There is no build for this platform' });
  setup.settings.scanEngine = 'native';
  await expect(setup.start({ files: [await setup.stage('b', 'b')] })).rejects.toMatchObject({
    failure: { kind: 'native-engine-missing', text: 'There is no build for this platform' },
  });
  missing.mockRestore();
});

test('hits are in the library, and a mute takes them out of the count without hiding them', async () => {
  await setup.install(ashveil);
  const job = await setup.scan({ files: [await setup.stage('update.dll', sampleFile)] });
  const sha256 = sha256Of(sampleFile);
  expect(setup.stores.scans.hitsOf(team, sha256).filter(({ side }) => side === 'local')).toMatchObject([
    { rule: 'ashveil', matches: 2, jobId: job.id, mute: null },
  ]);
  const mute = setup.stores.mutes.add(
    { workspaceId: team, rule: 'ashveil', sample: null, reason: 'noisy', expires: null },
    null,
  );
  expect(await setup.files(job.id)).toMatchObject([{ hits: 0, muted: 1 }]);
  expect(await setup.scans.summary(job.id)).toMatchObject({ withHits: 0, hits: 0, muted: 1 });
  expect((await setup.scans.file(job.id, 1)).muted).toMatchObject([{ rule: 'ashveil', reason: 'noisy' }]);
  expect(await setup.files(job.id, { show: 'muted' })).toHaveLength(1);
  setup.stores.mutes.remove(mute.id);
  expect(await setup.scans.summary(job.id)).toMatchObject({ withHits: 1, muted: 0 });
});

test('a paused scan resumes where it was', async () => {
  await setup.install(ashveil);
  let answered = 0;
  editor.answer = (response) => {
    answered += 1;
    if (answered === 2) setup.jobs.pause(job.id);
    response.end('[]');
  };
  const files = await Promise.all(
    Array.from({ length: 12 }, (_, index) => setup.stage(`p${index}`, `paused ${index}`)),
  );
  const job = await setup.start({ engines: 'service', files });
  const paused = await setup.over(job.id);
  expect(paused).toMatchObject({ state: 'paused', failure: null });
  setup.jobs.resume(job.id);
  expect(await setup.over(job.id)).toMatchObject({ state: 'done', counts: { done: 12 } });
  expect(
    await setup.scans.groups({ jobId: job.id, by: 'file', filter: everyResult, offset: 0, limit: 1 }),
  ).toMatchObject({ total: 12 });
});
