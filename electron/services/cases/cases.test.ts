import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type CaseFormat, caseFormat } from '../../../shared/domain/job.ts';
import { unfinishedNameOf } from '../../archive/export/export-manifest.ts';
import { recordWith } from '../../storage/testing/database.fixture.ts';
import { collected, eicar, filesHolding } from '../../vault/eicar.fixture.ts';
import { caseFileName } from './case-file.ts';
import { asked, createTestCases, everything, named, type TestCases } from './cases.fixture.ts';

let setup: TestCases;
beforeEach(async () => {
  setup = await createTestCases();
});
afterEach(() => setup.close());

const md5Only = 'd'.repeat(32);
const knowMd5 = (md5 = md5Only, record = recordWith({ md5, name: 'seen.exe' })): void =>
  void setup.stores.library.recordLookup({ workspaceId: 'lab', md5, record, outcome: 'done' });
const failing = (failure: object): object => ({ failure });
const know = (count: number): string[] => {
  const notes = Array.from({ length: count }, (_, at) => {
    const hex = (digits: number): string => (at + 1).toString(16).padStart(digits, '0');
    return {
      workspaceId: 'lab',
      md5: hex(32),
      hashes: { md5: hex(32), sha1: hex(40), sha256: hex(64) },
      sizeBytes: 1,
      outcome: 'done',
    };
  });
  for (let from = 0; from < count; from += 1000) setup.stores.library.recordUploads(notes.slice(from, from + 1000));
  return notes.map(({ hashes }) => hashes.sha256);
};

test.each(caseFormat.options)(
  '%s: one file has all data of the samples, one known by its MD5 alone among them',
  async (format) => {
    const sha256 = await setup.keep(Buffer.from('a sample'));
    const { md5 } = setup.stores.library.find(sha256) ?? expect.fail('not there');
    knowMd5();
    setup.stores.library.recordLookup({
      workspaceId: 'lab',
      md5: md5 ?? '',
      outcome: 'done',
      record: recordWith({
        md5,
        mime: 'application/pdf',
        listsComments: true,
        comments: [{ id: '1', parentId: null, author: 'ana', content: 'What the service says.', created: null }],
      }),
    });
    setup.stores.library.setNote(sha256, 'What this desk notes.');
    const job = await setup.written(named(sha256, md5 ?? '', md5Only), { format });
    expect(job).toMatchObject({
      state: 'done',
      items: 2,
      counts: { done: 2 },
      task: { kind: 'case-export', format, withSamples: false, result: caseFileName({ format, title: 'A case' }) },
    });
    const text = await setup.text();
    for (const part of [sha256, md5Only, 'What this desk notes.', 'What the service says.'])
      expect(text).toContain(part);
    if (format === 'misp' || format === 'stix') expect(text).toContain('application/pdf');
    if (format === 'html') expect(text).toContain('<path class="b-text"');
    expect(setup.journalOf(sha256)).toEqual([`done ${format} folder`]);
    expect(setup.journalOf(md5Only)).toEqual([`done ${format} folder`]);
  },
);

test('a case does not read what was not requested, and omits an own comment that never arrived', async () => {
  const sha256 = await setup.keep(Buffer.from('a sample'));
  const { md5 } = setup.stores.library.find(sha256) ?? expect.fail('not there');
  setup.stores.library.setNote(sha256, 'only here');
  const id = setup.stores.comments.begin('lab', md5 ?? '', { text: 'never sent', parentId: null });
  setup.stores.comments.settle(id, { state: 'failed', failure: { kind: 'cancelled' } });
  await setup.written(named(sha256), { format: 'jsonl' });
  expect(await setup.text()).not.toContain('never sent');
  await rm(setup.folder, { recursive: true });
  await mkdir(setup.folder);
  await setup.written(named(sha256), { format: 'jsonl', include: { notes: false, comments: false, hits: false } });
  expect(await setup.text()).not.toContain('only here');
});

test('a case of a job’s items has each sample once', async () => {
  const sha256 = await setup.keep(Buffer.from('a sample'));
  const { md5 } = setup.stores.library.find(sha256) ?? expect.fail('not there');
  const id = setup.jobs.create({ kind: 'bulk-download' }, null);
  setup.jobs.add(id, [
    { hash: sha256, sha256, md5 },
    { hash: md5 ?? '', md5 },
    { hash: 'e'.repeat(32), md5: 'e'.repeat(32) },
  ]);
  expect(await setup.written({ kind: 'job', id, filter: { states: [], find: '' } })).toMatchObject({
    items: 2,
    counts: { done: 1, unknown: 1 },
  });
  const prepared = await setup.cases.prepare({
    selection: { kind: 'job', id, filter: { states: [], find: '' } },
    options: asked,
  });
  expect(prepared).toMatchObject({ samples: 1, unknown: { count: 1, hashes: ['e'.repeat(32)] } });
});

