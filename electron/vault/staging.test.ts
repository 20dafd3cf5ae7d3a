import { execFileSync, spawn } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, chmod, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath, getuid, platform } from 'node:process';
import { createInterface } from 'node:readline';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pathOfBytes, systemPath } from '../base/name-bytes.ts';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { collected, eicar, filesHolding, filesUnder } from './eicar.fixture.ts';
import { openStaging, stagedPlace, type Staging } from './staging.ts';
import { openedStaging, stagedBothWays, streamOf } from './staging/staging.fixture.ts';

const read = (staging: Staging, id: string): Promise<Buffer> => collected(staging.open(id));
const missing = (id: string): object => ({ failure: { kind: 'staged-file-missing', id } });
const unknownId = 'f'.repeat(32);
const isPosix = platform !== 'win32';

describe('a file streamed from a browser', () => {
  test.each([
    ['a small one', 10],
    ['a large one', 20_000],
  ])('is read back unchanged and stored encrypted meanwhile: %s', async (_, times) => {
    const { staging, folder } = await openedStaging();
    const bytes = Buffer.concat(Array.from({ length: times }, () => eicar));
    const staged = await staging.stageStream('../../invoice.exe', streamOf(bytes.subarray(0, 50), bytes.subarray(50)));
    expect(staged).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      name: '../../invoice.exe',
      sizeBytes: bytes.length,
      hashes: { md5: hash('md5', bytes), sha1: hash('sha1', bytes), sha256: hash('sha256', bytes) },
    });
    expect(await filesHolding(folder, eicar)).toEqual([]);
    expect(await read(staging, staged.id)).toEqual(bytes);
    expect(await read(staging, staged.id)).toEqual(bytes);
  });

  test('is the same in pieces of any size, also where small ones end and large ones begin', async () => {
    const { staging } = await openedStaging();
    for (const sizeBytes of [0, 1, 262_143, 262_144, 262_145, 600_000]) {
      const bytes = randomBytes(sizeBytes);
      for (const pieceBytes of [1000, 262_144, 1_000_000]) {
        const pieces = Array.from({ length: Math.ceil(sizeBytes / pieceBytes) }, (_, index) =>
          bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
        );
        const { id } = await staging.stageStream('a', streamOf(...pieces));
        expect((await read(staging, id)).equals(bytes)).toBe(true);
      }
    }
  });

  test('keeps its end when it ends in {}', async () => {
    const { staging } = await openedStaging();
    const { id } = await staging.stageStream('a.json', streamOf(Buffer.from('{}')));
    expect(await read(staging, id)).toEqual(Buffer.from('{}'));
  });

  test.each([
    ['small', 1000],
    ['large', 3_000_000],
  ])('leaves nothing when a %s stream breaks off', async (_, size) => {
    const { staging, folder } = await openedStaging();
    async function* broken(): AsyncGenerator<Uint8Array, void, void> {
      yield randomBytes(size);
      throw new Error('the page went away');
    }
    await expect(staging.stageStream('half', broken())).rejects.toThrow('the page went away');
    expect(await filesUnder(folder)).toEqual([]);
  });

  test('is gone when discarded', async () => {
    const { staging, folder } = await openedStaging();
    const { id } = await staging.stageStream('a', streamOf(eicar));
    await staging.discard(id);
    await expect(read(staging, id)).rejects.toMatchObject(missing(id));
    expect(await filesUnder(folder)).toEqual([]);
    await staging.discard(id);
  });

  test.each(['cut', 'gone'])('is missing when its container is %s', async (fate) => {
    const { staging, folder } = await openedStaging();
    const { id } = await staging.stageStream('a', streamOf(eicar));
    const [path = ''] = await filesUnder(folder);
    await (fate === 'gone' ? rm(path) : writeFile(path, 'cut'));
    await expect(read(staging, id)).rejects.toMatchObject(missing(id));
    await expect(staging.openAt(id)).rejects.toMatchObject(missing(id));
    expect(await staging.check(id)).toBe('gone');
  });

  test('is never returned whole when a bit was flipped', async () => {
    const { staging, folder } = await openedStaging();
    const { id } = await staging.stageStream('a', streamOf(randomBytes(1000)));
    const [path = ''] = await filesUnder(folder);
    const container = await readFile(path);
    container[500] = (container[500] ?? 0) ^ 1;
    await writeFile(path, container);
    await expect(read(staging, id)).rejects.toMatchObject(missing(id));
  });
});

