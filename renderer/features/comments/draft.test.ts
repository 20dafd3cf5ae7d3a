import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CommentDraft, noDraft } from '../../../shared/domain/comment.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { failed, type Result, success } from '../../../shared/failure.ts';
import type { UnsavedDraft } from '../../memory/unsaved-texts.ts';
import { KeptDraft } from './draft.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A host and a browser in memory; the test decides when the host answers. */
function placesOf(unsaved: UnsavedDraft | null = null) {
  /** Answered with what the host has then, which is what it was given where nothing else is said. */
  const saves: {
    draft: CommentDraft;
    basedOn: CommentDraft[];
    answer(failure: Failure | null, stored?: CommentDraft): void;
  }[] = [];
  const reads: ((stored: CommentDraft) => void)[] = [];
  const browser = { kept: unsaved, works: true };
  return {
    saves,
    reads,
    browser,
    places: {
      host: {
        read: () =>
          new Promise<Result<CommentDraft>>((resolve) => void reads.push((stored) => resolve(success(stored)))),
        save: (draft: CommentDraft, basedOn: CommentDraft[]) =>
          new Promise<Result<CommentDraft>>((resolve) => {
            saves.push({
              draft,
              basedOn,
              answer: (failure, stored = draft) => resolve(failure === null ? success(stored) : failed(failure)),
            });
          }),
      },
      unsaved: {
        read: async () => browser.kept,
        keep: async (draft: UnsavedDraft) => {
          if (browser.works) browser.kept = draft;
          return browser.works;
        },
        clear: async () => void (browser.kept = null),
      },
    },
  };
}

const pass = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const said = (text: string, parentId: string | null = null): CommentDraft => ({ text, parentId });
const texts = (saves: readonly { draft: CommentDraft }[]): string[] => saves.map(({ draft }) => draft.text);

