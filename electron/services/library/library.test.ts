import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { latestFirst } from '../../../shared/domain/library.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { Stores } from '../../storage/stores.ts';
import { recordWith } from '../../storage/testing/database.fixture.ts';
import { collected } from '../../vault/eicar.fixture.ts';
import type { Vault } from '../../vault/vault.ts';
import { createTestLibrary, found, named, termsOf, type TestLibrary } from './library.fixture.ts';
import type { Library } from './library.ts';

/** One for all tests, because its threads take a moment to start: each keeps samples under a tag of its own. */
let setup: TestLibrary;
let stores: Stores;
let vault: Vault;
let library: Library;
let reported: string[];
let keep: TestLibrary['keep'];
let listed: TestLibrary['listed'];
let received: TestLibrary['received'];

beforeAll(async () => {
  setup = await createTestLibrary();
  ({ stores, vault, library, reported, keep, listed, received } = setup);
});
afterAll(() => setup.close());

test('a query change affects all its results, even when the change removes rows from them', async () => {
  const kept = await keep('first', 130);
  expect(
    await library.change({ selection: found('tag:first -tag:seen'), change: { add: ['seen'], remove: [] } }),
  ).toEqual({ changed: 130, leftOut: 0 });
  expect((await listed('tag:seen')).toSorted()).toEqual(kept.toSorted());
  expect(
    await library.change({ selection: found('tag:first -tag:seen'), change: { add: ['seen'], remove: [] } }),
  ).toEqual({ changed: 0, leftOut: 0 });
});

test('a query change affects all its results except the exceptions', async () => {
  const [left = '', ...others] = await keep('second', 3);
  await library.change({
    selection: { kind: 'query', terms: termsOf('tag:second'), except: [left] },
    change: { add: [], remove: [], tlp: 'red' },
  });
  expect((await listed('tag:second tlp:red')).toSorted()).toEqual(others.toSorted());
  expect(library.sample(left).row.tlp).toBe(null);
});

test('a note is found by its words, and removed when empty', async () => {
  const [sha256 = ''] = await keep('third');
  library.note({ sha256, text: 'Unpacks **itself** twice' });
  expect(library.sample(sha256).note?.text).toBe('Unpacks **itself** twice');
  expect(await listed('note:itself')).toEqual([sha256]);
  await library.change({ selection: named(sha256), change: { add: [], remove: [], note: 'And again' } });
  expect(library.sample(sha256).note?.text).toBe('Unpacks **itself** twice\n\nAnd again');
  await library.change({ selection: named(sha256), change: { add: [], remove: [], note: 'And again' }, again: true });
  expect(library.sample(sha256).note?.text).toBe('Unpacks **itself** twice\n\nAnd again');
  library.note({ sha256, text: '' });
  expect(library.sample(sha256).note).toBe(null);
  expect(await listed('note:itself')).toEqual([]);
});

test('a sample known by its MD5 alone is left out of a change, and counted', async () => {
  const md5 = randomBytes(16).toString('hex');
  stores.library.recordLookup({
    workspaceId: 'lab',
    md5,
    record: recordWith({ md5, name: 'half known' }),
    outcome: 'found',
  });
  expect(await library.change({ selection: named(md5), change: { add: ['half'], remove: [] } })).toEqual({
    changed: 0,
    leftOut: 1,
  });
});

test('forgetting the bytes keeps the known facts, and is in the journal', async () => {
  const [sha256 = ''] = await keep('fourth');
  expect(await library.forget({ selection: named(sha256), what: 'bytes', expected: null })).toEqual({ forgotten: 1 });
  expect(await library.forget({ selection: named(sha256), what: 'bytes', expected: null })).toEqual({ forgotten: 0 });
  expect(await vault.has(sha256)).toBe(false);
  expect(library.sample(sha256).row).toMatchObject({ vault: 'none', tags: ['fourth'] });
  expect(stores.library.history(sha256)[0]).toMatchObject({ operation: 'forget', outcome: 'bytes', hash: sha256 });
});

test('forgetting all results of a query leaves only the journal', async () => {
  const kept = await keep('fifth', 60);
  expect(await library.forget(await setup.allOf('tag:fifth'))).toEqual({ forgotten: 60 });
  expect(await listed('tag:fifth')).toEqual([]);
  for (const sha256 of kept) expect(await vault.has(sha256)).toBe(false);
  const [first = ''] = kept;
  expect(() => library.sample(first)).toThrow(
    expect.objectContaining({ failure: { kind: 'not-in-library', hash: first } }),
  );
  expect(stores.library.history(first).map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
    'forget all',
  ]);
});

test('a sample downloaded again while it is being forgotten stays in the vault', async () => {
  const kept = await keep('again', 10);
  const bytes = await Promise.all(kept.map((sha256) => collected(vault.read(sha256))));
  const forgetting = library.forget(await setup.allOf('tag:again'));
  await vi.waitFor(() => expect(stores.library.find(kept[0] ?? '')).toBe(null), { interval: 0 });
  const { md5, sha1, sha256, sizeBytes } = await received(bytes[9] ?? Buffer.alloc(0));
  stores.library.recordDownload({ workspaceId: 'lab', md5, hashes: { md5, sha1, sha256 }, sizeBytes, outcome: 'done' });
  await forgetting;
  expect(stores.library.find(sha256)?.inVault).toBe(true);
  expect(await collected(vault.read(sha256))).toEqual(bytes[9]);
  for (const gone of kept.slice(0, 9)) expect(await vault.has(gone)).toBe(false);
});

