import { mkdir, readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { rawZip } from '../../archive/raw-zip.fixture.ts';
import {
  endless,
  filesNamed,
  insteadOf,
  newBench,
  outcomesOf,
  quietDraft,
  reopened,
  stateOf,
} from './upload-bench.fixture.ts';
import { ended, team, type TestUploads } from './uploads.fixture.ts';

/** Hashed in an hour, or in a moment and still large. They take no space on the disk. */
const huge = 2 ** 40;
const large = 64 * 1024 * 1024 + 1;

async function addSparse(setup: TestUploads, name: string, sizeBytes: number, workspaceId = team): Promise<number> {
  const base = join(setup.options.folder, 'theirs');
  await mkdir(base, { recursive: true });
  await writeFile(join(base, name), '');
  await truncate(join(base, name), sizeBytes);
  const [id = 0] = setup.uploads.add(workspaceId, [
    { id: (await setup.staging.stagePath(join(base, name))).id, path: '' },
  ]);
  return id;
}

const known = async (setup: TestUploads, name: string, workspaceId = team): Promise<UploadFile> => {
  const file = (): UploadFile | undefined =>
    setup.stores.uploads.window(workspaceId, 0, 1000).files.find((each) => each.name === name);
  await vi.waitFor(() => expect(file()).toMatchObject({ state: 'ready', presence: 'new', strip: expect.any(String) }), {
    timeout: 30_000,
    interval: 15,
  });
  return file() ?? expect.fail('gone');
};

test('small files do not wait for a huge one, whatever their workspace', async () => {
  const { setup } = await newBench();
  await addSparse(setup, 'disk.img', huge);
  await addSparse(setup, 'large.bin', large);
  await setup.add(filesNamed('a.bin'));
  await setup.add(filesNamed('b.bin'), 'other');
  await known(setup, 'a.bin');
  await known(setup, 'b.bin', 'other');
  expect([stateOf(setup.files(), 'disk.img'), stateOf(setup.files(), 'large.bin')]).toEqual(['hashing', 'hashing']);
});

test('a huge file that is not ticked does not delay the sending of the others', async () => {
  const { setup } = await newBench();
  const id = await addSparse(setup, 'disk.img', huge);
  await setup.add(filesNamed('a.bin'));
  await known(setup, 'a.bin');
  await expect(setup.uploads.send(team)).rejects.toMatchObject({ failure: { kind: 'draft-busy', files: 1 } });
  await setup.uploads.change(team, { kind: 'files', ids: [id] }, { isTicked: false });
  const job = await ended(setup, (await setup.uploads.send(team)).id);
  expect(await outcomesOf(setup, job.id)).toEqual({ 'a.bin': 'done' });
  expect(setup.files()).toMatchObject([{ name: 'disk.img', state: 'hashing' }]);
});

test.each([
  [
    'is taken out of the draft',
    (setup: TestUploads, id: number) => setup.uploads.remove(team, { kind: 'files', ids: [id] }),
  ],
  [
    'goes with its workspace',
    (setup: TestUploads) => setup.uploads.discard(setup.stores.uploads.forgetWorkspace(team)),
  ],
])('a huge file that %s is given up, and the next large one is read', async (_, leave) => {
  const { setup } = await newBench();
  const id = await addSparse(setup, 'disk.img', huge);
  await addSparse(setup, 'large.bin', large, 'other');
  // It is read by now, or as good as: both are looked for after the small one.
  await setup.add(filesNamed('a.bin'), 'other');
  await known(setup, 'a.bin', 'other');
  await leave(setup, id);
  expect(await known(setup, 'large.bin', 'other')).toMatchObject({ sizeBytes: large });
});

test('files waiting behind a huge one continue after a restart of the program', async () => {
  const { setup } = await newBench();
  const id = await addSparse(setup, 'disk.img', huge);
  await addSparse(setup, 'large.bin', large);
  const again = await reopened(setup);
  await again.add(filesNamed('a.bin'));
  await known(again, 'a.bin');
  expect(stateOf(again.files(), 'disk.img')).toBe('hashing');
  await again.uploads.remove(team, { kind: 'files', ids: [id] });
  expect(await quietDraft(again)).toMatchObject([
    { name: 'large.bin', state: 'ready' },
    { name: 'a.bin', state: 'ready' },
  ]);
});

test.each(['hash', 'look'] as const)('files in progress with one that is removed (%s) are resumed', async (step) => {
  let stuck = '';
  const isStuck = (files: readonly { id: string }[]): boolean => files.some(({ id }) => id === stuck);
  const { setup } = await newBench(
    {},
    {
      facts: (real) =>
        insteadOf(real, {
          hash: (files, signal, reported) =>
            step === 'hash' && isStuck(files) ? endless(files, signal) : real.hash(files, signal, reported),
          inspect: (files, signal, reported) =>
            step === 'look' && isStuck(files) ? endless(files, signal) : real.inspect(files, signal, reported),
        }),
    },
  );
  const staged: { id: string; path: string }[] = [];
  for (const name of ['a.bin', 'stuck.bin', 'b.bin'])
    staged.push({ id: (await setup.staging.stageStream(name, bytesNamed(name))).id, path: '' });
  stuck = staged[1]?.id ?? '';
  const ids = setup.uploads.add(team, staged);
  await vi.waitFor(() =>
    expect(setup.files().map(({ state }) => state)).toEqual(staged.map(() => (step === 'hash' ? 'hashing' : 'ready'))),
  );
  await setup.uploads.remove(team, { kind: 'files', ids: ids.slice(1, 2) });
  expect(await quietDraft(setup)).toMatchObject([
    { name: 'a.bin', state: 'ready' },
    { name: 'b.bin', state: 'ready' },
  ]);
  expect(setup.files().every(({ strip }) => strip !== null)).toBe(true);
});

test('an archive being opened delays no file, not even its own members; removed, the next opens', async () => {
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let given = 0;
  const { setup } = await newBench(
    {},
    {
      staging: (real) =>
        insteadOf(real, {
          stageStream: async (name, bytes) =>
            real.stageStream(
              name,
              name === 'large.bin'
                ? watched(bytes, async (count) => {
                    given += count;
                    reached.resolve();
                    await goOn.promise;
                  })
                : bytes,
            ),
        }),
    },
  );
  const first = Array.from({ length: 40 }, (_, index) => ({
    name: `member-${index}.bin`,
    plain: Buffer.from(`member ${index}`),
  }));
  const last = Buffer.alloc(20_000_000, 'incompressible?');
  const [id = 0] = await setup.add({ 'mail.zip': rawZip([...first, { name: 'large.bin', plain: last, method: 0 }]) });
  await reached.promise;
  await setup.add(
    { ...filesNamed('a.bin'), 'next.zip': rawZip([{ name: 'inside.bin', plain: Buffer.from('inside') }]) },
    'other',
  );
  await known(setup, 'a.bin', 'other');
  await known(setup, 'member-0.bin');
  await setup.uploads.remove(team, { kind: 'files', ids: [id] });
  goOn.resolve();
  await known(setup, 'inside.bin', 'other');
  expect(given).toBeLessThan(last.length / 2);
  expect(setup.files()).toEqual([]);
  expect(await readdir(join(setup.options.folder, 'data', 'staging'))).toHaveLength(3);
});

async function* bytesNamed(name: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(`the bytes of ${name}`);
}

async function* watched(
  bytes: AsyncIterable<Uint8Array>,
  seen: (count: number) => Promise<void>,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of bytes) {
    await seen(chunk.length);
    yield chunk;
  }
}
