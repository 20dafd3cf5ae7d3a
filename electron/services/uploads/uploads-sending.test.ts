import { readdir } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Hashes } from '../../../shared/domain/hash.ts';
import type { JournalFilter } from '../../../shared/domain/journal.ts';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { defaultRepositoryOptions } from '../../../shared/domain/workspace.ts';
import { FailureError } from '../../../shared/failure.ts';
import { md5Of, valuesOf } from './scripted-repository.fixture.ts';
import {
  addInPlace,
  bytesOf,
  filesNamed,
  names,
  newBench,
  outcomesOf,
  quietDraft,
  reopened,
  sent,
} from './upload-bench.fixture.ts';
import { ended, team } from './uploads.fixture.ts';

const hashesOf = (file: UploadFile | undefined): Hashes => ({
  md5: file?.md5 ?? '',
  sha1: file?.sha1 ?? '',
  sha256: file?.sha256 ?? '',
});

test('files are sent in fixed-size requests, in the order of the draft, each entry beside its file', async () => {
  const { setup, repository } = await newBench({}, { settings: { uploadFiles: 2 } });
  const [, second = 0] = await setup.add(filesNamed('a.bin', 'b.bin', 'c.bin', 'd.bin', 'e.bin'));
  await quietDraft(setup);
  await setup.uploads.change(
    team,
    { kind: 'files', ids: [second] },
    { virusTotal: true, addTags: ['emotet', 'tlp-like'], tlp: 'green' },
  );
  const job = await sent(setup);
  expect(job).toMatchObject({ state: 'done', counts: { done: 5 } });
  expect(repository.forms.map(({ files }) => files.map(({ field, name }) => `${field} ${name}`))).toEqual([
    ['files[] a.bin', 'files[] b.bin'],
    ['files[] c.bin', 'files[] d.bin'],
    ['files[] e.bin'],
  ]);
  const [first] = repository.forms;
  expect(valuesOf(first, 'vtsubmit[]')).toEqual(['false', 'true']);
  expect(valuesOf(first, 'cksubmit[]')).toEqual(['false', 'false']);
  expect(valuesOf(first, 'tags[]')).toEqual(['', 'emotet,tlp-like,tlp:green']);
  expect(JSON.parse(valuesOf(first, 'files_data')[0] ?? '')).toEqual([
    { index: 0, vtsubmit: false, cksubmit: false, tags: '' },
    { index: 1, vtsubmit: true, cksubmit: false, tags: 'emotet,tlp-like,tlp:green' },
  ]);
});

test('files are sent in requests up to a size; a larger file goes alone', async () => {
  const { setup, repository } = await newBench({}, { settings: { uploadMebibytes: 1 } });
  const mebibyte = 1024 * 1024;
  await sent(setup, {
    'a.bin': Buffer.alloc(mebibyte / 2, 'a'),
    'b.bin': Buffer.alloc(mebibyte / 2 - 10, 'b'),
    'c.bin': Buffer.alloc(3 * mebibyte, 'c'),
    'd.bin': 'small',
  });
  expect(repository.forms.map(({ files }) => files.map(({ sizeBytes }) => sizeBytes))).toEqual([
    [mebibyte / 2, mebibyte / 2 - 10],
    [3 * mebibyte],
    [5],
  ]);
});

test('the hash of a file is sent only when it goes alone', async () => {
  const { setup, repository } = await newBench({}, { settings: { uploadFiles: 2 } });
  await sent(setup, { 'a.bin': 'one', 'b.bin': 'two', 'c.bin': 'three' });
  expect(repository.forms.map((form) => valuesOf(form, 'hash'))).toEqual([[], [md5Of('three')]]);
});

test('every flag is sent as false, unless it was set', async () => {
  const { setup, repository } = await newBench();
  await sent(setup, filesNamed('a.bin', 'b.bin', 'c.bin'));
  for (const field of ['vtsubmit[]', 'cksubmit[]'])
    expect(valuesOf(repository.forms[0], field)).toEqual(['false', 'false', 'false']);
});

