import { execFileSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { platform } from 'node:process';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eicar, filesUnder } from '../eicar.fixture.ts';
import { openedStaging, type OpenedStaging, stagedBothWays } from '../staging/staging.fixture.ts';
import { readBytes } from './hash-staged.ts';
import { type HashedFile, type InspectedFile, openStagedFacts, type StagedFacts } from './staged-facts.ts';

interface Desk extends OpenedStaging {
  facts: StagedFacts;
}

async function opened(): Promise<Desk> {
  const staging = await openedStaging();
  const facts = openStagedFacts(staging.staging);
  onTestFinished(() => facts.close());
  return { ...staging, facts };
}

const never = new AbortController().signal;
const filesOf = (ids: readonly string[]) => ids.map((id) => ({ id }));
const nothing = (): void => {};

async function hashed({ facts }: Desk, ids: readonly string[]): Promise<Map<string, HashedFile>> {
  const all: HashedFile[] = [];
  await facts.hash(filesOf(ids), never, (results) => all.push(...results));
  expect(all).toHaveLength(ids.length);
  return new Map(all.map((each) => [each.id, each]));
}

async function looked({ facts }: Desk, ids: readonly string[]): Promise<Map<string, InspectedFile>> {
  const all: InspectedFile[] = [];
  await facts.inspect(filesOf(ids), never, (results) => all.push(...results));
  expect(all).toHaveLength(ids.length);
  return new Map(all.map((each) => [each.id, each]));
}

const hashesOf = (bytes: Uint8Array): object => ({
  md5: hash('md5', bytes),
  sha1: hash('sha1', bytes),
  sha256: hash('sha256', bytes),
});

/** A file without an end, as good as: it takes no room on the disk. */
async function stageEndless({ staging, elsewhere }: Desk, name: string): Promise<string> {
  await writeFile(join(elsewhere, name), '');
  await truncate(join(elsewhere, name), 2 ** 40);
  return (await staging.stagePath(join(elsewhere, name))).id;
}

test('hashes match the bytes, in place and in a container, below and above the size that is read at once', async () => {
  const setup = await opened();
  for (const sizeBytes of [0, 1, readBytes - 1, readBytes, readBytes + 1, 3 * readBytes, 3 * readBytes + 7]) {
    const bytes = randomBytes(sizeBytes);
    const { inPlace, container } = await stagedBothWays(setup, `${sizeBytes}`, bytes);
    const told = await hashed(setup, [inPlace, container]);
    for (const id of [inPlace, container]) expect(told.get(id)).toEqual({ id, hashes: hashesOf(bytes), sizeBytes });
  }
});

test('many files are told a batch at a time, each once', async () => {
  const setup = await opened();
  const ids: string[] = [];
  for (let number = 0; number < 300; number += 1) {
    const path = join(setup.elsewhere, `${number}`);
    await writeFile(path, `${number}`);
    ids.push((await setup.staging.stagePath(path)).id);
  }
  const batches: (readonly HashedFile[])[] = [];
  await setup.facts.hash(filesOf(ids), never, (results) => batches.push(results));
  expect(batches.length).toBeGreaterThan(1);
  const told = new Map(batches.flat().map((each) => [each.id, each]));
  expect(batches.flat()).toHaveLength(300);
  for (const [number, id] of ids.entries())
    expect(told.get(id)).toMatchObject({ hashes: hashesOf(Buffer.from(`${number}`)) });
});

