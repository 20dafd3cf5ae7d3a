import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiveLimits } from '../../../shared/domain/opened-archive.ts';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { rawZip } from '../../archive/raw-zip.fixture.ts';
import { madeBy, madeByPython } from '../../archive/zip-making.fixture.ts';
import {
  bytesOf,
  filesNamed,
  insteadOf,
  newBench,
  outcomesOf,
  quietDraft,
  reopened,
  sent,
} from './upload-bench.fixture.ts';
import { team, type UploadDesk } from './upload-desk.fixture.ts';

const members = (files: readonly UploadFile[]): UploadFile[] => files.filter(({ parentId }) => parentId !== null);
const stagedIn = (desk: UploadDesk): Promise<string[]> => readdir(join(desk.options.folder, 'data', 'staging'));
const two = filesNamed('one.bin', 'two.bin');
const twoFiles = Object.fromEntries(Object.entries(two).map(([name, text]) => [name, Buffer.from(text)]));

test('the members of a ZIP stand below it, are known and sent, and the ZIP is not', async () => {
  const { desk, repository } = await newBench();
  await desk.add({
    'mail.zip': await madeBy('mkdir -p sub; mv two.bin sub/; zip -q -r out.zip one.bin sub', twoFiles),
  });
  const files = await quietDraft(desk);
  expect(files).toMatchObject([
    { name: 'mail.zip', isTicked: false, archive: { state: 'open', members: 2, failure: null } },
    { name: 'one.bin', path: '', state: 'ready', presence: 'new', isTicked: true },
    { name: 'two.bin', path: 'sub', state: 'ready', presence: 'new' },
  ]);
  const job = await sent(desk);
  expect(await outcomesOf(desk, job.id)).toEqual({ 'one.bin': 'done', 'two.bin': 'done' });
  expect(repository.forms[0]?.files.map(({ name }) => name)).toEqual(['one.bin', 'two.bin']);
});

test('a ZIP of which all is sent leaves the draft with its members, and its bytes go', async () => {
  const { desk } = await newBench();
  await desk.add({ 'mail.zip': await madeBy('zip -q out.zip one.bin two.bin', twoFiles) });
  const [, one] = await quietDraft(desk);
  const target = { kind: 'files' as const, ids: [one?.id ?? 0] };
  await desk.uploads.change(team, target, { isTicked: false });
  await sent(desk);
  expect(desk.files().map(({ name }) => name)).toEqual(['mail.zip', 'one.bin']);
  await desk.uploads.change(team, target, { isTicked: true });
  await sent(desk);
  expect(desk.files()).toEqual([]);
  expect(await stagedIn(desk)).toEqual([]);
});

const usual = ['infected', 'malware', 'virus'].flatMap((password) => [
  { password, method: 'ZipCrypto' },
  { password, method: 'AES256' },
]);

test.each(usual)('a ZIP with the password $password ($method) opens by itself', async ({ password, method }) => {
  const { desk } = await newBench();
  await desk.add({
    'mail.zip': await madeBy(`7z a -tzip -p${password} -mem=${method} out.zip one.bin two.bin >/dev/null`, twoFiles),
  });
  expect(members(await quietDraft(desk))).toMatchObject([
    { name: 'one.bin', state: 'ready' },
    { name: 'two.bin', state: 'ready' },
  ]);
});

test.each(['ZipCrypto', 'AES256'])(
  'a ZIP with another password (%s) waits for it; a wrong one is told at once and changes nothing',
  async (method) => {
    const { desk } = await newBench();
    const [id = 0] = await desk.add({
      'mail.zip': await madeBy(`7z a -tzip -pMonday -mem=${method} out.zip one.bin two.bin >/dev/null`, twoFiles),
    });
    expect(await quietDraft(desk)).toMatchObject([{ archive: { state: 'locked', members: 0 }, isTicked: true }]);
    await expect(desk.uploads.openArchive(id, 'Tuesday')).rejects.toMatchObject({
      failure: { kind: 'archive-password' },
    });
    expect(await quietDraft(desk)).toMatchObject([{ archive: { state: 'locked', members: 0 } }]);
    await desk.uploads.openArchive(id, 'Monday');
    expect(members(await quietDraft(desk))).toMatchObject([
      { name: 'one.bin', state: 'ready' },
      { name: 'two.bin', state: 'ready' },
    ]);
    await expect(desk.uploads.openArchive(id, 'Monday')).rejects.toMatchObject({
      failure: { kind: 'upload-file-missing' },
    });
  },
);