test.each(['amber', 'amber+strict', 'red'] as const)(
  'no flag is sent with a TLP:%s file, however it came to be in the row',
  async (tlp) => {
    const { setup, repository } = await newBench();
    const [id = 0] = await setup.add(filesNamed('a.bin'));
    await quietDraft(setup);
    await setup.uploads.change(team, { kind: 'all' }, { virusTotal: true, sandbox: true });
    expect(await setup.uploads.change(team, { kind: 'all' }, { tlp, sandbox: true })).toEqual({
      changed: 1,
      refused: 1,
    });
    expect(setup.files()[0]).toMatchObject({ virusTotal: false, sandbox: false });
    await setup.close();
    const database = new DatabaseSync(`${setup.options.folder}/data/vitrine.db`);
    database.prepare('UPDATE upload_file SET virus_total = 1, sandbox = 1 WHERE id = ?').run(id);
    database.close();
    const again = await reopened(setup);
    const job = await sent(again);
    expect(job.counts.done).toBe(1);
    expect([
      valuesOf(repository.forms[0], 'vtsubmit[]'),
      valuesOf(repository.forms[0], 'cksubmit[]'),
      valuesOf(repository.forms[0], 'tags[]'),
    ]).toEqual([['false'], ['false'], [`tlp:${tlp}`]]);
    expect(valuesOf(repository.forms[0], 'files_data')[0]).toContain('"vtsubmit":false,"cksubmit":false');
    expect(again.journalOf(md5Of(filesNamed('a.bin')['a.bin'] ?? ''))).toMatchObject([
      { detail: { virusTotal: false, sandbox: false, tlp } },
    ]);
  },
);

test('a file that the repository has is not sent: it is only looked up', async () => {
  const { setup, repository } = await newBench({
    record: (_, response) => (response.writeHead(403).end('Not enough rights'), true),
  });
  await setup.add({ 'known.bin': 'known', 'new.bin': 'new' });
  await quietDraft(setup);
  // It became known after the review.
  repository.stored.add(md5Of('known'));
  repository.script = {};
  const job = await sent(setup);
  expect(await outcomesOf(setup, job.id)).toEqual({ 'known.bin': 'already-here', 'new.bin': 'done' });
  expect(repository.forms).toHaveLength(1);
  expect(repository.forms[0]?.files).toMatchObject([{ name: 'new.bin', sizeBytes: 3 }]);
  expect(job.bytes).toBe(3);
  expect(setup.journalOf(md5Of('known'))).toMatchObject([{ operation: 'upload', outcome: 'already-here' }]);
});

test('details of a file that the repository already has stay local, with no request for them', async () => {
  const { setup, repository } = await newBench({
    record: (_, response) => (response.writeHead(403).end('Not enough rights'), true),
  });
  await setup.add({ 'known.bin': 'known', 'closed.bin': 'closed' });
  const [known, closed] = await quietDraft(setup);
  setup.stores.library.recordUploads(
    [closed].map((file) => ({
      workspaceId: team,
      md5: file?.md5 ?? '',
      hashes: hashesOf(file),
      sizeBytes: 6,
      outcome: 'done',
    })),
  );
  await setup.uploads.change(
    team,
    { kind: 'files', ids: [known?.id ?? 0] },
    { virusTotal: true, sandbox: true, tlp: 'green', addTags: ['emotet'] },
  );
  await setup.uploads.change(team, { kind: 'files', ids: [closed?.id ?? 0] }, { tlp: 'clear' });
  for (const text of ['known', 'closed']) repository.stored.add(md5Of(text));
  repository.script = {
    record: () => (
      setup.stores.library.changeSamples([closed?.sha256 ?? ''], { add: [], remove: [], tlp: 'red' }),
      false
    ),
  };
  const job = await sent(setup);
  expect([job.counts['already-here'], repository.forms]).toEqual([2, []]);
  expect(setup.journalOf(md5Of('known')).at(-1)).toMatchObject({
    outcome: 'already-here',
    detail: { virusTotal: false, sandbox: false, tlp: 'green' },
  });
  const { row, tlps } = setup.stores.library.sample(known?.sha256 ?? '') ?? {};
  expect([row?.tags, tlps?.filter(({ source }) => source === 'own')]).toEqual([
    ['emotet'],
    [{ level: 'green', source: 'own' }],
  ]);
  expect(setup.stores.library.sample(closed?.sha256 ?? '')?.tlps).toContainEqual({ level: 'red', source: 'own' });
});

test('a draft with only known files has nothing to send', async () => {
  const { setup, repository } = await newBench();
  repository.stored.add(md5Of('known'));
  await setup.add({ 'known.bin': 'known' });
  await quietDraft(setup);
  await expect(setup.uploads.send(team)).rejects.toMatchObject({ failure: { kind: 'nothing-to-send' } });
  expect(repository.uploads()).toBe(0);
});

