import { createHash, hash } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { archiveLimits } from '../../../shared/domain/opened-archive.ts';
import { FailureError } from '../../../shared/failure.ts';
import { rawZip } from '../../archive/raw-zip.fixture.ts';
import { madeBy } from '../../archive/zip-making.fixture.ts';
import { createTestAdditions, type TestAdditions } from './additions.fixture.ts';

const [one, two, three] = ['one', 'two', 'three'].map((text) => Buffer.from(`the bytes of ${text}`)) as [
  Buffer,
  Buffer,
  Buffer,
];
const contentTypes =
  '<Types><Override PartName="/word/document.xml" ' +
  'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes);
const heldIn = async ({ vault }: TestAdditions, bytes: Uint8Array): Promise<boolean> => {
  if (!(await vault.has(sha256Of(bytes)))) return false;
  const hasher = createHash('sha256');
  for await (const chunk of vault.read(sha256Of(bytes))) hasher.update(chunk);
  return hasher.digest('hex') === sha256Of(bytes);
};

test('an addition stores files with hashes, type, name and a journal entry, and keeps the originals', async () => {
  const setup = await createTestAdditions();
  const id = await setup.add({ 'a.txt': one, 'mail/b.pdf': Buffer.from('%PDF-1.4\n'), 'empty.bin': Buffer.alloc(0) });
  expect(await setup.ended(id)).toMatchObject({
    state: 'done',
    counts: { done: 2, failed: 1 },
    items: 3,
    noticeCount: 0,
  });
  expect(setup.outcomes(id)).toEqual(['a.txt: stored', 'mail/b.pdf: stored', 'empty.bin: empty file-empty']);
  expect(setup.files(id)[0]).toMatchObject({
    md5: hash('md5', one),
    sha1: hash('sha1', one),
    sha256: sha256Of(one),
    mime: 'text/plain',
    sizeBytes: one.length,
  });
  expect(setup.files(id)[1]).toMatchObject({ mime: 'application/pdf' });
  expect(await heldIn(setup, one)).toBe(true);
  expect(setup.stores.library.sample(sha256Of(one))).toMatchObject({
    row: { name: 'a.txt', vault: 'held', sizeBytes: one.length },
    names: [{ name: 'a.txt', path: '' }],
  });
  expect(setup.looked).toEqual([sha256Of(one), setup.files(id)[1]?.sha256]);
  expect(await setup.journal()).toEqual(['file-empty empty.bin', 'done a.txt', 'done b.pdf']);
  expect(await readdir(join(setup.base, 'files'))).toEqual(['a.txt', 'empty.bin', 'mail']);
});

test('an addition reports files with bytes already stored, and keeps both names', async () => {
  const setup = await createTestAdditions();
  await setup.ended(await setup.add({ 'first.exe': one }));
  const id = await setup.add({ 'second.exe': one, 'third.exe': two, 'fourth.exe': two });
  expect(await setup.ended(id)).toMatchObject({ counts: { done: 1, 'already-here': 2 } });
  expect(setup.outcomes(id)).toEqual(['second.exe: already-here', 'third.exe: stored', 'fourth.exe: already-here']);
  expect(
    setup.stores.library
      .sample(sha256Of(one))
      ?.names.map(({ name }) => name)
      .toSorted(),
  ).toEqual(['first.exe', 'second.exe']);
});

test('an addition stores a large file while reading it', async () => {
  const setup = await createTestAdditions();
  const large = Buffer.alloc(5 * 2 ** 20, 'vitrine');
  const id = await setup.add({ 'large.bin': large });
  await setup.ended(id);
  expect(setup.outcomes(id)).toEqual(['large.bin: stored']);
  expect(await heldIn(setup, large)).toBe(true);
});

test('an addition stores the members of a ZIP instead of it, also nested ones, each with its origin', async () => {
  const setup = await createTestAdditions();
  const inner = rawZip([{ name: 'deep.bin', plain: three }]);
  const id = await setup.add({
    'mail.zip': rawZip([
      { name: 'sub/one.bin', plain: one },
      { name: '..\\..\\two.exe', plain: two },
      { name: 'inner.zip', plain: inner },
    ]),
  });
  expect(await setup.ended(id)).toMatchObject({ state: 'done', counts: { done: 1 }, items: 1, noticeCount: 0 });
  expect(setup.outcomes(id)).toEqual([
    'mail.zip: opened (open 3)',
    'mail.zip!sub/one.bin: stored',
    'mail.zip!../../two.exe: stored',
    'mail.zip!inner.zip: opened (open 1)',
    'mail.zip!inner.zip!deep.bin: stored',
  ]);
  for (const bytes of [one, two, three]) expect(await heldIn(setup, bytes)).toBe(true);
  expect(await setup.vault.has(sha256Of(inner))).toBe(false);
  expect(setup.files(id)[2]).toMatchObject({
    name: 'two.exe',
    path: 'mail.zip!../..',
    remarks: [{ kind: 'name', trait: 'dotted' }],
  });
  expect(await readdir(join(setup.base, 'data', 'staging'))).toEqual([]);
});

