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
import { team, type TestUploads } from './uploads.fixture.ts';

const members = (files: readonly UploadFile[]): UploadFile[] => files.filter(({ parentId }) => parentId !== null);
const stagedIn = (setup: TestUploads): Promise<string[]> => readdir(join(setup.options.folder, 'data', 'staging'));
const two = filesNamed('one.bin', 'two.bin');
const twoFiles = Object.fromEntries(Object.entries(two).map(([name, text]) => [name, Buffer.from(text)]));

test('the members of a ZIP are listed below it, looked up and sent, and the ZIP is not', async () => {
  const { setup, repository } = await newBench();
  await setup.add({
    'mail.zip': await madeBy('mkdir -p sub; mv two.bin sub/; zip -q -r out.zip one.bin sub', twoFiles),
  });
  const files = await quietDraft(setup);
  expect(files).toMatchObject([
    { name: 'mail.zip', isTicked: false, archive: { state: 'open', members: 2, failure: null } },
    { name: 'one.bin', path: '', state: 'ready', presence: 'new', isTicked: true },
    { name: 'two.bin', path: 'sub', state: 'ready', presence: 'new' },
  ]);
  const job = await sent(setup);
  expect(await outcomesOf(setup, job.id)).toEqual({ 'one.bin': 'done', 'two.bin': 'done' });
  expect(repository.forms[0]?.files.map(({ name }) => name)).toEqual(['one.bin', 'two.bin']);
});

test('a ZIP sent completely leaves the draft with its members, and its bytes are removed', async () => {
  const { setup } = await newBench();
  await setup.add({ 'mail.zip': await madeBy('zip -q out.zip one.bin two.bin', twoFiles) });
  const [, one] = await quietDraft(setup);
  const target = { kind: 'files' as const, ids: [one?.id ?? 0] };
  await setup.uploads.change(team, target, { isTicked: false });
  await sent(setup);
  expect(setup.files().map(({ name }) => name)).toEqual(['mail.zip', 'one.bin']);
  await setup.uploads.change(team, target, { isTicked: true });
  await sent(setup);
  expect(setup.files()).toEqual([]);
  expect(await stagedIn(setup)).toEqual([]);
});

const usual = ['infected', 'malware', 'virus'].flatMap((password) => [
  { password, method: 'ZipCrypto' },
  { password, method: 'AES256' },
]);

test.each(usual)('a ZIP with the password $password ($method) opens automatically', async ({ password, method }) => {
  const { setup } = await newBench();
  await setup.add({
    'mail.zip': await madeBy(`7z a -tzip -p${password} -mem=${method} out.zip one.bin two.bin >/dev/null`, twoFiles),
  });
  expect(members(await quietDraft(setup))).toMatchObject([
    { name: 'one.bin', state: 'ready' },
    { name: 'two.bin', state: 'ready' },
  ]);
});

test.each(['ZipCrypto', 'AES256'])(
  'a ZIP with another password (%s) waits for it; a wrong one is reported at once and changes nothing',
  async (method) => {
    const { setup } = await newBench();
    const [id = 0] = await setup.add({
      'mail.zip': await madeBy(`7z a -tzip -pMonday -mem=${method} out.zip one.bin two.bin >/dev/null`, twoFiles),
    });
    expect(await quietDraft(setup)).toMatchObject([{ archive: { state: 'locked', members: 0 }, isTicked: true }]);
    await expect(setup.uploads.openArchive(id, 'Tuesday')).rejects.toMatchObject({
      failure: { kind: 'archive-password' },
    });
    expect(await quietDraft(setup)).toMatchObject([{ archive: { state: 'locked', members: 0 } }]);
    await setup.uploads.openArchive(id, 'Monday');
    expect(members(await quietDraft(setup))).toMatchObject([
      { name: 'one.bin', state: 'ready' },
      { name: 'two.bin', state: 'ready' },
    ]);
    await expect(setup.uploads.openArchive(id, 'Monday')).rejects.toMatchObject({
      failure: { kind: 'upload-file-missing' },
    });
  },
);