describe('a file in its original place', () => {
  test('is read there, never copied, and never removed', async () => {
    const { staging, folder, elsewhere } = await openedStaging();
    const path = join(elsewhere, 'report.pdf');
    await writeFile(path, 'contents');
    const staged = await staging.stagePath(path);
    expect(staged).toMatchObject({ name: 'report.pdf', sizeBytes: 8 });
    expect(await read(staging, staged.id)).toEqual(Buffer.from('contents'));
    expect(await staging.check(staged.id)).toBe('there');
    expect(await filesUnder(folder)).toEqual([]);
    await staging.discard(staged.id);
    await expect(read(staging, staged.id)).rejects.toMatchObject(missing(staged.id));
    expect(await staging.check(staged.id)).toBe('gone');
    expect(await filesUnder(elsewhere)).toEqual([path]);
  });

  test.each([
    ['longer', 'changed', (path: string) => appendFile(path, 'more')],
    ['of another time', 'changed', (path: string) => utimes(path, 1, 1)],
    [
      'a folder',
      'changed',
      async (path: string) => {
        await rm(path);
        await mkdir(path);
      },
    ],
    ['gone', 'gone', (path: string) => rm(path)],
  ])('that is %s since it was picked is %s, and has to be picked again', async (_, state, happen) => {
    const { staging, elsewhere } = await openedStaging();
    const path = join(elsewhere, 'report.pdf');
    await writeFile(path, 'contents');
    const { id } = await staging.stagePath(path);
    await happen(path);
    expect(await staging.check(id)).toBe(state);
    await expect(read(staging, id)).rejects.toMatchObject(missing(id));
    await expect(staging.openAt(id)).rejects.toMatchObject(missing(id));
  });

  test('that changes during the read is never returned whole', async () => {
    const { staging, elsewhere } = await openedStaging();
    const path = join(elsewhere, 'growing.log');
    await writeFile(path, randomBytes(600_000));
    const { id } = await staging.stagePath(path);
    let given = 0;
    const reading = (async () => {
      for await (const piece of staging.open(id)) {
        if (given === 0) await appendFile(path, 'more');
        given += piece.length;
      }
    })();
    await expect(reading).rejects.toMatchObject(missing(id));
    expect(given).toBeGreaterThan(0);
    expect(given).toBeLessThan(600_000);
  });

  test('is found through a link', async () => {
    const { staging, elsewhere } = await openedStaging();
    await writeFile(join(elsewhere, 'contents'), 'contents');
    await symlink(join(elsewhere, 'contents'), join(elsewhere, 'link'));
    const staged = await staging.stagePath(join(elsewhere, 'link'));
    expect(staged).toMatchObject({ name: 'link', sizeBytes: 8 });
    expect(await read(staging, staged.id)).toEqual(Buffer.from('contents'));
  });

  test('cannot be staged when it is a folder, missing, or links in a circle', async () => {
    const { staging, elsewhere } = await openedStaging();
    await mkdir(join(elsewhere, 'folder'));
    await symlink(join(elsewhere, 'other'), join(elsewhere, 'one'));
    await symlink(join(elsewhere, 'one'), join(elsewhere, 'other'));
    for (const name of ['folder', 'nothing', 'one', 'one/below']) {
      await expect(staging.stagePath(join(elsewhere, name))).rejects.toMatchObject({
        failure: { kind: 'staged-file-missing' },
      });
    }
  });

  test.skipIf(!isPosix)('cannot be staged as a device or a pipe, and a pipe in its place causes no wait', async () => {
    const { staging, elsewhere } = await openedStaging();
    const path = join(elsewhere, 'pipe');
    await writeFile(path, 'contents');
    const { id } = await staging.stagePath(path);
    await rm(path);
    execFileSync('mkfifo', [path]);
    for (const refused of ['/dev/zero', path])
      await expect(staging.stagePath(refused)).rejects.toMatchObject({ failure: { kind: 'staged-file-missing' } });
    await expect(read(staging, id)).rejects.toMatchObject(missing(id));
    expect(await staging.check(id)).toBe('changed');
  });

  test.skipIf(!isPosix || getuid?.() === 0)(
    'cannot be staged when this account may not read it (root may read all)',
    async () => {
      const { staging, elsewhere } = await openedStaging();
      const path = join(elsewhere, 'secret');
      await writeFile(path, 'contents');
      await chmod(path, 0);
      await expect(staging.stagePath(path)).rejects.toMatchObject({
        failure: { kind: 'file-unreadable', name: 'secret', code: 'EACCES' },
      });
    },
  );

  test('is unreadable when its name is invalid in any file system', async () => {
    const { staging, elsewhere } = await openedStaging();
    const name = 'n'.repeat(5000);
    await expect(staging.stagePath(join(elsewhere, name))).rejects.toMatchObject({
      failure: { name, kind: isPosix ? 'file-unreadable' : expect.any(String) },
    });
  });
});