test('a look tells the type, the strip, and whether it is a ZIP', async () => {
  const setup = await opened();
  const script = await stagedBothWays(setup, 'script', Buffer.from('#!/bin/sh\n'));
  const zeros = await stagedBothWays(setup, 'zeros', Buffer.alloc(5_000_000));
  const empty = await stagedBothWays(setup, 'empty', Buffer.alloc(0));
  await writeFile(join(setup.elsewhere, 'a.txt'), eicar);
  execFileSync('zip', ['-q', 'a.zip', 'a.txt'], { cwd: setup.elsewhere });
  await rm(join(setup.elsewhere, 'a.txt'));
  const zip = await stagedBothWays(setup, 'b.zip', await readFile(join(setup.elsewhere, 'a.zip')));
  const told = await looked(
    setup,
    [script, zeros, empty, zip].flatMap(({ inPlace, container }) => [inPlace, container]),
  );
  for (const kind of ['inPlace', 'container'] as const) {
    expect(told.get(script[kind])).toMatchObject({
      mime: 'text/x-script',
      strip: `${'100'.repeat(9)}100`,
      isZip: false,
    });
    expect(told.get(zeros[kind])).toMatchObject({ mime: null, strip: '000'.repeat(64), isZip: false });
    expect(told.get(empty[kind])).toMatchObject({ mime: null, strip: null, isZip: false });
    expect(told.get(zip[kind])).toMatchObject({ mime: 'application/zip', isZip: true });
  }
});

test('of a file that cannot be read it is told why, and the others are read', async () => {
  const setup = await opened();
  const [gone, changed, cut, sound] = await Promise.all(
    ['gone', 'changed', 'cut', 'sound'].map((name) => stagedBothWays(setup, name, Buffer.from(name))),
  );
  if (!gone || !changed || !cut || !sound) return expect.fail('not staged');
  await rm(gone.path);
  await utimes(changed.path, 1, 1);
  const containers = await filesUnder(setup.folder);
  await writeFile(containers.find((path) => path.includes(cut.container)) ?? '', 'cut');
  await rm(containers.find((path) => path.includes(gone.container)) ?? '');
  const unknown = 'f'.repeat(32);
  const ids = [gone.inPlace, gone.container, changed.inPlace, cut.container, unknown, sound.inPlace];
  for (const told of [await hashed(setup, ids), await looked(setup, ids)]) {
    expect(told.get(gone.inPlace)).toEqual({ id: gone.inPlace, reason: 'gone', code: 'ENOENT' });
    expect(told.get(gone.container)).toEqual({ id: gone.container, reason: 'gone', code: 'ENOENT' });
    expect(told.get(changed.inPlace)).toEqual({ id: changed.inPlace, reason: 'changed', code: '' });
    expect(told.get(cut.container)).toEqual({ id: cut.container, reason: 'gone', code: 'damaged' });
    expect(told.get(unknown)).toEqual({ id: unknown, reason: 'gone', code: '' });
    expect(told.get(sound.inPlace)).not.toHaveProperty('reason');
  }
  return undefined;
});

test.skipIf(platform !== 'linux')(
  'a file that opens and cannot be read is unreadable, and a pipe in a file’s place is not waited for',
  async () => {
    const setup = await opened();
    const memory = await setup.staging.stagePath('/proc/self/mem');
    const { inPlace, path } = await stagedBothWays(setup, 'pipe', Buffer.from('contents'));
    await rm(path);
    execFileSync('mkfifo', [path]);
    const told = await hashed(setup, [memory.id, inPlace]);
    expect(told.get(memory.id)).toEqual({ id: memory.id, reason: 'unreadable', code: 'EIO' });
    expect(told.get(inPlace)).toMatchObject({ reason: 'changed' });
  },
);

test.each([
  ['touched', (path: string) => utimes(path, 1, 1)],
  ['cut', (path: string) => truncate(path, 1000)],
])('a large file that is %s while it is read has changed', async (_, happen) => {
  const setup = await opened();
  const path = join(setup.elsewhere, 'large');
  await writeFile(path, '');
  await truncate(path, 400_000_000);
  const { id } = await setup.staging.stagePath(path);
  const results: HashedFile[] = [];
  const hashing = setup.facts.hash([{ id }], never, (told) => results.push(...told));
  await happen(path);
  await hashing;
  expect(results).toEqual([{ id, reason: 'changed', code: '' }]);
});