test('a browser gets the same case, with its rows before it leaves', async () => {
  const sha256 = await setup.keep(Buffer.from('a sample'));
  const result = await setup.cases.prepare({ selection: everything, options: { ...asked, format: 'stix' } });
  expect(result).toMatchObject({ kind: 'browser', fileName: 'A case.stix.json' });
  const pieces = setup.offered().open()[Symbol.asyncIterator]();
  const first = await pieces.next();
  expect(setup.journalOf(sha256)).toEqual(['done stix browser']);
  await pieces.return?.();
  expect(setup.journalOf(sha256)).toEqual(['done stix browser', 'aborted stix browser']);
  expect(first.done).toBe(false);
  const whole = await collected(setup.offered().open());
  expect(z.object({ type: z.literal('bundle') }).safeParse(JSON.parse(whole.toString())).success).toBe(true);
  expect(setup.journalOf(sha256)).toHaveLength(3);
});

test('a case is refused without samples, without a folder or for a missing job', async () => {
  await expect(setup.written(named('f'.repeat(64)))).rejects.toMatchObject(failing({ kind: 'case-empty' }));
  await expect(setup.cases.prepare({ selection: everything, options: asked })).rejects.toMatchObject(
    failing({ kind: 'case-empty' }),
  );
  await expect(setup.cases.start({ selection: everything, options: asked }, null)).rejects.toMatchObject(
    failing({ kind: 'no-export-folder' }),
  );
  await expect(setup.written(everything, { format: 'misp', samples: { password: '' } })).rejects.toMatchObject(
    failing({ kind: 'password-empty' }),
  );
  expect(await readdir(setup.folder)).toEqual([]);
  for (const asking of [
    setup.cases.start(
      { selection: { kind: 'job', id: 9999, filter: { states: [], find: '' } }, options: asked },
      setup.folder,
    ),
    setup.cases.prepare({ selection: { kind: 'job', id: 9999, filter: { states: [], find: '' } }, options: asked }),
  ]) {
    await expect(asking).rejects.toMatchObject(failing({ kind: 'job-missing', id: 9999 }));
  }
  expect(setup.jobs.list()).toEqual([]);
});

test('a case over the limit of its format is refused', async () => {
  know(10_001);
  await expect(
    setup.cases.prepare({ selection: everything, options: { ...asked, format: 'misp' } }),
  ).rejects.toMatchObject(tooLarge);
});

test('a case over the limit of its format is refused, and tables have no such limit', { tags: ['long'] }, async () => {
  know(10_001);
  await expectTooLarge('misp');
  expect(await setup.cases.prepare({ selection: everything, options: { ...asked, format: 'jsonl' } })).toMatchObject({
    samples: 10_001,
  });
});

test('a table of more samples than another format may have is written completely', { tags: ['long'] }, async () => {
  know(10_001);
  expect(await setup.written(everything, { format: 'jsonl' })).toMatchObject({ counts: { done: 10_001 } });
});

test.each(['stix', 'markdown', 'html'] as const)(
  'a case over the limit of %s is refused',
  { tags: ['long'] },
  async (format) => {
    know(10_001);
    await expectTooLarge(format);
  },
);

const tooLarge = failing({ kind: 'case-too-large', found: 10_001, limit: 10_000 });

async function expectTooLarge(format: CaseFormat): Promise<void> {
  await expect(setup.written(everything, { format })).rejects.toMatchObject(tooLarge);
  await expect(setup.cases.prepare({ selection: everything, options: { ...asked, format } })).rejects.toMatchObject(
    tooLarge,
  );
  expect(await readdir(setup.folder)).toEqual([]);
}

test('a case omits samples that arrive during export: each sample in it has a row', async () => {
  const hashes = know(3);
  await setup.cases.prepare({ selection: everything, options: { ...asked, format: 'markdown' } });
  const later = await setup.keep(Buffer.from('came later'));
  setup.stores.library.setNote(later, 'came later');
  const text = (await collected(setup.offered().open())).toString();
  for (const sha256 of hashes) expect(text).toContain(sha256);
  expect(text).not.toContain('came later');
  expect(text).not.toContain(later);
  expect([...hashes, later].map(setup.journalOf)).toEqual([...hashes.map(() => ['done markdown browser']), []]);
});

test('the journal records the case, and its export by the command line', async () => {
  const sha256 = await setup.keep(Buffer.from('a sample'));
  await setup.written(named(sha256));
  for (const to of ['browser', 'command-line'] as const) {
    await setup.cases.prepare({ selection: named(sha256), options: asked }, to);
    await collected(setup.offered().open());
  }
  const rows = setup.stores.library
    .history(sha256)
    .filter(({ operation }) => operation === 'export')
    .map(({ detail }) => detail);
  expect(rows.toReversed()).toEqual(
    ['folder', 'browser', 'command-line'].map((to) => ({ of: 'case', to, form: 'csv', encryption: null })),
  );
});

