import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { collected, eicar, filesHolding, filesUnder, temporaryFolder } from './eicar.fixture.ts';
import { openStaging, type Staging } from './staging.ts';

async function opened(): Promise<{ staging: Staging; folder: string; elsewhere: string }> {
  const [folder, elsewhere] = [await temporaryFolder(), await temporaryFolder()];
  const staging = await openStaging(folder);
  onTestFinished(() => staging.close());
  return { staging, folder, elsewhere };
}

async function* streamOf(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array, void, void> {
  yield* pieces;
}

const read = (staging: Staging, id: string): Promise<Buffer> => collected(staging.open(id));
const missing = (id: string): object => ({ failure: { kind: 'staged-file-missing', id } });

describe('a file streamed from a browser', () => {
  test.each([['a small one', 10], ['a large one', 20_000]])('%s comes out as it went in and lies inert meanwhile', async (_, times) => {
    const { staging, folder } = await opened();
    const bytes = Buffer.concat(Array.from({ length: times }, () => eicar));
    const staged = await staging.stageStream('../../invoice.exe', streamOf(bytes.subarray(0, 50), bytes.subarray(50)));
    expect(staged).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), name: '../../invoice.exe', sizeBytes: bytes.length });
    expect(await filesHolding(folder, eicar)).toEqual([]);
    expect(await read(staging, staged.id)).toEqual(bytes);
    expect(await read(staging, staged.id)).toEqual(bytes);
  });

  test('a file that ends in {} keeps its end', async () => {
    const { staging } = await opened();
    const { id } = await staging.stageStream('a.json', streamOf(Buffer.from('{}')));
    expect(await read(staging, id)).toEqual(Buffer.from('{}'));
  });

  test.each([['small', 1000], ['large', 3_000_000]])('a %s stream that breaks off leaves nothing', async (_, size) => {
    const { staging, folder } = await opened();
    async function* broken(): AsyncGenerator<Uint8Array, void, void> {
      yield randomBytes(size);
      throw new Error('the page went away');
    }
    await expect(staging.stageStream('half', broken())).rejects.toThrow('the page went away');
    expect(await filesUnder(folder)).toEqual([]);
  });

  test('a discarded one is gone', async () => {
    const { staging, folder } = await opened();
    const { id } = await staging.stageStream('a', streamOf(eicar));
    await staging.discard(id);
    await expect(read(staging, id)).rejects.toMatchObject(missing(id));
    expect(await filesUnder(folder)).toEqual([]);
    await staging.discard(id);
  });

  test.each(['cut', 'gone'])('one whose container is %s is missing', async (fate) => {
    const { staging, folder } = await opened();
    const { id } = await staging.stageStream('a', streamOf(eicar));
    const path = join(folder, `${id}.part`);
    await (fate === 'gone' ? rm(path) : writeFile(path, 'cut'));
    await expect(read(staging, id)).rejects.toMatchObject(missing(id));
  });

  test('nothing is left when the staging closes, nor what a crash left when it opens', async () => {
    const { staging, folder } = await opened();
    await staging.stageStream('a', streamOf(eicar));
    await staging.close();
    expect(await filesUnder(folder)).toEqual([]);
    await writeFile(join(folder, `${'0a'.repeat(16)}.part`), 'from an earlier run');
    await openStaging(folder);
    expect(await filesUnder(folder)).toEqual([]);
  });
});

describe('a file where it is', () => {
  test('is read there, never copied, and never removed', async () => {
    const { staging, folder, elsewhere } = await opened();
    const path = join(elsewhere, 'report.pdf');
    await writeFile(path, 'contents');
    const staged = await staging.stagePath(path);
    expect(staged).toMatchObject({ name: 'report.pdf', sizeBytes: 8 });
    expect(await read(staging, staged.id)).toEqual(Buffer.from('contents'));
    expect(await filesUnder(folder)).toEqual([]);
    await staging.discard(staged.id);
    await expect(read(staging, staged.id)).rejects.toMatchObject(missing(staged.id));
    expect(await filesUnder(elsewhere)).toEqual([path]);
  });

  test.each([
    ['changed', (path: string) => appendFile(path, 'more')],
    ['gone', (path: string) => rm(path)],
  ])('that is %s since it was picked has to be picked again', async (_, happen) => {
    const { staging, elsewhere } = await opened();
    const path = join(elsewhere, 'report.pdf');
    await writeFile(path, 'contents');
    const { id } = await staging.stagePath(path);
    await happen(path);
    await expect(read(staging, id)).rejects.toMatchObject(missing(id));
  });

  test('a folder, and what is not there, cannot be staged', async () => {
    const { staging, elsewhere } = await opened();
    await mkdir(join(elsewhere, 'folder'));
    for (const name of ['folder', 'nothing']) {
      await expect(staging.stagePath(join(elsewhere, name))).rejects.toMatchObject({ failure: { kind: 'staged-file-missing' } });
    }
  });
});

test('an unknown id is a file that is missing', async () => {
  const { staging } = await opened();
  await expect(read(staging, 'f'.repeat(32))).rejects.toMatchObject(missing('f'.repeat(32)));
});