test('the password of the settings opens an archive too', async () => {
  const { desk } = await newBench({}, { settings: { exportPassword: 'Monday' } });
  await desk.add({ 'mail.zip': await madeBy('7z a -tzip -pMonday -mem=AES256 out.zip one.bin >/dev/null', twoFiles) });
  expect(members(await quietDraft(desk))).toMatchObject([{ name: 'one.bin', state: 'ready' }]);
});

test('of members with different passwords each is opened that can be, and the others say so', async () => {
  const { desk } = await newBench();
  await desk.add({
    'mail.zip': await madeBy(
      '7z a -tzip -pinfected out.zip one.bin >/dev/null; 7z a -tzip -pMonday out.zip two.bin >/dev/null',
      twoFiles,
    ),
  });
  const files = await quietDraft(desk);
  expect(files[0]).toMatchObject({ archive: { state: 'open', members: 2 }, isTicked: false });
  expect(members(files)).toMatchObject([
    { name: 'one.bin', state: 'ready' },
    { name: 'two.bin', state: 'unreadable', failure: { kind: 'archive-password' } },
  ]);
});

test('thirty members and a copy of a dropped file have a row each, with tags and TLP of the archive', async () => {
  const { desk } = await newBench();
  const names = Array.from({ length: 30 }, (_, index) => `file-${index}.bin`);
  const inside = Object.fromEntries(
    Object.entries(filesNamed(...names)).map(([name, text]) => [name, Buffer.from(text)]),
  );
  await desk.add({ 'file-7.bin': filesNamed('file-7.bin')['file-7.bin'] ?? '' });
  await desk.add({
    'mail.zip': await madeByPython(
      'z = zipfile.ZipFile("out.zip", "w")\n[z.write("file-%d.bin" % i) for i in range(30)]\nz.close()',
      inside,
    ),
  });
  const files = await quietDraft(desk);
  expect(members(files).map(({ name }) => name)).toEqual(names);
  expect(members(files).filter(({ state }) => state === 'same')).toMatchObject([
    { name: 'file-7.bin', sameAs: files[0]?.id },
  ]);
  expect(desk.uploads.draft(team)).toMatchObject({ toSend: { files: 30 } });
});

test('a name is a label: members of any name are rows like others, with a remark; a link is not ticked', async () => {
  const { desk } = await newBench();
  await desk.add({
    'mail.zip': rawZip([
      { name: '../../evil.sh', plain: Buffer.from('x') },
      { name: 'sound.bin', plain: Buffer.from('sound') },
      { name: 'link', plain: Buffer.from('/etc/passwd'), mode: 0o120777 },
    ]),
  });
  const files = members(await quietDraft(desk));
  expect(files).toMatchObject([
    { name: 'evil.sh', path: '../..', state: 'ready', isTicked: true, remarks: [{ kind: 'name', trait: 'dotted' }] },
    { name: 'sound.bin', state: 'ready', isTicked: true, remarks: [] },
    { name: 'link', state: 'ready', isTicked: false, remarks: [{ kind: 'link' }] },
  ]);
  expect(await stagedIn(desk)).toHaveLength(4);
});

test('a ZIP in a ZIP is sent as it is', async () => {
  const { desk } = await newBench();
  const inner = rawZip([{ name: 'one.bin', plain: Buffer.from('one') }]);
  await desk.add({ 'mail.zip': rawZip([{ name: 'inner.zip', plain: inner }]) });
  expect(members(await quietDraft(desk))).toMatchObject([
    { name: 'inner.zip', archive: null, state: 'ready', isTicked: true },
  ]);
});

test('a document is no archive', async () => {
  const { desk } = await newBench();
  const types =
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Override PartName="/word/document.xml" ' +
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
  await desk.add({
    'letter.docx': rawZip([
      { name: '[Content_Types].xml', plain: Buffer.from(types) },
      { name: 'word/document.xml', plain: Buffer.from('<w:document/>') },
    ]),
  });
  expect(await quietDraft(desk)).toMatchObject([{ name: 'letter.docx', archive: null, isTicked: true }]);
});

test('an archive with more members than one may have is opened up to there, and says which limit', async () => {
  const { desk } = await newBench({}, { archiveLimits: { ...archiveLimits, members: 40 } });
  await desk.add({ 'many.zip': manyMembers(60) });
  const files = await quietDraft(desk);
  expect(files[0]).toMatchObject({
    archive: { state: 'open', members: 40, failure: { kind: 'archive-limit', limit: 'members' } },
  });
  expect(members(files).map(({ state }) => state)).toEqual(Array.from({ length: 40 }, () => 'ready'));
});