test('an addition stores a ZIP unopened when archives stay closed, and always a document that is a ZIP', async () => {
  const setup = await createTestAdditions();
  const zip = rawZip([{ name: 'one.bin', plain: one }]);
  const document = rawZip([
    { name: '[Content_Types].xml', plain: Buffer.from(contentTypes) },
    { name: 'word/document.xml', plain: two },
  ]);
  const closed = await setup.add({ 'mail.zip': zip }, { opensArchives: false });
  const opened = await setup.add({ 'letter.docx': document });
  await setup.ended(closed);
  await setup.ended(opened);
  expect([setup.outcomes(closed), setup.outcomes(opened)]).toEqual([['mail.zip: stored'], ['letter.docx: stored']]);
});

test.each(['ZipCrypto', 'AES256'])(
  'an addition stores a ZIP that no known password opens (%s) unopened, and opens it with the right one',
  async (method) => {
    const setup = await createTestAdditions();
    const zip = await madeBy(`7z a -tzip -pMonday -mem=${method} out.zip one.bin two.bin >/dev/null`, {
      'one.bin': one,
      'two.bin': two,
    });
    const locked = await setup.add({ 'mail.zip': zip });
    expect(await setup.ended(locked)).toMatchObject({
      counts: { done: 1 },
      noticeCount: 0,
    });
    expect(setup.outcomes(locked)).toEqual([
      'mail.zip: stored (locked 2)',
      'mail.zip!one.bin: failed archive-password',
      'mail.zip!two.bin: failed archive-password',
    ]);
    expect(await heldIn(setup, zip)).toBe(true);
    expect(setup.additions.added(locked, { toSee: true, offset: 0, limit: 9 })).toMatchObject({
      total: 3,
      counts: { closed: 1, states: { failed: 2, stored: 1 } },
    });
    const open = await setup.add({ 'mail.zip': zip }, { passwords: ['Sunday', 'Monday'] });
    await setup.ended(open);
    expect(setup.outcomes(open)).toEqual([
      'mail.zip: opened (open 2)',
      'mail.zip!one.bin: stored',
      'mail.zip!two.bin: stored',
    ]);
  },
);

test('an addition stores an archive beside its members when one cannot be extracted', async () => {
  const setup = await createTestAdditions();
  const zip = rawZip([
    { name: 'good.bin', plain: one },
    { name: 'bad.bin', plain: two, crc32: 7 },
    { name: 'odd.bin', plain: two, method: 14, packed: Buffer.alloc(9, 1) },
  ]);
  const id = await setup.add({ 'mail.zip': zip });
  await setup.ended(id);
  expect(setup.outcomes(id)).toEqual([
    'mail.zip: stored (partly 3)',
    'mail.zip!good.bin: stored',
    'mail.zip!bad.bin: failed archive-damaged',
    'mail.zip!odd.bin: failed archive-unsupported',
  ]);
  expect([await heldIn(setup, zip), await heldIn(setup, one)]).toEqual([true, true]);
});

test('an addition stores an archive beside its members when it has bytes outside them', async () => {
  const setup = await createTestAdditions();
  const zip = Buffer.concat([rawZip([{ name: 'one.bin', plain: one }]), Buffer.alloc(100, 'x')]);
  const id = await setup.add({ 'mail.zip': zip });
  await setup.ended(id);
  expect(setup.outcomes(id)).toEqual(['mail.zip: stored (open 1)', 'mail.zip!one.bin: stored']);
  expect(await heldIn(setup, zip)).toBe(true);
});

test('an addition stores a file that only resembles a ZIP, and one without members, unopened', async () => {
  const setup = await createTestAdditions();
  const id = await setup.add({
    'broken.zip': Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(300, 1)]),
    'none.zip': rawZip([]),
  });
  await setup.ended(id);
  expect(setup.outcomes(id)).toEqual(['broken.zip: stored (refused 0 archive-damaged)', 'none.zip: stored (open 0)']);
});

test('an addition stores a program with an appended archive with its files; other programs alone', async () => {
  const setup = await createTestAdditions();
  const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(600, 0x90)]);
  const id = await setup.add({
    'setup.exe': Buffer.concat([program, rawZip([{ name: 'one.bin', plain: one }])]),
    'plain.exe': program,
    'odd.exe': Buffer.concat([program, Buffer.from('PK\u0005\u0006'), Buffer.alloc(18, 1)]),
  });
  await setup.ended(id);
  expect(setup.outcomes(id)).toEqual([
    'setup.exe: stored (open 1)',
    'setup.exe!one.bin: stored',
    'plain.exe: stored',
    'odd.exe: stored',
  ]);
  expect(setup.files(id)[0]?.archive?.remarks).toEqual([{ kind: 'bytes-in-front', bytes: program.length }]);
});