describe('random access', () => {
  test.each(['container', 'inPlace'] as const)(
    'reads a file at any position, and not past its end: %s',
    async (kind) => {
      const opened = await openedStaging();
      const bytes = randomBytes(300_001);
      const at = await opened.staging.openAt((await stagedBothWays(opened, 'a', bytes))[kind]);
      onTestFinished(() => at.close());
      expect(at.sizeBytes).toBe(bytes.length);
      await fc.assert(
        fc.asyncProperty(fc.nat({ max: 310_000 }), fc.nat({ max: 70_000 }), async (position, length) => {
          expect(Buffer.from(await at.read(position, length)).equals(bytes.subarray(position, position + length))).toBe(
            true,
          );
        }),
        { numRuns: 100 },
      );
    },
  );

  test('requires picking a file again when it was shortened meanwhile', async () => {
    const opened = await openedStaging();
    const { inPlace, path } = await stagedBothWays(opened, 'a', randomBytes(1000));
    const at = await opened.staging.openAt(inPlace);
    onTestFinished(() => at.close());
    await writeFile(path, 'short');
    await expect(at.read(0, 1000)).rejects.toMatchObject(missing(inPlace));
  });
});

describe('the next run', () => {
  test('finds restored files, changed or not, and removes the other containers', async () => {
    const opened = await openedStaging();
    const { staging, folder, elsewhere } = opened;
    const kept = await stagedBothWays(opened, 'kept', Buffer.from('kept'));
    const changed = await stagedBothWays(opened, 'changed', Buffer.from('changed'));
    await staging.stageStream('forgotten', streamOf(eicar));
    await writeFile(join(folder, 'somebody else’s'), '');
    const places = [kept.container, kept.inPlace, changed.inPlace].map((id) => ({
      id,
      place: JSON.stringify(staging.placeOf(id)),
    }));
    await staging.close();
    await writeFile(changed.path, 'changed again');

    const next = await openStaging(folder);
    onTestFinished(() => next.close());
    for (const { id, place } of places) next.restore(id, stagedPlace.parse(JSON.parse(place)));
    const { id: fresh } = await next.stageStream('new', streamOf(Buffer.from('new')));
    expect(await next.sweep()).toBe(2);
    expect(await next.sweep()).toBe(0);
    expect((await readdir(folder)).toSorted()).toEqual(
      [`${kept.container}.staged`, `${fresh}.staged`, 'somebody else’s'].toSorted(),
    );
    expect(await read(next, kept.container)).toEqual(Buffer.from('kept'));
    expect(await read(next, kept.inPlace)).toEqual(Buffer.from('kept'));
    expect(await read(next, fresh)).toEqual(Buffer.from('new'));
    expect(await next.check(changed.inPlace)).toBe('changed');
    expect(await filesUnder(elsewhere)).toHaveLength(2);
  });

  test('finds a file without a container to be missing', async () => {
    const { staging } = await openedStaging();
    staging.restore(unknownId, { kind: 'container' });
    expect(staging.placeOf(unknownId)).toEqual({ kind: 'container' });
    expect(await staging.check(unknownId)).toBe('gone');
    await expect(read(staging, unknownId)).rejects.toMatchObject(missing(unknownId));
  });

  test('makes no path of an invalid id', async () => {
    const { staging } = await openedStaging();
    expect(() => staging.restore('../vault', { kind: 'container' })).toThrow('a staged file id');
  });

  test('finds whole files whole after a kill, and identifies and sweeps partial ones', async () => {
    const folder = temporaryFolder();
    const child = spawn(
      execPath,
      [
        '--disable-warning=ExperimentalWarning',
        join(import.meta.dirname, 'staging', 'staging-program.fixture.ts'),
        folder,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (line === 'half') child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const [whole = ''] = lines;
    expect((await readdir(folder)).filter((name) => !name.endsWith('.staged'))).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}\.part$/),
    ]);

    const next = await openStaging(folder);
    onTestFinished(() => next.close());
    next.restore(whole, { kind: 'container' });
    expect(await next.sweep()).toBe(2);
    expect(await readdir(folder)).toEqual([`${whole}.staged`]);
    expect(await read(next, whole)).toEqual(Buffer.from('whole'));
  });
});

