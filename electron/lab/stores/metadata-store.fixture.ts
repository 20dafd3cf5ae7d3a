import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { anyText } from '../../base/property.fixture.ts';
import type { MetadataStore, NewSample, StoredPublication, StoredToken } from './metadata-store.ts';
import { created, digest, newComment, newSample, withMd5Of } from './new-sample.fixture.ts';

/** A new, empty place for metadata. Each call opens another store over it, as another process would. */
export type NewPlace = () => Promise<() => Promise<MetadataStore>>;

/** As a store returns it: where its bytes are is no part of it. */
function stored({ sample: { place: _place, ...sample } }: NewSample): Omit<NewSample['sample'], 'place'> {
  return sample;
}

const md5Of = (seed: string): string => newSample(seed).sample.hashes.md5;
const sha256Of = (seed: string): string => newSample(seed).sample.hashes.sha256;

/** What every store answers for text: some show what they cannot keep as it is. */
const shown = (text: string): string => text.toWellFormed().replaceAll('\0', '\u2400');

function publicationOf(seed: string, version: string, changes: Partial<StoredPublication> = {}): StoredPublication {
  const sha256 = digest('sha256', `package ${seed}`);
  const published = '2026-11-20T00:00:00Z';
  const publication = { id: seed, version, group: 'Test', published, sha256, place: sha256 } as const;
  return { ...publication, sizeBytes: 5, files: 2, rules: 3, ...changes };
}

function newToken(seed: string): Omit<StoredToken, 'id' | 'lastUsed'> {
  return { name: 'ana', sha256: digest('sha256', `token ${seed}`), rights: ['read', 'scan'], created };
}

/** What every store of metadata does. */
export function metadataStoreContract(title: string, newPlace: NewPlace): void {
  const openPlace = async (): Promise<() => Promise<MetadataStore>> => {
    const open = await newPlace();
    return async () => {
      const store = await open();
      onTestFinished(() => store.close());
      return store;
    };
  };
  const openNew = async (): Promise<MetadataStore> => (await openPlace())();
  describe(`${title} as a store of metadata`, () => {
    describeSamples(openPlace, openNew);
    describeText(openNew);
    describeComments(openNew);
    describePublications(openPlace, openNew);
    describeBlobs(openNew);
    describeTokens(openPlace, openNew);
  });
}

type Opens = () => Promise<MetadataStore>;

