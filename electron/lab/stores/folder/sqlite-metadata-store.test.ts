import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { migrate } from '../storage/migrations/migrations.ts';
import type { NewComment, StoredSample } from './metadata-store.ts';
import { withDirectory } from './running-lab.fixture.ts';
import { labSchemaVersion, labSteps, openSqliteMetadata } from './sqlite-metadata-store.ts';

const sample = (digit: string, md5 = digit.repeat(32)): StoredSample => ({
  hashes: { md5, sha1: digit.repeat(40), sha256: digit.repeat(64) },
  sizeBytes: 3,
  name: 'a',
  mime: null,
  threat: null,
  criticity: 1,
  tags: ['z', 'a:b'],
  uploader: 'ana',
  uploaded: '2025-01-01T00:00:00Z',
  restricted: false,
  virusTotal: false,
  sandbox: false,
});
const print = (content: string, ...replies: NewComment[]): NewComment => ({
  author: 'ana',
  created: '2025-01-01T00:00:00Z',
  content,
  replies,
});
const failure = (kind: string): unknown => expect.objectContaining({ failure: expect.objectContaining({ kind }) });

test('the store returns a sample as stored, with its tags in order, after a restart', async () => {
  await withDirectory(async (directory) => {
    const first = openSqliteMetadata(directory);
    expect(await first.addSample(sample('a'), [])).toBe('added');
    await first.close();
    const again = openSqliteMetadata(directory);
    expect(await again.sampleByMd5('a'.repeat(32))).toEqual(sample('a'));
    expect(await again.sampleByMd5('b'.repeat(32))).toBeNull();
    expect(await again.addSample(sample('a'), [print('again')])).toBe('already-here');
    expect(await again.commentsOf('a'.repeat(64))).toEqual([]);
    await again.close();
  });
});

test('the store returns files in the requested order, with a gap for each missing one', async () => {
  await withDirectory(async (directory) => {
    const store = openSqliteMetadata(directory);
    await store.addSample(sample('a'), []);
    await store.addSample({ ...sample('b'), restricted: true }, []);
    const file = (digit: string, restricted: boolean) => ({
      md5: digit.repeat(32),
      sha256: digit.repeat(64),
      sizeBytes: 3,
      restricted,
    });
    expect(await store.filesByMd5(['b', 'c', 'a'].map((digit) => digit.repeat(32)))).toEqual([
      file('b', true),
      null,
      file('a', false),
    ]);
    expect((await store.sampleByMd5('b'.repeat(32)))?.restricted).toBe(true);
    await store.close();
  });
});

test('samples stored by an older release are not restricted', async () => {
  await withDirectory(async (directory) => {
    const older = new DatabaseSync(join(directory, 'lab.db'));
    migrate(older, labSteps.slice(0, 1));
    older.exec(
      `INSERT INTO samples VALUES ('${'a'.repeat(64)}', '${'a'.repeat(32)}', '${'a'.repeat(40)}', 3, 'a', NULL, NULL, 1,
        'ana', '2025-01-01T00:00:00Z')`,
    );
    older.close();
    const store = openSqliteMetadata(directory);
    expect(await store.sampleByMd5('a'.repeat(32))).toEqual({ ...sample('a'), tags: [] });
    await store.close();
  });
});

test('the store commits comments of several clients one at a time, and answers each before the next', async () => {
  await withDirectory(async (directory) => {
    const store = openSqliteMetadata(directory);
    await store.addSample(sample('a'), []);
    const said = Array.from({ length: 5 }, (_, at) =>
      store.addComment('a'.repeat(64), {
        parent: null,
        author: 'ana',
        content: `remark ${at}`,
        created: '2025-01-01T00:00:00Z',
      }),
    );
    const written = [0];
    while (written.at(-1) !== 5) {
      await nextTurn();
      written.push((await store.commentsOf('a'.repeat(64))).length);
    }
    expect(written.map((count, at) => count - (written[at - 1] ?? 0)).filter((more) => more > 1)).toEqual([]);
    expect(await Promise.all(said)).toEqual([1, 2, 3, 4, 5]);
    await store.close();
  });
});

test('a thread keeps the parent of each comment', async () => {
  await withDirectory(async (directory) => {
    const store = openSqliteMetadata(directory);
    await store.addSample(sample('a'), [
      print('root', print('reply', print('deeper')), print('other reply')),
      print('second root'),
    ]);
    const comments = await store.commentsOf('a'.repeat(64));
    const content = (id: number | null) => comments.find((comment) => comment.id === id)?.content ?? null;
    expect(comments.map((comment) => [comment.content, content(comment.parent)])).toEqual([
      ['root', null],
      ['reply', 'root'],
      ['deeper', 'reply'],
      ['other reply', 'root'],
      ['second root', null],
    ]);
    await store.close();
  });
});

test('the store refuses other bytes under a taken MD5, and keeps nothing of them', async () => {
  await withDirectory(async (directory) => {
    const store = openSqliteMetadata(directory);
    await store.addSample(sample('a'), []);
    await expect(store.addSample(sample('b', 'a'.repeat(32)), [print('x')])).rejects.toEqual(
      failure('two-samples-one-md5'),
    );
    expect(await store.isKnown('b'.repeat(64))).toBe(false);
    expect(await store.commentsOf('b'.repeat(64))).toEqual([]);
    await store.close();
  });
});