test('the draft saves one at a time, at most every 400 ms, and the last text always arrives', async () => {
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

test('browser text takes precedence over older host text and is sent to the host', async () => {
  const { saves, places } = placesOf({ text: 'newer', parentId: null, basedOn: [said('older', '1')] });
  const kept = new KeptDraft(places);
  await kept.load({ text: 'older', parentId: '1' });
  expect(kept.snapshot()).toMatchObject({ draft: { text: 'newer', parentId: null }, isLoaded: true });
  await pass();
  expect(texts(saves)).toEqual(['newer']);
});

test('a late host answer does not overwrite text being typed', async () => {
  const { places } = placesOf();
  const kept = new KeptDraft(places);
  await kept.load({ text: 'stored', parentId: null });
  kept.edit({ text: 'stored and more' });
  await kept.load({ text: 'stored', parentId: null });
  expect(kept.snapshot().draft.text).toBe('stored and more');
});

test('a draft shown right after it was left has its last letter, also while the browser still saves', async () => {
  const { saves, browser, places } = placesOf();
  const busy = Promise.withResolvers<void>();
  const slow = {
    ...places,
    unsaved: {
      ...places.unsaved,
      keep: async (draft: UnsavedDraft) =>
        places.unsaved.keep(draft).then(async (isKept) => busy.promise.then(() => isKept)),
    },
  };
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

test('a draft left before its stored text is read leaves that text to the next page', async () => {
  const { saves, browser, places } = placesOf({ text: 'typed before', parentId: null, basedOn: [noDraft] });
  const read = Promise.withResolvers<void>();
  const left = new KeptDraft({
    ...places,
    unsaved: { ...places.unsaved, read: async () => read.promise.then(() => browser.kept) },
  });
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

test('a draft that is left and shown again is read', async () => {
  const { places } = placesOf({ text: 'typed before', parentId: null, basedOn: [noDraft] });
  const kept = new KeptDraft(places);
  const first = kept.load(noDraft);
  kept.leave();
  await Promise.all([first, kept.load(noDraft)]);
  expect(kept.snapshot()).toMatchObject({ draft: { text: 'typed before' }, isLoaded: true });
});

test('flushing waits for pending saves and later changes', async () => {
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

test('a host refusal is reported with the location of the text, and so is a browser refusal', async () => {
  const { browser, places } = placesOf();
  const kept = new KeptDraft({ ...places, host: { ...places.host, save: async () => failed({ kind: 'host-gone' }) } });
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

test('returned text goes above newly typed text', async () => {
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

test('sent text is no longer a draft, also not in the browser', async () => {
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

test('text that another page wrote is not overwritten: own text is added below it, and that is reported', async () => {
  const { saves, browser, places } = placesOf();
  const kept = new KeptDraft(places);
  await kept.load(noDraft);
  kept.edit({ text: 'ok' });
  await pass();
  expect(saves[0]?.basedOn).toEqual([noDraft]);
  kept.edit({ text: 'ok then' });
  saves[0]?.answer(null, said('a long thought', '1'));
  await pass(400);
  const both = said('a long thought\n\n---\n\nok then', '1');
  expect(kept.snapshot()).toMatchObject({ draft: both, isJoined: true });
  expect([saves[1]?.draft, saves[1]?.basedOn]).toEqual([both, [said('a long thought', '1')]]);
  saves[1]?.answer(null);
  await pass(400);
  expect([saves.length, browser.kept]).toEqual([2, null]);
  kept.edit({ text: '' });
  expect(kept.snapshot().isJoined).toBe(false);
});

test('an untouched field follows the text of another page, and one in use does not', async () => {
  const { saves, reads, places } = placesOf();
  const kept = new KeptDraft(places);
  await kept.load(noDraft);
  void kept.follow();
  reads[0]?.(said('of elsewhere', '2'));
  await pass();
  expect(kept.snapshot()).toMatchObject({ draft: said('of elsewhere', '2'), isJoined: false });
  void kept.load(said('told by the thread'));
  kept.edit({ text: 'of elsewhere, and here' });
  reads[1]?.(said('told by the thread'));
  await pass();
  expect(kept.snapshot().draft.text).toBe('of elsewhere, and here');
  void kept.follow();
  expect(reads).toHaveLength(2);
  expect(saves[0]?.basedOn).toEqual([said('of elsewhere', '2')]);
});

test('a save also accepts as its base a text sent without an answer, or already a comment', async () => {
  const { saves, reads, places } = placesOf();
  const kept = new KeptDraft(places);
  await kept.load(noDraft);
  kept.edit({ text: 'a' });
  await pass();
  saves[0]?.answer({ kind: 'host-gone' });
  kept.edit({ text: 'ab' });
  await pass(400);
  expect(saves[1]?.basedOn).toEqual([noDraft, said('a')]);
  saves[1]?.answer(null);
  await pass(400);
  kept.sent();
  void kept.follow();
  reads[0]?.(said('ab'));
  await pass();
  expect(kept.snapshot().draft).toEqual(noDraft);
  kept.edit({ text: 'next' });
  await pass(400);
  expect(saves[2]?.basedOn).toEqual([noDraft, said('ab')]);
});

test('text of an earlier page that never reached the host goes below the newer host text', async () => {
  const { saves, places } = placesOf({ text: 'typed before', parentId: null, basedOn: [noDraft] });
  const kept = new KeptDraft(places);
  await kept.load(said('of elsewhere'));
  await pass();
  expect(saves[0]).toMatchObject({
    draft: { text: 'of elsewhere\n\n---\n\ntyped before' },
    basedOn: [said('of elsewhere')],
  });
});

test('a left draft merges nothing: the next page finds it in the browser', async () => {
  const { saves, browser, places } = placesOf();
  const kept = new KeptDraft(places);
  await kept.load(noDraft);
  kept.edit({ text: 'mine' });
  await pass();
  kept.leave();
  saves[0]?.answer(null, said('of elsewhere'));
  await pass(1000);
  saves[1]?.answer(null, said('of elsewhere'));
  await pass(1000);
  expect(saves.map((save) => save.draft.text)).toEqual(['mine', 'mine']);
  expect(browser.kept).toMatchObject({ text: 'mine' });
});