test('a signal ends a call within a file, stops its reports, and frees the threads for others', async () => {
  const setup = await opened();
  const endless = [await stageEndless(setup, 'one'), await stageEndless(setup, 'other')];
  const { inPlace } = await stagedBothWays(setup, 'small', eicar);
  const stopping = new AbortController();
  const hashing = setup.facts.hash(filesOf([inPlace, ...endless]), stopping.signal, () => expect.fail('told'));
  setImmediate(() => stopping.abort());
  await expect(hashing).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  await expect(setup.facts.hash(filesOf(endless), stopping.signal, nothing)).rejects.toMatchObject({
    failure: { kind: 'cancelled' },
  });
  for (let time = 0; time < 2; time += 1)
    expect((await hashed(setup, [inPlace])).get(inPlace)).toMatchObject({ hashes: hashesOf(eicar) });
});

test('facts on a separate thread are reported during an endless file, and it is the only thread started', async () => {
  const setup = await opened();
  const facts = openStagedFacts(setup.staging, { threads: 1 });
  onTestFinished(() => facts.close());
  const endless = await stageEndless(setup, 'one');
  const { inPlace } = await stagedBothWays(setup, 'small', eicar);
  const stopping = new AbortController();
  // The file without an end fills a batch: a second thread would tell of the one behind it.
  const hashing = facts.hash(filesOf([endless, inPlace]), stopping.signal, () => expect.fail('told'));
  expect((await hashed(setup, [inPlace])).get(inPlace)).toMatchObject({ hashes: hashesOf(eicar) });
  stopping.abort();
  await expect(hashing).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  expect((await hashed({ ...setup, facts }, [inPlace])).get(inPlace)).toMatchObject({ hashes: hashesOf(eicar) });
});

test('what the caller throws ends its call and comes back to it', async () => {
  const setup = await opened();
  const { inPlace } = await stagedBothWays(setup, 'small', eicar);
  const endless = [await stageEndless(setup, 'one'), await stageEndless(setup, 'other')];
  const refusing = (): void => {
    throw new Error('the database is full');
  };
  const files = [...Array.from({ length: 64 }, () => inPlace), ...endless];
  await expect(setup.facts.hash(filesOf(files), never, refusing)).rejects.toThrow('the database is full');
  for (let time = 0; time < 2; time += 1)
    expect((await hashed(setup, [inPlace])).get(inPlace)).toMatchObject({ hashes: hashesOf(eicar) });
});

test('a worker that ends by itself is told to who waits, and the next call finds another', async () => {
  const setup = await opened();
  const { inPlace } = await stagedBothWays(setup, 'small', eicar);
  const doomed = 'a'.repeat(32);
  // No disk ever refuses a path for this: to the worker it is a defect, and defects end it.
  setup.staging.restore(doomed, { kind: 'in-place', path: 'a\0b', sizeBytes: 1, changedMs: 1 });
  await expect(setup.facts.hash([{ id: doomed }], never, nothing)).rejects.toMatchObject({
    failure: { kind: 'worker-ended', task: 'reading files', code: 'ERR_INVALID_ARG_VALUE' },
  });
  for (let time = 0; time < 2; time += 1)
    expect((await hashed(setup, [inPlace])).get(inPlace)).toMatchObject({ hashes: hashesOf(eicar) });
});

test('nothing to read is no work, and closing cancels what is under way', async () => {
  const setup = await opened();
  await setup.facts.hash([], never, () => expect.fail('told'));
  const hashing = setup.facts.hash(filesOf([await stageEndless(setup, 'one')]), never, () => expect.fail('told'));
  await Promise.all([expect(hashing).rejects.toMatchObject({ failure: { kind: 'cancelled' } }), setup.facts.close()]);
  await expect(setup.facts.inspect([], never, nothing)).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
});

test.skipIf(platform !== 'linux')('threads that nobody asks anything for a minute end', async () => {
  const threads = async (): Promise<number> => (await readdir('/proc/self/task')).length;
  const setup = await opened();
  const { inPlace } = await stagedBothWays(setup, 'small', eicar);
  const before = await threads();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await hashed(setup, [inPlace]);
  const during = await threads();
  expect(during).toBeGreaterThan(before);
  vi.advanceTimersByTime(60_000);
  await vi.waitFor(async () => expect(await threads()).toBeLessThan(during));
});