test('a draft that is still being read is not sent', async () => {
  const { setup } = await newBench(
    {},
    {
      facts: (real) => ({
        hash: (_files, signal) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        inspect: (...given) => real.inspect(...given),
        close: () => real.close(),
      }),
    },
  );
  await setup.add(filesNamed('a.bin'));
  await expect(setup.uploads.send(team)).rejects.toMatchObject({ failure: { kind: 'draft-busy', files: 1 } });
});

test.each([
  { decodesComments: false, expected: 'seen 100% of the time + more\r\nÜber “Emotet”' },
  { decodesComments: true, expected: 'seen 100%25 of the time %2B more\r\nÜber “Emotet”' },
])(
  'the comment goes with every request (decoded once more: $decodesComments)',
  async ({ decodesComments, expected }) => {
    const { setup, repository } = await newBench({}, { settings: { uploadFiles: 1 }, repository: { decodesComments } });
    setup.uploads.comment(team, 'seen 100% of the time + more\r\nÜber “Emotet”');
    await sent(setup, filesNamed('a.bin', 'b.bin'));
    expect(repository.forms.map((form) => valuesOf(form, 'comment'))).toEqual([[expected], [expected]]);
    expect(setup.uploads.draft(team)).toMatchObject({ comment: '', files: 0, saved: null });
  },
);

test('named files are sent by themselves; a person’s dropped files stay, with their comment', async () => {
  const { setup, repository } = await newBench();
  await setup.add(filesNamed('dropped.bin'));
  setup.uploads.comment(team, 'of the person');
  const staged = await setup.staging.stageStream('named.bin', bytesOf('named'));
  const ids = setup.uploads.add(team, [{ id: staged.id, path: '' }], { isTicked: false });
  await quietDraft(setup);
  const { id } = await setup.uploads.send(team, { ids, comment: 'of the command' });
  expect(await ended(setup, id)).toMatchObject({ state: 'done', counts: { done: 1 } });
  expect(repository.forms.map((form) => [form.files.map(({ name }) => name), valuesOf(form, 'comment')])).toEqual([
    [['named.bin'], ['of the command']],
  ]);
  expect([setup.files().map(({ name, isTicked }) => [name, isTicked]), setup.uploads.draft(team).comment]).toEqual([
    [['dropped.bin', true]],
    'of the person',
  ]);
});

test('named files still being read are not sent, and missing ones do not count', async () => {
  const { setup, repository } = await newBench(
    {},
    {
      facts: (real) => ({
        hash: (_files, signal) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        inspect: (...given) => real.inspect(...given),
        close: () => real.close(),
      }),
    },
  );
  const ids = await setup.add(filesNamed('a.bin'));
  await expect(setup.uploads.send(team, { ids, comment: '' })).rejects.toMatchObject({
    failure: { kind: 'draft-busy', files: 1 },
  });
  await setup.uploads.remove(team, { kind: 'files', ids });
  await expect(setup.uploads.send(team, { ids, comment: '' })).rejects.toMatchObject({
    failure: { kind: 'nothing-to-send' },
  });
  expect(repository.uploads()).toBe(0);
});

test('the token is a form field only when the workspace requires it', async () => {
  expect(defaultRepositoryOptions.tokenInForm).toBe(false);
  const { setup, repository } = await newBench({}, { repository: { tokenInForm: true } });
  const other = await newBench();
  for (const one of [setup, other.setup]) await sent(one, filesNamed('a.bin'));
  expect(valuesOf(repository.forms[0], 'token')).toEqual(['token-of-tests']);
  expect(valuesOf(other.repository.forms[0], 'token')).toEqual([]);
});

test.each(['say "hi".bin', 'Rechnung Ü 発票 🦠.pdf', 'semi;colon=x.bin', 'a\\b.bin', 'line\nbreak.bin'])(
  'a file named %j arrives as itself, beside another',
  async (name) => {
    const { setup, repository } = await newBench();
    const { id } = await setup.staging.stageStream(name, bytesOf('named'));
    setup.uploads.add(team, [{ id, path: '' }]);
    const job = await sent(setup, filesNamed('z.bin'));
    expect(job.counts.done).toBe(2);
    expect(repository.forms[0]?.files.map(({ md5 }) => md5)).toEqual([
      md5Of('named'),
      md5Of(filesNamed('z.bin')['z.bin'] ?? ''),
    ]);
    expect(repository.forms[0]?.files[0]?.name.replaceAll('%0A', '\n')).toBe(name);
  },
);