test('an unknown id is a missing file', async () => {
  const { staging } = await openedStaging();
  await expect(read(staging, unknownId)).rejects.toMatchObject(missing(unknownId));
  await expect(staging.openAt(unknownId)).rejects.toMatchObject(missing(unknownId));
  expect(() => staging.placeOf(unknownId)).toThrow('staged-file-missing');
  expect(staging.sourceOf(unknownId)).toBeNull();
  expect(await staging.check(unknownId)).toBe('gone');
});

test('a file being taken in when the staging closes fails and leaves nothing', async () => {
  const { staging, folder } = await openedStaging();
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* waiting(): AsyncGenerator<Uint8Array, void, void> {
    yield randomBytes(3_000_000);
    begun.resolve();
    await ended.promise;
    yield randomBytes(3_000_000);
  }
  const taking = staging.stageStream('half', waiting());
  await begun.promise;
  await staging.close();
  ended.resolve();
  await expect(taking).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  expect(await filesUnder(folder)).toEqual([]);
});

test('a staged file is listed as it was staged until it is discarded', async () => {
  const { staging } = await openedStaging();
  const file = await staging.stageStream('a.bin', streamOf(Buffer.from('four')));
  expect(staging.fileOf(file.id)).toEqual({ id: file.id, name: 'a.bin', sizeBytes: 4 });
  await staging.discard(file.id);
  expect(() => staging.fileOf(file.id)).toThrow('staged-file-missing');
});

test.skipIf(platform !== 'linux')(
  'a file with an invalid UTF-8 name is staged by its path or its remainder, with a readable name',
  async () => {
    const folder = temporaryFolder();
    const path = join(folder, pathOfBytes(Buffer.from('90bf8b818f912e657865', 'hex')));
    await writeFile(systemPath(path), 'one');
    const staging = await openStaging(join(folder, 'staging'));
    for (const given of [path, join(folder, `${'\ufffd'.repeat(6)}.exe`)]) {
      const { id, name } = await staging.stagePath(given);
      expect(name).toBe('請求書.exe');
      expect(await staging.check(id)).toBe('there');
      staging.restore(id, stagedPlace.parse(JSON.parse(JSON.stringify(staging.placeOf(id)))));
      expect((await read(staging, id)).toString()).toBe('one');
    }
    await writeFile(systemPath(join(folder, pathOfBytes(Buffer.from('90bf8b828f912e657865', 'hex')))), 'two');
    await expect(staging.stagePath(join(folder, `${'\ufffd'.repeat(6)}.exe`))).rejects.toMatchObject({
      failure: { kind: 'file-unreadable', code: 'EILSEQ' },
    });
  },
);