test('a bomb is not unpacked, and says which limit', async () => {
  const { desk } = await newBench({}, { archiveLimits: { ...archiveLimits, expansionFreeBytes: 1_000_000 } });
  await desk.add({ 'bomb.zip': rawZip([{ name: 'bomb.bin', plain: Buffer.alloc(20_000_000) }]) });
  const [archive] = await quietDraft(desk);
  expect(archive?.archive).toMatchObject({
    state: 'refused',
    members: 0,
    failure: { kind: 'archive-limit', limit: 'expansion' },
  });
  expect(await stagedIn(desk)).toHaveLength(1);
});

test('what is no sound archive is said to be that, and can be sent as it is', async () => {
  const { desk } = await newBench();
  const sound = rawZip([{ name: 'one.bin', plain: Buffer.from('one') }]);
  await desk.add({ 'cut.zip': sound.subarray(0, 35) });
  expect(await quietDraft(desk)).toMatchObject([
    {
      archive: { state: 'refused', members: 0, failure: { kind: expect.stringMatching(/^archive-/) } },
      isTicked: true,
    },
  ]);
  expect(await sent(desk)).toMatchObject({ counts: { done: 1 } });
});

test('an archive without its directory gives the members that are there, and says so', async () => {
  const { desk } = await newBench();
  const sound = rawZip([{ name: 'one.bin', plain: Buffer.from('one') }]);
  await desk.add({ 'cut.zip': sound.subarray(0, sound.length - 30) });
  expect(await quietDraft(desk)).toMatchObject([
    { archive: { state: 'open', members: 1 }, isTicked: false, remarks: [{ kind: 'no-directory' }] },
    { name: 'one.bin', state: 'ready', isTicked: true },
  ]);
});

test('what has an archive behind it is sent itself; its members are offered', async () => {
  const { desk } = await newBench();
  await desk.add({
    'setup.exe': Buffer.concat([
      Buffer.from('MZ'),
      Buffer.alloc(998),
      rawZip([{ name: 'one.bin', plain: Buffer.from('one') }]),
    ]),
  });
  expect(await quietDraft(desk)).toMatchObject([
    { isTicked: true, archive: { state: 'open', members: 1 }, remarks: [{ kind: 'bytes-in-front', bytes: 1000 }] },
    { name: 'one.bin', isTicked: false },
  ]);
});

test('a copy of an archive is opened where each is to be, and never where none is', async () => {
  const { desk } = await newBench();
  const zip = rawZip([{ name: 'one.bin', plain: Buffer.from('one') }]);
  const add = async (name: string, archives?: 'each' | 'never'): Promise<void> => {
    const { id } = await desk.staging.stageStream(name, bytesOf(zip));
    desk.uploads.add(team, [{ id, path: '' }], archives === undefined ? {} : { archives });
    await quietDraft(desk);
  };
  await add('none.zip', 'never');
  expect(await quietDraft(desk)).toMatchObject([{ name: 'none.zip', archive: null, isTicked: true }]);
  await add('first.zip', 'each');
  await add('second.zip', 'each');
  await add('third.zip');
  const found = (await quietDraft(desk)).map(({ name, state, archive }) => [name, state, archive?.state]);
  expect(found).toEqual([
    ['none.zip', 'ready', undefined],
    ['first.zip', 'same', 'open'],
    ['one.bin', 'ready', undefined],
    ['second.zip', 'same', 'open'],
    ['one.bin', 'same', undefined],
    ['third.zip', 'same', undefined],
  ]);
});

test('passwords that come with a file open it, whichever it needs', async () => {
  const { desk } = await newBench();
  const zip = await madeBy('7z a -tzip -pTuesday out.zip one.bin >/dev/null', twoFiles);
  const { id } = await desk.staging.stageStream('mail.zip', bytesOf(zip));
  desk.uploads.add(team, [{ id, path: '' }], { passwords: ['Monday', 'Tuesday'] });
  expect(members(await quietDraft(desk))).toMatchObject([{ name: 'one.bin', state: 'ready' }]);
});

test('names of an old archive are guessed, then decoded as chosen, with all else unchanged', async () => {
  const { desk } = await newBench();
  const names = ['90bf8b818f91', '975c955c8f5c2e747874'].map((hex) => Buffer.from(hex, 'hex'));
  const [id = 0] = await desk.add({
    'old.zip': rawZip(names.map((name, index) => ({ name, plain: Buffer.from(`bytes of ${index}`) }))),
  });
  const files = await quietDraft(desk);
  expect(files).toMatchObject([
    { archive: { nameEncoding: 'shift_jis' } },
    { name: '請求書' },
    { name: '予表十.txt', path: '' },
  ]);
  await desk.uploads.remove(team, { kind: 'files', ids: [files[1]?.id ?? 0] });
  await desk.uploads.change(team, { kind: 'files', ids: [files[2]?.id ?? 0] }, { addTags: ['family:x'] });
  await desk.uploads.readNames(id, 'cp437');
  expect(await quietDraft(desk)).toMatchObject([
    { archive: { state: 'open', nameEncoding: 'cp437' } },
    { id: files[2]?.id, name: 'ò\\Å\\.txt'.split('\\').at(-1), tags: ['family:x'], state: 'ready' },
  ]);
  await expect(desk.uploads.readNames(files[2]?.id ?? 0, 'cp437')).rejects.toMatchObject({
    failure: { kind: 'upload-file-missing' },
  });
});