function describeSamples(openPlace: () => Promise<Opens>, openNew: Opens): void {
  test('a sample reads back as added, with its tags in order, in another store', async () => {
    const open = await openPlace();
    const first = await open();
    const added = newSample('a', { mime: 'text/plain', threat: 'x', criticity: 3, virusTotal: true });
    expect(await first.addSamples([added])).toEqual(['added']);
    const again = await open();
    expect(await again.recordByMd5(md5Of('a'))).toEqual({ sample: stored(added), comments: [] });
    expect(await again.recordByMd5(md5Of('b'))).toBeNull();
  });

  test('a sample that is there stays as it is when it is added again', async () => {
    const store = await openNew();
    await store.addSamples([newSample('a')]);
    const again = { ...newSample('a', { name: 'other', tags: [] }), comments: [newComment('again')] };
    expect(await store.addSamples([again])).toEqual(['already-here']);
    expect(await store.recordByMd5(md5Of('a'))).toEqual({ sample: stored(newSample('a')), comments: [] });
  });

  test('an MD5 that other bytes have is taken, and nothing is stored of the second', async () => {
    const store = await openNew();
    await store.addSamples([newSample('a')]);
    const second = { ...withMd5Of('b', 'a'), comments: [newComment('x')] };
    expect(await store.addSamples([second])).toEqual(['md5-taken']);
    expect(await store.recordByMd5(md5Of('a'))).toEqual({ sample: stored(newSample('a')), comments: [] });
    expect(await store.unknownAmong([sha256Of('a'), sha256Of('b')])).toEqual([sha256Of('b')]);
    expect(await store.blobsAfter(null, 10)).toHaveLength(1);
  });

  test('each sample of a list has its own outcome, and the first of several counts', async () => {
    const store = await openNew();
    await store.addSamples([newSample('here'), newSample('b')]);
    const list = [
      { ...newSample('new'), comments: [newComment('first')] },
      newSample('here'),
      { ...newSample('new', { name: 'second' }), comments: [newComment('second')] },
      withMd5Of('other', 'b'),
      newSample('c'),
      withMd5Of('more', 'c'),
      withMd5Of('more', 'c'),
    ];
    expect(await store.addSamples(list)).toEqual([
      'added',
      'already-here',
      'already-here',
      'md5-taken',
      'added',
      'md5-taken',
      'md5-taken',
    ]);
    const found = await store.recordByMd5(md5Of('new'));
    expect(found?.sample).toEqual(stored(newSample('new')));
    expect(found?.comments.map(({ content }) => content)).toEqual(['first']);
    expect(await store.addSamples([])).toEqual([]);
  });

  test('a thousand samples are added in one call', async () => {
    const store = await openNew();
    const list = Array.from({ length: 1_000 }, (_, at) => ({
      ...newSample(`${at}`, { name: `${at}` }),
      comments: [newComment(`of ${at}`, newComment('reply'))],
    }));
    expect(new Set(await store.addSamples(list))).toEqual(new Set(['added']));
    expect(new Set(await store.addSamples(list))).toEqual(new Set(['already-here']));
    for (const at of [0, 500, 999]) {
      const found = await store.recordByMd5(md5Of(`${at}`));
      expect([found?.sample.name, found?.comments[0]?.content]).toEqual([`${at}`, `of ${at}`]);
    }
  });

  test('records are returned with their comments in the order in which they were written', async () => {
    const store = await openNew();
    const comment = (content: string, parent: number | null) => ({ author: 'ana', created, content, parent });
    const comments = [comment('one', null), comment('two', null), comment('to one', 0), comment('to two', 1)];
    const record = { sample: newSample('b').sample, comments };
    expect(await store.addRecords([record])).toEqual(['added']);
    await store.addSamples([{ ...newSample('a'), comments: [newComment('root', newComment('reply'))] }]);
    const threaded = { sample: newSample('a').sample, comments: [comment('root', null), comment('reply', 0)] };
    expect(await store.recordsBySha256(['b', 'c', 'a'].map(sha256Of))).toEqual([record, null, threaded]);
  });

  test('files are returned in the order of the request, with a gap for each missing one', async () => {
    const store = await openNew();
    await store.addSamples([newSample('a'), newSample('b', { restricted: true })]);
    const file = (seed: string, restricted: boolean) => ({
      md5: md5Of(seed),
      sha256: sha256Of(seed),
      place: sha256Of(seed),
      sizeBytes: 3,
      restricted,
    });
    const wanted = ['b', 'c', 'a', 'b'].map(md5Of);
    expect(await store.filesByMd5(wanted)).toEqual([file('b', true), null, file('a', false), file('b', true)]);
    expect(await store.filesByMd5([])).toEqual([]);
    expect(await store.filesByMd5(['', 'no MD5'])).toEqual([null, null]);
    expect(await store.recordByMd5('no MD5')).toBeNull();
  });

  test('two stores that add the same samples at once report each as added once', async () => {
    const open = await openPlace();
    const list = Array.from({ length: 20 }, (_, at) => newSample(`${at}`));
    const [one, other] = [await open(), await open()];
    const [first, second] = await Promise.all([one.addSamples(list), other.addSamples(list.toReversed())]);
    const pairs = first.map((outcome, at) => new Set([outcome, second.toReversed()[at]]));
    expect(pairs).toEqual(list.map(() => new Set(['added', 'already-here'])));
  });
}