test('the password of the settings opens an archive too', async () => {
  const { setup } = await newBench({}, { settings: { exportPassword: 'Monday' } });
  await setup.add({ 'mail.zip': await madeBy('7z a -tzip -pMonday -mem=AES256 out.zip one.bin >/dev/null', twoFiles) });
  expect(members(await quietDraft(setup))).toMatchObject([{ name: 'one.bin', state: 'ready' }]);
});

test('members with different passwords are opened as far as possible, and the others report it', async () => {
  const { setup } = await newBench();
  await setup.add({
    'mail.zip': await madeBy(
      '7z a -tzip -pinfected out.zip one.bin >/dev/null; 7z a -tzip -pMonday out.zip two.bin >/dev/null',
      twoFiles,
    ),
  });
  const files = await quietDraft(setup);
  expect(files[0]).toMatchObject({ archive: { state: 'open', members: 2 }, isTicked: false });
  expect(members(files)).toMatchObject([
    { name: 'one.bin', state: 'ready' },
    { name: 'two.bin', state: 'unreadable', failure: { kind: 'archive-password' } },
  ]);
});

test('thirty members and a copy of a dropped file have a row each, with tags and TLP of the archive', async () => {
  const { setup } = await newBench();
  const names = Array.from({ length: 30 }, (_, index) => `file-${index}.bin`);
  const inside = Object.fromEntries(
    Object.entries(filesNamed(...names)).map(([name, text]) => [name, Buffer.from(text)]),
  );
  await setup.add({ 'file-7.bin': filesNamed('file-7.bin')['file-7.bin'] ?? '' });
  await setup.add({
    'mail.zip': await madeByPython(
      'z = zipfile.ZipFile("out.zip", "w")\n[z.write("file-%d.bin" % i) for i in range(30)]\nz.close()',
      inside,
    ),
  });
  const files = await quietDraft(setup);
  expect(members(files).map(({ name }) => name)).toEqual(names);
  expect(members(files).filter(({ state }) => state === 'same')).toMatchObject([
    { name: 'file-7.bin', sameAs: files[0]?.id },
  ]);
  expect(setup.uploads.draft(team)).toMatchObject({ toSend: { files: 30 } });
});

test('a name is a label: members of any name are rows like others, with a remark; a link is not ticked', async () => {
  const { setup } = await newBench();
  await setup.add({
    'mail.zip': rawZip([
      { name: '../../evil.sh', plain: Buffer.from('x') },
      { name: 'sound.bin', plain: Buffer.from('sound') },
      { name: 'link', plain: Buffer.from('/etc/passwd'), mode: 0o120777 },
    ]),
  });
  const files = members(await quietDraft(setup));
  expect(files).toMatchObject([
    { name: 'evil.sh', path: '../..', state: 'ready', isTicked: true, remarks: [{ kind: 'name', trait: 'dotted' }] },
    { name: 'sound.bin', state: 'ready', isTicked: true, remarks: [] },
    { name: 'link', state: 'ready', isTicked: false, remarks: [{ kind: 'link' }] },
  ]);
  expect(await stagedIn(setup)).toHaveLength(4);
});

test('a ZIP in a ZIP is sent as it is', async () => {
  const { setup } = await newBench();
  const inner = rawZip([{ name: 'one.bin', plain: Buffer.from('one') }]);
  await setup.add({ 'mail.zip': rawZip([{ name: 'inner.zip', plain: inner }]) });
  expect(members(await quietDraft(setup))).toMatchObject([
    { name: 'inner.zip', archive: null, state: 'ready', isTicked: true },
  ]);
});

test('a document is no archive', async () => {
  const { setup } = await newBench();
  const types =
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Override PartName="/word/document.xml" ' +
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
  await setup.add({
    'letter.docx': rawZip([
      { name: '[Content_Types].xml', plain: Buffer.from(types) },
      { name: 'word/document.xml', plain: Buffer.from('<w:document/>') },
    ]),
  });
  expect(await quietDraft(setup)).toMatchObject([{ name: 'letter.docx', archive: null, isTicked: true }]);
});

test('an archive with too many members is opened up to the limit, and names it', async () => {
  const { setup } = await newBench({}, { archiveLimits: { ...archiveLimits, members: 40 } });
  await setup.add({ 'many.zip': manyMembers(60) });
  const files = await quietDraft(setup);
  expect(files[0]).toMatchObject({
    archive: { state: 'open', members: 40, failure: { kind: 'archive-limit', limit: 'members' } },
  });
  expect(members(files).map(({ state }) => state)).toEqual(Array.from({ length: 40 }, () => 'ready'));
});

