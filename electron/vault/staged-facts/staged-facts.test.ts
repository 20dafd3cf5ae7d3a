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

interface Setup extends OpenedStaging {
  facts: StagedFacts;
}

async function opened(): Promise<Setup> {
  const staging = await openedStaging();
  const facts = openStagedFacts(staging.staging);
  onTestFinished(() => facts.close());
  return { ...staging, facts };
}

const never = new AbortController().signal;
const filesOf = (ids: readonly string[]) => ids.map((id) => ({ id }));
const nothing = (): void => {};

async function hashed({ facts }: Setup, ids: readonly string[]): Promise<Map<string, HashedFile>> {
  const all: HashedFile[] = [];
  await facts.hash(filesOf(ids), never, (results) => all.push(...results));
  expect(all).toHaveLength(ids.length);
  return new Map(all.map((each) => [each.id, each]));
}

async function looked({ facts }: Setup, ids: readonly string[]): Promise<Map<string, InspectedFile>> {
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

/** A practically endless file: it takes no space on the disk. */
async function stageEndless({ staging, elsewhere }: Setup, name: string): Promise<string> {
  await writeFile(join(elsewhere, name), '');
  await truncate(join(elsewhere, name), 2 ** 40);
  return (await staging.stagePath(join(elsewhere, name))).id;
}

test('hashes match the bytes, in place and in a container, below and above the single-read size', async () => {
  const setup = await opened();
  for (const sizeBytes of [0, 1, readBytes - 1, readBytes, readBytes + 1, 3 * readBytes, 3 * readBytes + 7]) {
    const bytes = randomBytes(sizeBytes);
    const { inPlace, container } = await stagedBothWays(setup, `${sizeBytes}`, bytes);
    const reported = await hashed(setup, [inPlace, container]);
    for (const id of [inPlace, container]) expect(reported.get(id)).toEqual({ id, hashes: hashesOf(bytes), sizeBytes });
  }
});

test('many files are reported a batch at a time, each once', async () => {
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
  const reported = new Map(batches.flat().map((each) => [each.id, each]));
  expect(batches.flat()).toHaveLength(300);
  for (const [number, id] of ids.entries())
    expect(reported.get(id)).toMatchObject({ hashes: hashesOf(Buffer.from(`${number}`)) });
});

test('an inspection returns the type, the strip, and whether it is a ZIP', async () => {
  const setup = await opened();
  const script = await stagedBothWays(setup, 'script', Buffer.from('#!/bin/sh\n'));
  const zeros = await stagedBothWays(setup, 'zeros', Buffer.alloc(5_000_000));
  const empty = await stagedBothWays(setup, 'empty', Buffer.alloc(0));
  await writeFile(join(setup.elsewhere, 'a.txt'), eicar);
  execFileSync('zip', ['-q', 'a.zip', 'a.txt'], { cwd: setup.elsewhere });
  await rm(join(setup.elsewhere, 'a.txt'));
  const zip = await stagedBothWays(setup, 'b.zip', await readFile(join(setup.elsewhere, 'a.zip')));
  const reported = await looked(
    setup,
    [script, zeros, empty, zip].flatMap(({ inPlace, container }) => [inPlace, container]),
  );
  for (const kind of ['inPlace', 'container'] as const) {
    expect(reported.get(script[kind])).toMatchObject({
      mime: 'text/x-script',
      strip: `${'100'.repeat(9)}100`,
      isZip: false,
    });
    expect(reported.get(zeros[kind])).toMatchObject({ mime: null, strip: '000'.repeat(64), isZip: false });
    expect(reported.get(empty[kind])).toMatchObject({ mime: null, strip: null, isZip: false });
    expect(reported.get(zip[kind])).toMatchObject({ mime: 'application/zip', isZip: true });
  }
});

test('an unreadable file is reported with the reason, and the others are read', async () => {
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
  for (const reported of [await hashed(setup, ids), await looked(setup, ids)]) {
    expect(reported.get(gone.inPlace)).toEqual({ id: gone.inPlace, reason: 'gone', code: 'ENOENT' });
    expect(reported.get(gone.container)).toEqual({ id: gone.container, reason: 'gone', code: 'ENOENT' });
    expect(reported.get(changed.inPlace)).toEqual({ id: changed.inPlace, reason: 'changed', code: '' });
    expect(reported.get(cut.container)).toEqual({ id: cut.container, reason: 'gone', code: 'damaged' });
    expect(reported.get(unknown)).toEqual({ id: unknown, reason: 'gone', code: '' });
    expect(reported.get(sound.inPlace)).not.toHaveProperty('reason');
  }
  return undefined;
});

test.skipIf(platform !== 'linux')(
  'a file that opens without being readable is unreadable, and a pipe in its place causes no wait',
  async () => {
    const setup = await opened();
    const memory = await setup.staging.stagePath('/proc/self/mem');
    const { inPlace, path } = await stagedBothWays(setup, 'pipe', Buffer.from('contents'));
    await rm(path);
    execFileSync('mkfifo', [path]);
    const reported = await hashed(setup, [memory.id, inPlace]);
    expect(reported.get(memory.id)).toEqual({ id: memory.id, reason: 'unreadable', code: 'EIO' });
    expect(reported.get(inPlace)).toMatchObject({ reason: 'changed' });
  },
);

test.each([
  ['touched', (path: string) => utimes(path, 1, 1)],
  ['cut', (path: string) => truncate(path, 1000)],
])('a large file that is %s during the read is reported as changed', async (_, happen) => {
  const setup = await opened();
  const path = join(setup.elsewhere, 'large');
  await writeFile(path, '');
  await truncate(path, 400_000_000);
  const { id } = await setup.staging.stagePath(path);
  const results: HashedFile[] = [];
  const hashing = setup.facts.hash([{ id }], never, (reported) => results.push(...reported));
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
  // The endless file fills a batch: a second thread would report the file after it.
  const hashing = facts.hash(filesOf([endless, inPlace]), stopping.signal, () => expect.fail('told'));
  expect((await hashed(setup, [inPlace])).get(inPlace)).toMatchObject({ hashes: hashesOf(eicar) });
  stopping.abort();
  await expect(hashing).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  expect((await hashed({ ...setup, facts }, [inPlace])).get(inPlace)).toMatchObject({ hashes: hashesOf(eicar) });
});

test('an exception of the caller ends its call and is rethrown to it', async () => {
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

test('a worker exit is reported to its waiting caller, and the next call starts another', async () => {
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

test('an empty list does no work, and closing cancels running work', async () => {
  const setup = await opened();
  await setup.facts.hash([], never, () => expect.fail('told'));
  const hashing = setup.facts.hash(filesOf([await stageEndless(setup, 'one')]), never, () => expect.fail('told'));
  await Promise.all([expect(hashing).rejects.toMatchObject({ failure: { kind: 'cancelled' } }), setup.facts.close()]);
  await expect(setup.facts.inspect([], never, nothing)).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
});

test.skipIf(platform !== 'linux')('idle threads end after a minute', async () => {
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