test('only ticked files are sent; the rest and the comment stay in the draft', async () => {
  const { setup, repository } = await newBench();
  const [first = 0] = await setup.add(filesNamed('a.bin', 'b.bin'));
  await quietDraft(setup);
  setup.uploads.comment(team, 'both');
  await setup.uploads.change(team, { kind: 'files', ids: [first] }, { isTicked: false });
  await sent(setup);
  expect(repository.forms.flatMap(({ files }) => files.map(({ name }) => name))).toEqual(['b.bin']);
  expect(setup.files()).toMatchObject([{ name: 'a.bin', isTicked: false }]);
  expect(setup.uploads.draft(team).comment).toBe('both');
});

test('copied files are removed from the disk once stored', async () => {
  const { setup } = await newBench();
  const staging = `${setup.options.folder}/data/staging`;
  await setup.add(filesNamed('a.bin', 'b.bin'));
  await quietDraft(setup);
  expect(await readdir(staging)).toHaveLength(2);
  await sent(setup);
  expect(await readdir(staging)).toEqual([]);
});

test('the journal has a row for each file with its options', async () => {
  const { setup } = await newBench();
  await setup.add({ 'a.bin': 'one', 'b.bin': 'two' });
  await quietDraft(setup);
  const [first] = setup.files();
  await setup.uploads.change(
    team,
    { kind: 'files', ids: [first?.id ?? 0] },
    { virusTotal: true, sandbox: true, tlp: 'clear' },
  );
  const { id } = await sent(setup);
  expect(setup.journalOf(md5Of('one'))).toMatchObject([
    {
      operation: 'upload',
      outcome: 'done',
      detail: { job: id, virusTotal: true, sandbox: true, tlp: 'clear', sizeBytes: 3, sha256: first?.sha256 },
    },
  ]);
  expect(setup.journalOf(md5Of('two'))).toMatchObject([
    { operation: 'upload', outcome: 'done', detail: { job: id, virusTotal: false, sandbox: false, tlp: null } },
  ]);
});

test('entries of sent files mention comment and tags, those of others do not, and none has their text', async () => {
  const { setup, repository } = await newBench({
    record: (_, response) => (response.writeHead(403).end('Not enough rights'), true),
  });
  await setup.add({ 'new.bin': 'new', 'known.bin': 'known' });
  await quietDraft(setup);
  await setup.uploads.change(team, { kind: 'all' }, { tlp: 'green', addTags: ['of-a-client', 'emotet'] });
  setup.uploads.comment(team, 'Seen at a client.');
  repository.stored.add(md5Of('known'));
  repository.script = {};
  await sent(setup);
  await setup.add({ 'plain.bin': 'plain' });
  await sent(setup);
  const filter: JournalFilter = { operations: ['upload'], workspaceId: null, find: '', from: null, before: null };
  const rows = (await setup.stores.journalReader.list({ filter, offset: 0, limit: 100 })).lines
    .map(({ row }) => row)
    .toReversed();
  await setup.stores.journalReader.close();
  const reported = (text: string): unknown[] =>
    rows.flatMap((row) =>
      row?.hash === md5Of(text) ? [[row.outcome, row.detail['withComment'], row.detail['tags']]] : [],
    );
  expect(reported('new')).toEqual([
    ['sending', true, 2],
    ['done', true, 2],
  ]);
  expect(reported('known')).toEqual([['already-here', false, null]]);
  expect(reported('plain')).toEqual([
    ['sending', false, null],
    ['done', false, null],
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/client|emotet/);
});

test('a sending that cannot be recorded leaves the draft unchanged, files included', async () => {
  let additions = 0;
  const { setup } = await newBench(
    {},
    {
      settings: { uploadFiles: 100 },
      jobs: (real) => ({
        create: (...given) => real.create(...given),
        begin: (id) => real.begin(id),
        forget: (id) => real.forget(id),
        add: (...given) => {
          additions += 1;
          if (additions === 2) throw new FailureError({ kind: 'disk-full', path: '/data' });
          return real.add(...given);
        },
      }),
    },
  );
  await addInPlace(setup, names(251));
  await quietDraft(setup);
  setup.uploads.comment(team, 'kept');
  await expect(setup.uploads.send(team)).rejects.toMatchObject({ failure: { kind: 'disk-full' } });
  expect((await quietDraft(setup)).map(({ name }) => name)).toEqual(names(251));
  expect(setup.uploads.draft(team)).toMatchObject({ comment: 'kept', toSend: { files: 251 } });
  expect(setup.jobs.list()).toEqual([]);
  const { id } = await setup.uploads.send(team);
  expect(await ended(setup, id)).toMatchObject({ state: 'done', counts: { done: 251 } });
});