test('a bomb is not unpacked, and its limit is named', async () => {
  const { setup } = await newBench({}, { archiveLimits: { ...archiveLimits, expansionFreeBytes: 1_000_000 } });
  await setup.add({ 'bomb.zip': rawZip([{ name: 'bomb.bin', plain: Buffer.alloc(20_000_000) }]) });
  const [archive] = await quietDraft(setup);
  expect(archive?.archive).toMatchObject({
    state: 'refused',
    members: 0,
    failure: { kind: 'archive-limit', limit: 'expansion' },
  });
  expect(await stagedIn(setup)).toHaveLength(1);
});

test('a damaged archive is reported as such, and can be sent as it is', async () => {
  const { setup } = await newBench();
  const sound = rawZip([{ name: 'one.bin', plain: Buffer.from('one') }]);
  await setup.add({ 'cut.zip': sound.subarray(0, 35) });
  expect(await quietDraft(setup)).toMatchObject([
    {
      archive: { state: 'refused', members: 0, failure: { kind: expect.stringMatching(/^archive-/) } },
      isTicked: true,
    },
  ]);
  expect(await sent(setup)).toMatchObject({ counts: { done: 1 } });
});

test('an archive without its directory lists the members that exist, and reports it', async () => {
  const { setup } = await newBench();
  const sound = rawZip([{ name: 'one.bin', plain: Buffer.from('one') }]);
  await setup.add({ 'cut.zip': sound.subarray(0, sound.length - 30) });
  expect(await quietDraft(setup)).toMatchObject([
    { archive: { state: 'open', members: 1 }, isTicked: false, remarks: [{ kind: 'no-directory' }] },
    { name: 'one.bin', state: 'ready', isTicked: true },
  ]);
});

test('a file with an appended archive is sent itself; its members are offered', async () => {
  const { setup } = await newBench();
  await setup.add({
    'setup.exe': Buffer.concat([
      Buffer.from('MZ'),
      Buffer.alloc(998),
      rawZip([{ name: 'one.bin', plain: Buffer.from('one') }]),
    ]),
  });
  expect(await quietDraft(setup)).toMatchObject([
    { isTicked: true, archive: { state: 'open', members: 1 }, remarks: [{ kind: 'bytes-in-front', bytes: 1000 }] },
    { name: 'one.bin', isTicked: false },
  ]);
});

test('a copy of an archive is opened when every archive is to be, and never when none is', async () => {
  const { setup } = await newBench();
  const zip = rawZip([{ name: 'one.bin', plain: Buffer.from('one') }]);
  const add = async (name: string, archives?: 'each' | 'never'): Promise<void> => {
    const { id } = await setup.staging.stageStream(name, bytesOf(zip));
    setup.uploads.add(team, [{ id, path: '' }], archives === undefined ? {} : { archives });
    await quietDraft(setup);
  };
  await add('none.zip', 'never');
  expect(await quietDraft(setup)).toMatchObject([{ name: 'none.zip', archive: null, isTicked: true }]);
  await add('first.zip', 'each');
  await add('second.zip', 'each');
  await add('third.zip');
  const found = (await quietDraft(setup)).map(({ name, state, archive }) => [name, state, archive?.state]);
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
  const { setup } = await newBench();
  const zip = await madeBy('7z a -tzip -pTuesday out.zip one.bin >/dev/null', twoFiles);
  const { id } = await setup.staging.stageStream('mail.zip', bytesOf(zip));
  setup.uploads.add(team, [{ id, path: '' }], { passwords: ['Monday', 'Tuesday'] });
  expect(members(await quietDraft(setup))).toMatchObject([{ name: 'one.bin', state: 'ready' }]);
});