test('a sample that gets its further hashes during export is in the case, and has its row', async () => {
  const bytes = Buffer.from('downloaded meanwhile');
  const md5 = createHash('md5').update(bytes).digest('hex');
  knowMd5(md5);
  await setup.cases.prepare({ selection: named(md5), options: asked });
  const sha256 = await setup.keep(bytes);
  expect((await collected(setup.offered().open())).toString()).toContain(sha256);
  expect(setup.journalOf(sha256)).toEqual(['done csv browser']);
});

test('a case to be downloaded reports what it omits', async () => {
  const sha256 = await setup.keep(Buffer.from('a sample'));
  const [absent = ''] = know(1);
  const unknown = ['e'.repeat(64), 'e'.repeat(32)];
  const selection = named(sha256, absent, ...unknown);
  expect(await setup.cases.prepare({ selection, options: asked })).toMatchObject({
    samples: 2,
    unknown: { count: 2, hashes: unknown },
    withoutBytes: 0,
  });
  expect(
    await setup.cases.prepare({ selection, options: { ...asked, format: 'misp', samples: { password: 'infected' } } }),
  ).toMatchObject({ withoutBytes: 1 });
  expect(await setup.cases.prepare({ selection: everything, options: asked })).toMatchObject({
    samples: 2,
    unknown: { count: 0, hashes: [] },
  });
});

test('no row claims that bytes left when they did not', async () => {
  const [sound, damaged] = [await setup.keep(Buffer.from('sound')), await setup.keep(Buffer.alloc(100_000, 7))];
  const [absent = ''] = know(1);
  await damage(damaged);
  await setup.cases.prepare({
    selection: everything,
    options: { ...asked, format: 'misp', samples: { password: 'infected' } },
  });
  expect(samplesIn((await collected(setup.offered().open())).toString())).toHaveLength(1);
  expect(setup.left).toMatchObject([
    {
      fileName: 'A case.misp.json',
      withoutBytes: 2,
      failure: { kind: expect.stringMatching(/^(vault-damaged|not-in-vault)$/) },
    },
  ]);
  expect([sound, damaged, absent].map(setup.journalOf)).toEqual([
    ['done misp browser zipcrypto'],
    ['done misp browser', 'vault-damaged misp browser'],
    ['done misp browser', 'not-in-vault misp browser'],
  ]);
});

test('the types of a page are the same whether it was made before or not', async () => {
  await setup.keep(Buffer.from('a sample'));
  const types = async (): Promise<unknown> => {
    await setup.cases.prepare({ selection: everything, options: { ...asked, format: 'html' } });
    return /<h2>Types<\/h2>.*?<\/section>/s.exec((await collected(setup.offered().open())).toString())?.[0];
  };
  const first = await types();
  expect(first).toContain('text');
  expect(first).not.toContain('not known');
  expect(await types()).toBe(first);
});

test('a case counts samples forgotten during export, and contains the rest', async () => {
  const [one = '', other = ''] = know(2);
  const { id } = await setup.cases.start({ selection: everything, options: asked }, setup.folder);
  setup.stores.library.forget([one], 'all');
  expect(await setup.ended(id)).toMatchObject({ state: 'done', counts: { done: 1, unknown: 1 } });
  expect([setup.journalOf(one), setup.journalOf(other)]).toEqual([[], ['done csv folder']]);
});

async function damage(sha256: string): Promise<void> {
  const { path } = setup.vault.sourceOf(sha256);
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 5000) ^ 1, bytes.length - 5000);
  await chmod(path, 0o600);
  await writeFile(path, bytes);
}

const run = promisify(execFile);
const attributes = z.object({
  Event: z.object({
    Object: z.array(
      z.object({
        Attribute: z.array(
          z.object({ type: z.string(), value: z.string(), to_ids: z.boolean(), data: z.string().optional() }),
        ),
      }),
    ),
  }),
});
const samplesIn = (event: string) =>
  attributes
    .parse(JSON.parse(event))
    .Event.Object.flatMap(({ Attribute }) => Attribute.filter(({ type }) => type === 'malware-sample'));