test('an addition reports a limit, and keeps what was read until then', async () => {
  const setup = await createTestAdditions({ archiveLimits: { ...archiveLimits, members: 3 } });
  const inner = rawZip([
    { name: 'c.bin', plain: three },
    { name: 'd.bin', plain: Buffer.from('d') },
  ]);
  const id = await setup.add({
    'mail.zip': rawZip([
      { name: 'a.bin', plain: one },
      { name: 'b.bin', plain: two },
      { name: 'inner.zip', plain: inner },
    ]),
  });
  await setup.ended(id);
  expect(setup.outcomes(id)).toEqual([
    'mail.zip: opened (open 3)',
    'mail.zip!a.bin: stored',
    'mail.zip!b.bin: stored',
    'mail.zip!inner.zip: stored (refused 0 archive-limit)',
  ]);
});

test('an addition stores archives nested too deep unopened', async () => {
  const setup = await createTestAdditions();
  let zip = rawZip([{ name: 'core.bin', plain: one }]);
  for (let level = 0; level < 9; level += 1) zip = rawZip([{ name: `level-${level}.zip`, plain: zip, method: 0 }]);
  const id = await setup.add({ 'mail.zip': zip });
  await setup.ended(id);
  expect(setup.outcomes(id).at(-1)).toMatch(/level-1\.zip: stored \(refused 0 archive-limit\)$/);
});

test('an addition reports a missing or changed file, and stores the others', async () => {
  const setup = await createTestAdditions();
  const [gone, changed] = [join(setup.base, 'gone'), join(setup.base, 'changed')];
  for (const path of [gone, changed]) await writeFile(path, one);
  const staged = await Promise.all([gone, changed].map((path) => setup.staging.stagePath(path)));
  await rm(gone);
  await writeFile(changed, 'other bytes');
  const job = setup.additions.draft(true);
  setup.additions.addFiles(
    job,
    staged.map(({ id }) => ({ id, path: '' })),
  );
  setup.additions.begin(job, []);
  expect(await setup.ended(job)).toMatchObject({ counts: { failed: 2 } });
  expect(setup.outcomes(job)).toEqual(['gone: failed file-gone', 'changed: failed file-changed']);
});

test('an addition without a file cannot begin, and one that has begun accepts no more', async () => {
  const setup = await createTestAdditions();
  expect(() => setup.additions.begin(setup.additions.draft(true), [])).toThrow(
    expect.objectContaining({ failure: { kind: 'nothing-selected' } }),
  );
  const id = await setup.add({ 'a.txt': one });
  expect(() => setup.additions.begin(id, [])).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ kind: 'job-state' }) }),
  );
  await setup.ended(id);
  setup.jobs.forget(id);
  expect(setup.additions.added(id, { toSee: false, offset: 0, limit: 9 }).total).toBe(0);
  expect(await heldIn(setup, one)).toBe(true);
});

test('an addition resumes an interrupted archive where it stopped, and reports no file twice', async () => {
  const first = await createTestAdditions();
  const zip = rawZip(
    Array.from({ length: 80 }, (_, index) => ({ name: `${index}.bin`, plain: Buffer.from(`${index}`) })),
  );
  const id = await first.add({ 'a.txt': one, 'mail.zip': zip });
  await vi.waitFor(() => expect(first.files(id).length).toBeGreaterThan(20), { interval: 1 });
  await first.close();
  const before = await createTestAdditions({ base: first.base, resumesUnfinished: false });
  expect(before.files(id).length).toBeLessThan(82);
  await before.close();
  const second = await createTestAdditions({ base: first.base });
  expect(await second.ended(id)).toMatchObject({ state: 'done', items: 2, counts: { done: 2 } });
  expect(second.outcomes(id)).toHaveLength(82);
  expect(second.outcomes(id).filter((outcome) => !/: stored$|: opened \(open 80\)$/.test(outcome))).toEqual([]);
  expect(new Set(await second.journal()).size).toBe((await second.journal()).length);
  expect(await second.journal()).toHaveLength(82);
  expect(await readdir(join(first.base, 'data', 'staging'))).toEqual([]);
});

test('an addition reports an archive that is no longer readable, and continues with the others', async () => {
  const setup = await createTestAdditions();
  const unread = new FailureError({ kind: 'disk-failed', path: '/given/mail.zip', code: 'EIO' });
  vi.spyOn(setup.staging, 'openAt')
    .mockRejectedValueOnce(unread)
    .mockImplementationOnce(async () => ({
      sizeBytes: 400,
      read: () => Promise.reject(unread),
      close: async () => {},
    }));
  const zip = rawZip([{ name: 'one.bin', plain: one }]);
  const id = await setup.add({
    'first.zip': zip,
    'second.zip': Buffer.concat([zip, Buffer.from('!')]),
    'third.txt': three,
  });
  expect(await setup.ended(id)).toMatchObject({ state: 'done', counts: { done: 3 } });
  expect(setup.outcomes(id)).toEqual([
    'first.zip: stored (refused 0 disk-failed)',
    'second.zip: stored (refused 0 disk-failed)',
    'third.txt: stored',
  ]);
});
