import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CommentDraft } from '../../../shared/domain/comment.ts';
import type { Failure } from '../../../shared/failure.ts';
import { KeptDraft, noDraft } from './kept-draft.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A host and a browser in memory; the host answers when it is told to. */
function placesOf(unsaved: CommentDraft | null = null) {
  const saves: { draft: CommentDraft; answer(failure: Failure | null): void }[] = [];
  const browser = { kept: unsaved, works: true };
  return {
    saves,
    browser,
    places: {
      save: (draft: CommentDraft) => new Promise<Failure | null>((answer) => void saves.push({ draft, answer })),
      unsaved: {
        read: async () => browser.kept,
        keep: async (draft: CommentDraft) => {
          if (browser.works) browser.kept = draft;
          return browser.works;
        },
        clear: async () => void (browser.kept = null),
      },
    },
  };
}

const pass = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const texts = (saves: readonly { draft: CommentDraft }[]): string[] => saves.map(({ draft }) => draft.text);

test('one saving after the other, at most every 400 ms, and the last text always arrives', async () => {
  const { saves, browser, places } = placesOf();
  const kept = new KeptDraft(places);
  await kept.load(noDraft);
  for (const text of ['a', 'ab', 'abc']) {
    kept.edit({ text });
    await pass();
  }
  expect(texts(saves)).toEqual(['a']);
  await pass(5000);
  expect(texts(saves)).toEqual(['a']);
  expect(browser.kept?.text).toBe('abc');
  saves[0]?.answer(null);
  await pass(400);
  expect(texts(saves)).toEqual(['a', 'abc']);
  saves[1]?.answer(null);
  await pass(5000);
  expect(saves).toHaveLength(2);
  expect(browser.kept).toBeNull();
});

test('what is in the browser is newer than what the host has, and goes to it', async () => {
  const { saves, places } = placesOf({ text: 'newer', parentId: null });
  const kept = new KeptDraft(places);
  await kept.load({ text: 'older', parentId: '1' });
  expect(kept.snapshot()).toMatchObject({ draft: { text: 'newer', parentId: null }, isLoaded: true });
  await pass();
  expect(texts(saves)).toEqual(['newer']);
});

test('a later answer of the host does not take back what is being written', async () => {
  const { places } = placesOf();
  const kept = new KeptDraft(places);
  await kept.load({ text: 'stored', parentId: null });
  kept.edit({ text: 'stored and more' });
  await kept.load({ text: 'stored', parentId: null });
  expect(kept.snapshot().draft.text).toBe('stored and more');
});

test('who shows a draft right after it was left goes on with its last letter, also while the browser is still keeping the one before', async () => {
  const { saves, browser, places } = placesOf();
  const busy = Promise.withResolvers<void>();
  const slow = { ...places, unsaved: { ...places.unsaved, keep: async (draft: CommentDraft) => places.unsaved.keep(draft).then(async (isKept) => busy.promise.then(() => isKept)) } };
  const left = new KeptDraft(slow);
  await left.load(noDraft);
  left.edit({ text: 'a' });
  left.edit({ text: 'ab' });
  left.leave();
  const next = new KeptDraft(places);
  await next.load(noDraft);
  expect(next.snapshot().draft.text).toBe('ab');
  busy.resolve();
  await pass();
  expect(browser.kept?.text).toBe('ab');
  expect(texts(saves).at(-1)).toBe('ab');
});

test('one that is left before what was kept is read leaves that to whoever shows it next', async () => {
  const { saves, browser, places } = placesOf({ text: 'typed before', parentId: null });
  const read = Promise.withResolvers<void>();
  const left = new KeptDraft({ ...places, unsaved: { ...places.unsaved, read: async () => read.promise.then(() => browser.kept) } });
  const reading = left.load(noDraft);
  left.leave();
  read.resolve();
  await reading;
  await pass(5000);
  expect([texts(saves), browser.kept?.text]).toEqual([[], 'typed before']);
  const next = new KeptDraft(places);
  await next.load(noDraft);
  expect(next.snapshot().draft.text).toBe('typed before');
});

test('one that is left and shown again is read', async () => {
  const { places } = placesOf({ text: 'typed before', parentId: null });
  const kept = new KeptDraft(places);
  const first = kept.load(noDraft);
  kept.leave();
  await Promise.all([first, kept.load(noDraft)]);
  expect(kept.snapshot()).toMatchObject({ draft: { text: 'typed before' }, isLoaded: true });
});

test('flushing waits for what is on its way and for what came after it', async () => {
  const { saves, places } = placesOf();
  const kept = new KeptDraft(places);
  await kept.load(noDraft);
  kept.edit({ text: 'a' });
  await pass();
  kept.edit({ text: 'ab' });
  const flushed = kept.flush();
  await pass();
  saves[0]?.answer(null);
  await pass();
  expect(texts(saves)).toEqual(['a', 'ab']);
  saves[1]?.answer(null);
  expect(await flushed).toBeNull();
});

test('a host that refuses is told, with where the text is; a browser that refuses, too, is told as well', async () => {
  const { browser, places } = placesOf();
  const kept = new KeptDraft({ ...places, save: async () => ({ kind: 'host-gone' }) });
  await kept.load(noDraft);
  kept.edit({ text: 'a' });
  expect(await kept.flush()).toEqual({ kind: 'host-gone' });
  await pass();
  expect(kept.snapshot().safeIn).toBe('browser');
  browser.works = false;
  kept.edit({ text: 'ab' });
  await pass();
  expect(kept.snapshot().safeIn).toBe('nowhere');
});

test('a text that comes back stands above what was begun meanwhile', async () => {
  const { places } = placesOf();
  const kept = new KeptDraft(places);
  await kept.load(noDraft);
  kept.putBack({ text: 'first', parentId: '1' });
  expect(kept.snapshot().draft).toEqual({ text: 'first', parentId: '1' });
  kept.sent();
  kept.edit({ text: 'begun', parentId: '2' });
  kept.putBack({ text: 'first', parentId: '1' });
  expect(kept.snapshot().draft).toEqual({ text: 'first\n\nbegun', parentId: '2' });
});

test('what is a comment now is no draft any more, in the browser neither', async () => {
  const { saves, browser, places } = placesOf();
  const kept = new KeptDraft(places);
  await kept.load(noDraft);
  kept.edit({ text: 'a' });
  await pass();
  saves[0]?.answer(null);
  await pass();
  kept.sent();
  await pass(1000);
  expect(browser.kept).toBeNull();
  expect(texts(saves)).toEqual(['a']);
});