function describeText(openNew: Opens): void {
  test('odd text reads back, or in the form in which it can be stored', async () => {
    const store = await openNew();
    const texts = [
      '',
      '\0',
      'a\0b',
      '\u{1F9A0}',
      '\u202Eexe.scr',
      'ä\u0301',
      '\uD83D',
      '{"a":\\"}',
      'NULL',
      '\u2028\r\n',
    ];
    const list = texts.map((name, at) => ({
      ...newSample(`${at}`, { name, mime: name, threat: name, uploader: name, tags: [name, ...texts] }),
      comments: [{ ...newComment(name), author: name }],
    }));
    expect(await store.addSamples(list)).toEqual(texts.map(() => 'added'));
    for (const [at, text] of texts.entries()) {
      const found = await store.recordByMd5(md5Of(`${at}`));
      const { name, mime, threat, uploader, tags } = found?.sample ?? newSample('none').sample;
      const [comment] = found?.comments ?? [];
      const read = [name, mime, threat, uploader, ...tags, comment?.author, comment?.content];
      expect(read.map((one) => shown(one ?? 'missing'))).toEqual(
        [text, text, text, text, text, ...texts, text, text].map(shown),
      );
    }
    expect(await store.publication('\0')).toBeNull();
    const sha256 = sha256Of('0');
    const id = await store.addComment(sha256, { parent: null, author: '\0', content: '\uDC00', created });
    const last = (await store.recordByMd5(md5Of('0')))?.comments.at(-1);
    expect([last?.id, shown(last?.author ?? ''), last?.content]).toEqual([id, '\u2400', '\uFFFD']);
  });

  test('a comment of a mebibyte and an empty list of tags read back', async () => {
    const store = await openNew();
    const content = '\u{1F9A0}x"\\\n'.repeat(2 ** 20 / 8);
    await store.addSamples([{ ...newSample('a', { tags: [] }), comments: [newComment(content)] }]);
    const found = await store.recordByMd5(md5Of('a'));
    expect(found?.sample.tags).toEqual([]);
    expect(found?.comments[0]?.content === content).toBe(true);
  });

  test('times read back in UTC, with milliseconds where there are some', async () => {
    const store = await openNew();
    const times = ['2025-06-30T23:59:59Z', '2025-01-01T00:00:00.500Z', '1999-12-31T00:00:00.001Z'];
    const list = times.map((uploaded) => ({
      ...newSample(uploaded, { uploaded }),
      comments: [{ ...newComment('x'), created: uploaded }],
    }));
    await store.addSamples(list);
    for (const at of times) {
      const found = await store.recordByMd5(md5Of(at));
      expect([found?.sample.uploaded, found?.comments[0]?.created]).toEqual([at, at]);
    }
  });

  test('whatever is added reads back', async () => {
    const store = await openNew();
    const nullable = fc.option(anyText);
    const facts = fc.record({
      name: anyText,
      mime: nullable,
      threat: nullable,
      criticity: fc.constantFrom(1, 2, 3),
      tags: fc.array(anyText, { maxLength: 5 }),
      uploader: anyText,
      restricted: fc.boolean(),
      virusTotal: fc.boolean(),
      sandbox: fc.boolean(),
      sizeBytes: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      seed: fc.uuid(),
      remarks: fc.array(anyText, { maxLength: 3 }),
    });
    const list = fc.uniqueArray(facts, { maxLength: 4, selector: ({ seed }) => seed });
    await fc.assert(
      fc.asyncProperty(list, async (drawn) => {
        const added = drawn.map(({ seed, remarks, ...changes }) => ({
          ...newSample(seed, changes),
          comments: remarks.map((remark) => newComment(remark)),
        }));
        expect(await store.addSamples(added)).toEqual(added.map(() => 'added'));
        for (const one of added) {
          const found = await store.recordByMd5(one.sample.hashes.md5);
          expect(textShown(found?.sample)).toEqual(textShown(stored(one)));
          expect(found?.comments.map(({ content }) => shown(content))).toEqual(
            one.comments.map(({ content }) => shown(content)),
          );
        }
      }),
      { numRuns: 30 },
    );
  });
}

const textShown = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? shown(part) : part)));