test('a case holds sample files only on request, and they open only with the password', async () => {
  const sha256 = await setup.keep(eicar);
  const { md5 = '' } = setup.stores.library.find(sha256) ?? {};
  setup.stores.library.recordLookup({
    workspaceId: 'lab',
    md5: md5 ?? '',
    outcome: 'done',
    record: recordWith({ md5, name: 'eicar|test.com' }),
  });
  await setup.written(everything, { format: 'misp' });
  expect(samplesIn(await setup.text())).toEqual([]);
  await rm(join(setup.folder, (await readdir(setup.folder))[0] ?? ''));

  const job = await setup.written(everything, { format: 'misp', samples: { password: 'infected' } });
  expect(job).toMatchObject({ task: { withSamples: true }, counts: { done: 1 }, noticeCount: 0 });
  const [attribute] = samplesIn(await setup.text());
  expect(attribute).toMatchObject({ value: String.raw`eicar\u007ctest.com|${md5}`, to_ids: true });
  expect(await filesHolding(setup.folder, eicar)).toEqual([]);
  expect(setup.journalOf(sha256)).toEqual(['done misp folder', 'done misp folder zipcrypto']);

  const zip = join(setup.folder, 'sample.zip');
  await writeFile(zip, Buffer.from(attribute?.data ?? '', 'base64'));
  const { stdout: listed } = await run('7z', ['l', '-slt', zip]);
  expect([...listed.matchAll(/^Path = (.+)$/gm)].map(([, path]) => path).slice(1)).toEqual([
    md5,
    `${md5}.filename.txt`,
  ]);
  expect([...listed.matchAll(/^Method = (.+)$/gm)].map(([, method]) => method)).toEqual([
    'ZipCrypto Store',
    'ZipCrypto Store',
  ]);
  const opened = async (name: string, password: string): Promise<Buffer> =>
    (await run('7z', ['e', '-so', `-p${password}`, zip, name], { encoding: 'buffer' })).stdout;
  expect((await opened(md5 ?? '', 'infected')).equals(eicar)).toBe(true);
  expect((await opened(`${md5}.filename.txt`, 'infected')).toString()).toBe(String.raw`eicar\u007ctest.com`);
  await expect(opened(md5 ?? '', 'wrong')).rejects.toThrow();
});

test('other case formats carry no sample files, whatever is ticked', async () => {
  const sha256 = await setup.keep(eicar);
  for (const format of ['stix', 'html'] as const)
    expect(await setup.written(everything, { format, samples: { password: 'infected' } })).toMatchObject({
      task: { withSamples: false },
    });
  expect(setup.journalOf(sha256)).toEqual(['done stix folder', 'done html folder']);
});

test('a missing, damaged or too large sample is in the case without its bytes, and is reported', async () => {
  const [sound, damaged] = [await setup.keep(Buffer.from('sound')), await setup.keep(Buffer.alloc(100_000, 7))];
  const [absent = ''] = know(1);
  await damage(damaged);
  const job = await setup.written(everything, { format: 'misp', samples: { password: 'infected' } });
  expect(job).toMatchObject({ state: 'done', counts: { done: 1, failed: 2 }, noticeCount: 2 });
  expect(job.notices.map(({ kind }) => kind).toSorted()).toEqual(['not-in-vault', 'vault-damaged']);
  expect(samplesIn(await setup.text())).toHaveLength(1);
  expect([sound, damaged, absent].map(setup.journalOf)).toEqual([
    ['done misp folder zipcrypto'],
    ['done misp folder'],
    ['done misp folder'],
  ]);
});

test('a cancelled case leaves nothing, and one whose folder is gone reports it', async () => {
  know(600);
  const { id } = await setup.cases.start({ selection: everything, options: asked }, setup.folder);
  setup.jobs.cancel(id);
  expect(await setup.ended(id)).toMatchObject({ state: 'cancelled', counts: { cancelled: 600 } });
  expect(await readdir(setup.folder)).toEqual([]);
  const gone = await setup.cases.start({ selection: everything, options: asked }, join(setup.folder, 'gone'));
  expect(await setup.ended(gone.id)).toMatchObject({ state: 'paused', failure: { kind: 'not-writable' } });
  await mkdir(join(setup.folder, 'gone'));
  setup.jobs.resume(gone.id);
  expect(await setup.ended(gone.id)).toMatchObject({ state: 'done', counts: { done: 600 } });
});

test('a case paused midway leaves nothing, and is written completely when resumed', async () => {
  const hashes = know(1_500);
  const { id } = await setup.cases.start({ selection: everything, options: asked }, setup.folder);
  const unfinished = join(setup.folder, unfinishedNameOf(setup.stores.backups.installationId, id));
  await expect
    .poll(async () => (await stat(unfinished).catch(() => ({ size: 0 }))).size, { interval: 1, timeout: 10_000 })
    .toBeGreaterThan(0);
  setup.jobs.pause(id);
  expect(await setup.ended(id)).toMatchObject({ state: 'paused', counts: { waiting: 1_500 } });
  expect(await readdir(setup.folder)).toEqual([]);
  setup.jobs.resume(id);
  await setup.ended(id);
  expect((await setup.text()).split('\r\n')).toHaveLength(1_502);
  expect(setup.journalOf(hashes[0] ?? '').at(-1)).toBe('done csv folder');
});