test('a token added over a second connection is visible, and gone when removed', async () => {
  await withDirectory(async (directory) => {
    const serving = openSqliteMetadata(directory);
    const command = openSqliteMetadata(directory);
    const { id } = await command.addToken({
      name: 'ana',
      sha256: 'c'.repeat(64),
      rights: ['read', 'scan'],
      created: '2025-01-01T00:00:00Z',
    });
    expect(await serving.tokens()).toEqual([
      { id, name: 'ana', sha256: 'c'.repeat(64), rights: ['read', 'scan'], created: '2025-01-01T00:00:00Z' },
    ]);
    expect(await command.removeToken(id)).toBe(true);
    expect(await command.removeToken(id)).toBe(false);
    expect(await serving.tokens()).toEqual([]);
    await Promise.all([serving.close(), command.close()]);
  });
});

test('the store refuses a newer schema and leaves it unchanged', async () => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'lab.db');
    const newer = new DatabaseSync(path);
    newer.exec(`PRAGMA user_version = ${labSchemaVersion + 1}`);
    newer.close();
    expect(() => openSqliteMetadata(directory)).toThrow(failure('data-newer'));
    const after = new DatabaseSync(path);
    expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: labSchemaVersion + 1 });
    expect(after.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()).toEqual({ tables: 0 });
    after.close();
  });
});

test('the store reports a file that is no database as damaged and does not touch it', async () => {
  await withDirectory(async (directory) => {
    await writeFile(join(directory, 'lab.db'), 'this is no database, and long enough to tell'.repeat(200));
    expect(() => openSqliteMetadata(directory)).toThrow(failure('data-damaged'));
  });
});

test('two processes that open a new store at once both find it complete', async () => {
  await withDirectory(async (directory) => {
    const stores = [openSqliteMetadata(directory), openSqliteMetadata(directory)];
    for (const store of stores) expect(await store.stockedRelease('sample-files')).toBe(0);
    await stores[0]?.recordStocked('sample-files', 7);
    expect(await stores[1]?.stockedRelease('sample-files')).toBe(7);
    expect(await stores[1]?.stockedRelease('starter-rules')).toBe(0);
    await Promise.all(stores.map((store) => store.close()));
  });
});

test('samples added together are stored all or none', async () => {
  await withDirectory(async (directory) => {
    const store = openSqliteMetadata(directory);
    await store.addSamples([
      { sample: { ...sample('a'), virusTotal: true }, comments: [print('root')] },
      { sample: { ...sample('b'), sandbox: true }, comments: [] },
    ]);
    expect(await store.sampleByMd5('a'.repeat(32))).toEqual({ ...sample('a'), virusTotal: true });
    expect(await store.sampleByMd5('b'.repeat(32))).toEqual({ ...sample('b'), sandbox: true });
    await expect(
      store.addSamples([
        { sample: sample('c'), comments: [print('x')] },
        { sample: sample('a'), comments: [] },
      ]),
    ).rejects.toThrow();
    expect([await store.isKnown('c'.repeat(64)), await store.commentsOf('c'.repeat(64))]).toEqual([false, []]);
    await store.close();
  });
});

test('a comment is added only below one of the same sample', async () => {
  await withDirectory(async (directory) => {
    const store = openSqliteMetadata(directory);
    await store.addSamples([
      { sample: sample('a'), comments: [print('root')] },
      { sample: sample('b'), comments: [] },
    ]);
    const [root] = await store.commentsOf('a'.repeat(64));
    const added = { parent: root?.id ?? 0, author: 'ana', content: 'reply', created: '2025-01-01T00:00:00Z' };
    expect(await store.addComment('b'.repeat(64), added)).toBeNull();
    const id = await store.addComment('a'.repeat(64), added);
    expect([await store.commentsOf('a'.repeat(64)), await store.commentsOf('b'.repeat(64))]).toEqual([
      [root, { id, ...added }],
      [],
    ]);
    await store.close();
  });
});

test('the store returns publications newest first, whatever their clock, and each version once', async () => {
  await withDirectory(async (directory) => {
    const store = openSqliteMetadata(directory);
    const of = (id: string, version: string, published: string) =>
      ({ id, version, group: 'Test', published, sha256: id.repeat(64), sizeBytes: 5, files: 2, rules: 3 }) as const;
    const [first, second] = [of('a', '1.0', '2026-11-20T00:00:00.000Z'), of('b', '0.9', '2026-11-10T00:00:00.000Z')];
    expect([
      await store.addPublication(first),
      await store.addPublication(second),
      await store.addPublication(of('c', '1.0', '2026-11-21T00:00:00.000Z')),
    ]).toEqual([true, true, false]);
    await store.close();
    const again = openSqliteMetadata(directory);
    expect([await again.publications(), await again.publication('a'), await again.publication('c')]).toEqual([
      [second, first],
      first,
      null,
    ]);
    expect(await Promise.all(['a', 'b', 'c'].map((digit) => again.isKnown(digit.repeat(64))))).toEqual([
      true,
      true,
      false,
    ]);
    await again.close();
  });
});