function describeComments(openNew: Opens): void {
  test('a thread keeps the parent of each comment', async () => {
    const store = await openNew();
    const threads = [
      newComment('root', newComment('reply', newComment('deeper')), newComment('other reply')),
      newComment('second root'),
    ];
    await store.addSamples([
      { ...newSample('a'), comments: [newComment('of another', newComment('its reply'))] },
      { ...newSample('b'), comments: threads },
    ]);
    const comments = (await store.recordByMd5(md5Of('b')))?.comments ?? [];
    const content = (id: number | null) => comments.find((comment) => comment.id === id)?.content ?? null;
    expect(comments.map((comment) => [comment.content, content(comment.parent)])).toEqual([
      ['root', null],
      ['reply', 'root'],
      ['deeper', 'reply'],
      ['other reply', 'root'],
      ['second root', null],
    ]);
  });

  test('a comment is added only below one of the same sample', async () => {
    const store = await openNew();
    await store.addSamples([{ ...newSample('a'), comments: [newComment('root')] }, newSample('b')]);
    const commentsOf = async (seed: string) => (await store.recordByMd5(md5Of(seed)))?.comments;
    const root = (await commentsOf('a'))?.[0];
    const added = { parent: root?.id ?? 0, author: 'ana', content: 'reply', created };
    expect(await store.addComment(sha256Of('b'), added)).toBeNull();
    const id = await store.addComment(sha256Of('a'), added);
    expect([await commentsOf('a'), await commentsOf('b')]).toEqual([[root, { id, ...added }], []]);
    const parents = [0, -1, 1e15, 1.5, 1e300];
    for (const parent of parents) expect(await store.addComment(sha256Of('a'), { ...added, parent })).toBeNull();
  });

  test('comments that several clients add at once are all there, in the order of their numbers', async () => {
    const store = await openNew();
    await store.addSamples([newSample('a')]);
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        store.addComment(sha256Of('a'), { parent: null, author: 'ana', content: `remark ${at}`, created }),
      ),
    );
    const found = (await store.recordByMd5(md5Of('a')))?.comments ?? [];
    expect(found.map(({ id }) => id)).toEqual(ids.map(Number).toSorted((a, b) => a - b));
    for (const [at, id] of ids.entries())
      expect(found.find((comment) => comment.id === id)?.content).toBe(`remark ${at}`);
  });
}

function describePublications(openPlace: () => Promise<Opens>, openNew: Opens): void {
  test('publications are returned newest first, whatever their clock, and each version is added once', async () => {
    const open = await openPlace();
    const store = await open();
    const first = publicationOf('a', '1.0');
    const second = publicationOf('b', '0.9', { published: '2026-11-10T00:00:00.250Z' });
    const adding = [first, second, publicationOf('c', '1.0')];
    for (const publication of adding)
      expect(await store.addPublication(publication)).toBe(publication === adding[2] ? 'version-taken' : 'added');
    await expect(store.addPublication(publicationOf('a', '2.0'))).rejects.toThrow(/with the ID a\.$/);
    const again = await open();
    expect(await again.publications()).toEqual([second, first]);
    expect([await again.publication('a'), await again.publication('c')]).toEqual([first, null]);
    expect(await again.unknownAmong(adding.map(({ place }) => place))).toEqual([adding[2]?.place]);
  });

  test('the current publication is the newest release, or the newest of all where there is no release', async () => {
    const store = await openNew();
    expect(await store.currentPublication()).toBeNull();
    const [test1, release1, release2, test2] = [
      publicationOf('a', '1'),
      publicationOf('b', '2', { group: 'Release' }),
      publicationOf('c', '3', { group: 'Release' }),
      publicationOf('d', '4'),
    ];
    const current: unknown[] = [];
    for (const publication of [test1, release1, release2, test2]) {
      await store.addPublication(publication);
      current.push(await store.currentPublication());
    }
    expect(current).toEqual([test1, release1, release2, release2]);
  });

  test('of several processes that add a version at once, one adds it', async () => {
    const open = await openPlace();
    const stores = [await open(), await open(), await open()];
    const outcomes = await Promise.all(stores.map((store, at) => store.addPublication(publicationOf(`${at}`, '1.0'))));
    expect(outcomes.toSorted()).toEqual(['added', 'version-taken', 'version-taken']);
  });

  test('a link leads to its publication in every process until it expires', async () => {
    const open = await openPlace();
    const [one, other] = [await open(), await open()];
    const publication = publicationOf('a', '1.0');
    await one.addPublication(publication);
    const link = { publication: 'a', isPublic: true, isEncrypted: false };
    const digests = ['long', 'over', 'ago', 'later'].map((seed) => digest('sha256', seed));
    const [long = '', over = '', ago = '', later = ''] = digests;
    await one.addLink({ ...link, digest: long, seconds: 60 });
    await one.addLink({ ...link, digest: later, seconds: 60, isPublic: false, isEncrypted: true });
    await one.addLink({ ...link, digest: ago, seconds: -60 });
    // The next one would remove it.
    await one.addLink({ ...link, digest: over, seconds: 0 });
    expect(await Promise.all(digests.map((at) => other.linkAt(at)))).toEqual([
      { publication, isPublic: true, isEncrypted: false },
      null,
      null,
      { publication, isPublic: false, isEncrypted: true },
    ]);
    expect(await other.linkAt(digest('sha256', 'never'))).toBeNull();
    expect(await other.linkAt('')).toBeNull();
  });
}