const manyMembers = (count: number): Buffer =>
  rawZip(
    Array.from({ length: count }, (_, index) => ({
      name: `file-${index}.bin`,
      plain: Buffer.from(`the bytes of ${index}`),
    })),
  );

test('an archive that was being opened is opened from the start after a restart, with no member twice', async () => {
  const { desk } = await newBench(
    {},
    {
      staging: (real) =>
        insteadOf(real, {
          stageStream: async (name, bytes) => (name === 'file-140.bin' ? stuck() : real.stageStream(name, bytes)),
        }),
    },
  );
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<never>();
  const stuck = (): Promise<never> => {
    reached.resolve();
    return goOn.promise;
  };
  await desk.add({ 'mail.zip': manyMembers(160) });
  await reached.promise;
  // They are added while the next ones are read.
  await expect.poll(() => members(desk.files())).toHaveLength(128);
  const closing = desk.close();
  goOn.reject(new Error('the program ends'));
  await closing;
  const again = await reopened(desk, { staging: (real) => real });
  const files = members(await quietDraft(again));
  expect(files.map(({ name }) => name)).toEqual(Array.from({ length: 160 }, (_, index) => `file-${index}.bin`));
  expect(await stagedIn(again)).toHaveLength(161);
});

test('a program that ends does not wait for a large member', async () => {
  let given = 0;
  const reached = Promise.withResolvers<void>();
  const { desk } = await newBench(
    {},
    {
      staging: (real) =>
        insteadOf(real, {
          stageStream: async (name, bytes) => {
            if (name !== 'large.bin') return real.stageStream(name, bytes);
            for await (const chunk of bytes) {
              given += chunk.length;
              reached.resolve();
              void desk.close();
            }
            return real.stageStream(name, bytesOf('all of it'));
          },
        }),
    },
  );
  const large = Buffer.alloc(20_000_000, 'incompressible?');
  await desk.add({ 'mail.zip': rawZip([{ name: 'large.bin', plain: large, method: 0 }]) });
  await reached.promise;
  await desk.close();
  expect(given).toBeLessThan(large.length / 2);
});

test('members of an archive that is removed while it is opened leave nothing on the disk', async () => {
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const { desk } = await newBench(
    {},
    {
      staging: (real) =>
        insteadOf(real, {
          stageStream: async (name, bytes) => {
            if (name === 'file-40.bin') {
              reached.resolve();
              await goOn.promise;
            }
            return real.stageStream(name, bytes);
          },
        }),
    },
  );
  const [id = 0] = await desk.add({ 'mail.zip': manyMembers(60) });
  await reached.promise;
  await desk.uploads.remove(team, { kind: 'files', ids: [id] });
  expect(desk.files()).toEqual([]);
  goOn.resolve();
  await expect.poll(() => stagedIn(desk)).toEqual([]);
  await desk.add(filesNamed('next.bin'));
  expect(await quietDraft(desk)).toMatchObject([{ name: 'next.bin', state: 'ready' }]);
});

test('an archive that is removed takes its members from the disk', async () => {
  const { desk } = await newBench();
  const [id = 0] = await desk.add({ 'mail.zip': manyMembers(5) });
  await quietDraft(desk);
  expect(await stagedIn(desk)).toHaveLength(6);
  await desk.uploads.remove(team, { kind: 'files', ids: [id] });
  expect(await stagedIn(desk)).toEqual([]);
});

test('all names under which the same bytes were sent are those of the sample', async () => {
  const { desk } = await newBench();
  await desk.add({ 'alone.bin': 'the bytes' });
  await desk.add({
    'mail.zip': rawZip([
      { name: 'in/one.bin', plain: Buffer.from('the bytes') },
      { name: 'two.bin', plain: Buffer.from('the bytes') },
    ]),
  });
  const [{ sha256 } = { sha256: null }] = await quietDraft(desk);
  await sent(desk);
  const names = (desk.stores.library.sample(sha256 ?? '')?.names ?? []).map(({ name, path }) => `${path}/${name}`);
  expect(names.toSorted()).toEqual(['/alone.bin', 'mail.zip!/two.bin', 'mail.zip!in/one.bin']);
});