test('names of an old archive are guessed, then decoded as chosen, with all else unchanged', async () => {
  const { setup } = await newBench();
  const names = ['90bf8b818f91', '975c955c8f5c2e747874'].map((hex) => Buffer.from(hex, 'hex'));
  const [id = 0] = await setup.add({
    'old.zip': rawZip(names.map((name, index) => ({ name, plain: Buffer.from(`bytes of ${index}`) }))),
  });
  const files = await quietDraft(setup);
  expect(files).toMatchObject([
    { archive: { nameEncoding: 'shift_jis' } },
    { name: '請求書' },
    { name: '予表十.txt', path: '' },
  ]);
  await setup.uploads.remove(team, { kind: 'files', ids: [files[1]?.id ?? 0] });
  await setup.uploads.change(team, { kind: 'files', ids: [files[2]?.id ?? 0] }, { addTags: ['family:x'] });
  await setup.uploads.readNames(id, 'cp437');
  expect(await quietDraft(setup)).toMatchObject([
    { archive: { state: 'open', nameEncoding: 'cp437' } },
    { id: files[2]?.id, name: 'ò\\Å\\.txt'.split('\\').at(-1), tags: ['family:x'], state: 'ready' },
  ]);
  await expect(setup.uploads.readNames(files[2]?.id ?? 0, 'cp437')).rejects.toMatchObject({
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
  const { setup } = await newBench(
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
  await setup.add({ 'mail.zip': manyMembers(160) });
  await reached.promise;
  // They are added while the next ones are read.
  await expect.poll(() => members(setup.files())).toHaveLength(128);
  const closing = setup.close();
  goOn.reject(new Error('the program ends'));
  await closing;
  const again = await reopened(setup, { staging: (real) => real });
  const files = members(await quietDraft(again));
  expect(files.map(({ name }) => name)).toEqual(Array.from({ length: 160 }, (_, index) => `file-${index}.bin`));
  expect(await stagedIn(again)).toHaveLength(161);
});

test('a program that ends does not wait for a large member', async () => {
  let given = 0;
  const reached = Promise.withResolvers<void>();
  const { setup } = await newBench(
    {},
    {
      staging: (real) =>
        insteadOf(real, {
          stageStream: async (name, bytes) => {
            if (name !== 'large.bin') return real.stageStream(name, bytes);
            for await (const chunk of bytes) {
              given += chunk.length;
              reached.resolve();
              void setup.close();
            }
            return real.stageStream(name, bytesOf('all of it'));
          },
        }),
    },
  );
  const large = Buffer.alloc(20_000_000, 'incompressible?');
  await setup.add({ 'mail.zip': rawZip([{ name: 'large.bin', plain: large, method: 0 }]) });
  await reached.promise;
  await setup.close();
  expect(given).toBeLessThan(large.length / 2);
});

test('members of an archive removed while it is opened leave nothing on disk', async () => {
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const { setup } = await newBench(
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
  const [id = 0] = await setup.add({ 'mail.zip': manyMembers(60) });
  await reached.promise;
  await setup.uploads.remove(team, { kind: 'files', ids: [id] });
  expect(setup.files()).toEqual([]);
  goOn.resolve();
  await expect.poll(() => stagedIn(setup)).toEqual([]);
  await setup.add(filesNamed('next.bin'));
  expect(await quietDraft(setup)).toMatchObject([{ name: 'next.bin', state: 'ready' }]);
});

test('an archive that is removed takes its members from the disk', async () => {
  const { setup } = await newBench();
  const [id = 0] = await setup.add({ 'mail.zip': manyMembers(5) });
  await quietDraft(setup);
  expect(await stagedIn(setup)).toHaveLength(6);
  await setup.uploads.remove(team, { kind: 'files', ids: [id] });
  expect(await stagedIn(setup)).toEqual([]);
});

test('a sample has all names under which its bytes were sent', async () => {
  const { setup } = await newBench();
  await setup.add({ 'alone.bin': 'the bytes' });
  await setup.add({
    'mail.zip': rawZip([
      { name: 'in/one.bin', plain: Buffer.from('the bytes') },
      { name: 'two.bin', plain: Buffer.from('the bytes') },
    ]),
  });
  const [{ sha256 } = { sha256: null }] = await quietDraft(setup);
  await sent(setup);
  const names = (setup.stores.library.sample(sha256 ?? '')?.names ?? []).map(({ name, path }) => `${path}/${name}`);
  expect(names.toSorted()).toEqual(['/alone.bin', 'mail.zip!/two.bin', 'mail.zip!in/one.bin']);
});