function describeBlobs(openNew: Opens): void {
  test('places that no row names are unknown, in the order of the request', async () => {
    const store = await openNew();
    await store.addSamples([newSample('a')]);
    await store.addPublication(publicationOf('p', '1'));
    const places = ['x', sha256Of('a'), publicationOf('p', '1').place, 'y', 'x'];
    expect(await store.unknownAmong(places)).toEqual(['x', 'y', 'x']);
    expect(await store.unknownAmong([])).toEqual([]);
  });

  test('bytes that rows name are listed in pages, those of a sample and a publication once', async () => {
    const store = await openNew();
    const seeds = Array.from({ length: 7 }, (_, at) => `${at}`);
    await store.addSamples(seeds.map((seed) => newSample(seed)));
    const own = publicationOf('p', '1');
    await store.addPublication(own);
    const shared = publicationOf('q', '2', { sha256: sha256Of('3'), place: sha256Of('3'), sizeBytes: 3 });
    await store.addPublication(shared);
    const expected = [
      ...seeds.map((seed) => ({ sha256: sha256Of(seed), sizeBytes: 3, place: sha256Of(seed) })),
      { sha256: own.sha256, sizeBytes: 5, place: own.place },
    ].toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
    const found: unknown[] = [];
    for (let page = await store.blobsAfter(null, 3); page.length > 0;) {
      expect(page.length).toBeLessThanOrEqual(3);
      found.push(...page);
      page = await store.blobsAfter(page.at(-1)?.sha256 ?? null, 3);
    }
    expect(found).toEqual(expected);
  });

  test('a stocked release is remembered for each kind of stock', async () => {
    const store = await openNew();
    expect(await store.stockedRelease('sample-files')).toBe(0);
    await store.recordStocked('sample-files', 7);
    await store.recordStocked('sample-files', 8);
    expect(await store.stockedRelease('sample-files')).toBe(8);
    expect(await store.stockedRelease('starter-rules')).toBe(0);
  });
}

function describeTokens(openPlace: () => Promise<Opens>, openNew: Opens): void {
  test('a token that another process adds is found by its digest, and not after its removal', async () => {
    const open = await openPlace();
    const [serving, command] = [await open(), await open()];
    const token = newToken('a');
    const { id } = await command.addToken(token);
    const other = await command.addToken({ ...newToken('b'), rights: [] });
    expect(await serving.tokens()).toEqual([{ ...token, id, lastUsed: null }, other]);
    expect(await serving.tokenByDigest(token.sha256)).toEqual({ ...token, id, lastUsed: null });
    const { sha256: unknown } = newToken('c');
    expect([await serving.tokenByDigest(unknown), await serving.isRevoked(unknown)]).toEqual([null, false]);
    expect([await command.removeToken(id), await command.removeToken(id)]).toEqual([true, false]);
    expect([await serving.tokenByDigest(token.sha256), await serving.isRevoked(token.sha256)]).toEqual([null, true]);
    expect(await command.removeToken(1e300)).toBe(false);
    expect(await serving.tokens()).toEqual([other]);
  });

  test('the last use of a token is kept as a day', async () => {
    const store = await openNew();
    const { id } = await store.addToken(newToken('a'));
    await store.noteTokenUse(id, '2026-11-30');
    await store.noteTokenUse(id + 1, '2026-12-01');
    expect((await store.tokenByDigest(newToken('a').sha256))?.lastUsed).toBe('2026-11-30');
    expect((await store.tokens()).map(({ lastUsed }) => lastUsed)).toEqual(['2026-11-30']);
  });

  test('a digest is no two tokens', async () => {
    const store = await openNew();
    const first = await store.addToken(newToken('a'));
    await expect(store.addToken({ ...newToken('a'), name: 'eve' })).rejects.toThrow();
    expect(await store.tokens()).toEqual([first]);
  });
}