/** One whose vault refuses to remove some. */
const refusing = (refuses: (sha256: string) => boolean): Library =>
  setup.over({
    remove: (sha256) =>
      refuses(sha256)
        ? Promise.reject(new FailureError({ kind: 'not-writable', path: '/data', code: 'EROFS' }))
        : vault.remove(sha256),
  });

test('bytes that the vault could not remove are removed next time, and the rest of the step at once', async () => {
  const [first = '', ...others] = await keep('refused', 4);
  let isReadOnly = true;
  const ours = refusing((sha256) => isReadOnly && sha256 === first);
  await expect(ours.forget(await setup.allOf('tag:refused'))).rejects.toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ kind: 'not-writable' }) }),
  );
  expect([await vault.has(first), ...(await Promise.all(others.map((sha256) => vault.has(sha256))))]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(stores.library.bytesToDrop(9)).toEqual([first]);
  isReadOnly = false;
  expect(await ours.forget(await setup.allOf('tag:refused'))).toEqual({ forgotten: 0 });
  expect([await vault.has(first), stores.library.bytesToDrop(9)]).toEqual([false, []]);
});

test('a library closed midway forgets no more, and its current step is complete', async () => {
  const kept = await keep('closing', 60);
  const ours = refusing(() => false);
  const forgetting = ours.forget(await setup.allOf('tag:closing')).catch((error: unknown) => error);
  await vi.waitFor(() => expect(stores.library.find(kept[0] ?? '')).toBe(null), { interval: 0 });
  await ours.close();
  expect(await forgetting).toMatchObject({ failure: { kind: 'cancelled' } });
  const left = kept.filter((sha256) => stores.library.find(sha256) !== null);
  expect(left.length).toBeGreaterThan(0);
  expect([ours.forgetting, stores.library.bytesToDrop(9)]).toEqual([0, []]);
  for (const sha256 of kept) expect(await vault.has(sha256)).toBe(left.includes(sha256));
});

test('nothing is forgotten when the query now finds more than was confirmed', async () => {
  const [first = ''] = await keep('grown');
  const asked = await setup.allOf('tag:grown');
  await keep('grown', 2);
  await expect(library.forget(asked)).rejects.toThrow(
    expect.objectContaining({ failure: { kind: 'selection-changed', expected: 1, found: 3 } }),
  );
  expect(await vault.has(first)).toBe(true);
  expect(await listed('tag:grown')).toHaveLength(3);
});

test('nothing is forgotten when the query now finds as many as confirmed, but others', async () => {
  const [untagged = '', shown = ''] = await keep('swapped', 2);
  const asked = await setup.allOf('tag:swapped');
  stores.library.tagSamples([untagged], [], ['swapped']);
  const [later = ''] = await keep('swapped');
  const changed = expect.objectContaining({ failure: { kind: 'selection-changed', expected: 2, found: 2 } });
  await expect(library.forget(asked)).rejects.toThrow(changed);
  await expect(library.forget({ ...asked, expected: null })).rejects.toThrow(
    expect.objectContaining({ failure: { kind: 'selection-changed', expected: 0, found: 2 } }),
  );
  for (const sha256 of [untagged, shown, later]) expect(await vault.has(sha256)).toBe(true);
  expect(await library.forget(await setup.allOf('tag:swapped'))).toEqual({ forgotten: 2 });
  expect(await vault.has(untagged)).toBe(true);
});

test('nothing is forgotten during a clean-up, which would restore it', async () => {
  const [sha256 = ''] = await keep('cleaning');
  setup.cleaning.is = true;
  await expect(library.forget({ selection: named(sha256), what: 'all', expected: null })).rejects.toThrow(
    expect.objectContaining({ failure: { kind: 'storage-busy' } }),
  );
  setup.cleaning.is = false;
  const forgetting = library.forget({ selection: named(sha256), what: 'all', expected: null });
  expect(library.forgetting).toBe(1);
  expect(await forgetting).toEqual({ forgotten: 1 });
  expect(library.forgetting).toBe(0);
});

test('a page of facts leads to the next, up to the last', async () => {
  const kept = await keep('sixth', 5);
  const first = await library.facts({ selection: found('tag:sixth'), after: 0, limit: 3 });
  const second = await library.facts({
    selection: found('tag:sixth'),
    after: first.next ?? expect.fail('no next page'),
    limit: 3,
  });
  expect([...first.samples, ...second.samples].map(({ sha256 }) => sha256)).toEqual(kept);
  expect(second.next).toBe(null);
});

test('totals state the number and size of the samples of each query', async () => {
  await keep('seventh', 2);
  expect(await library.totals({ queries: [termsOf('tag:seventh'), termsOf('tag:nobodys')] })).toEqual({
    totals: [
      { samples: 2, bytes: 128 },
      { samples: 0, bytes: 0 },
    ],
  });
});

test('views are saved, moved and removed, and the page is notified each time', () => {
  const view = { name: 'Red', query: 'tlp:red', sort: latestFirst, columns: null };
  const before = reported.filter((name) => name === 'views.changed').length;
  const first = library.saveView({ id: null, ...view });
  const second = library.saveView({ id: null, ...view, name: 'Redder' });
  library.moveView(second.id, first.id);
  expect(library.listViews().map(({ name }) => name)).toEqual(['Redder', 'Red']);
  library.removeView(first.id);
  expect(library.listViews()).toEqual([second]);
  expect(reported.filter((name) => name === 'views.changed')).toHaveLength(before + 4);
  expect(() => library.saveView({ ...view, id: first.id })).toThrow(
    expect.objectContaining({ failure: { kind: 'view-missing', id: first.id } }),
  );
});
