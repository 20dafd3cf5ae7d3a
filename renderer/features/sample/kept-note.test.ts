import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { longestNote } from '../../../shared/domain/library.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { failed, success } from '../../../shared/failure.ts';
import type { UnsavedNote } from '../../memory/unsaved-texts.ts';
import { KeptNote, KeptNotes } from './kept-note.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A host and a browser in memory; the test decides when the host answers. */
function placesOf(unsaved: UnsavedNote | null = null) {
  const host = { stored: '' };
  const saves: { text: string; answer(failure: Failure | null): void }[] = [];
  const browser = { kept: unsaved, works: true };
  const save = (text: string): Promise<Failure | null> =>
    new Promise((resolve) => {
      saves.push({
        text,
        answer: (failure) => {
          if (failure === null) host.stored = text;
          resolve(failure);
        },
      });
    });
  return {
    host,
    saves,
    browser,
    places: {
      host: { read: async () => success(host.stored), save },
      unsaved: {
        read: async () => browser.kept,
        keep: async (note: UnsavedNote) => {
          if (browser.works) browser.kept = note;
          return browser.works;
        },
        clear: async () => void (browser.kept = null),
      },
    },
  };
}

const pass = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const texts = (saves: readonly { text: string }[]): string[] => saves.map(({ text }) => text);

async function loaded(stored = '', unsaved: UnsavedNote | null = null) {
  const store = placesOf(unsaved);
  store.host.stored = stored;
  const kept = new KeptNote(store.places);
  await kept.load(stored);
  return { ...store, kept };
}

test('the note is saved after a pause, one save at a time, and the last text always arrives', async () => {
  const { saves, browser, kept } = await loaded();
  for (const text of ['a', 'ab', 'abc']) {
    kept.edit(text);
    await pass(500);
  }
  expect(saves).toHaveLength(0);
  expect(kept.snapshot().saving).toBe('waiting');
  expect(browser.kept?.text).toBe('abc');
  await pass(800);
  expect(texts(saves)).toEqual(['abc']);
  kept.edit('abcd');
  await pass(5000);
  expect(texts(saves)).toEqual(['abc']);
  saves[0]?.answer(null);
  await pass();
  expect(texts(saves)).toEqual(['abc', 'abcd']);
  saves[1]?.answer(null);
  await pass();
  expect(kept.snapshot()).toMatchObject({ text: 'abcd', saving: 'saved', failure: null });
  expect(browser.kept).toBeNull();
});

test('the note is saved at once when its field is left', async () => {
  const { saves, kept } = await loaded('before');
  kept.edit('after');
  void kept.flush();
  await pass();
  expect(texts(saves)).toEqual(['after']);
  saves[0]?.answer(null);
  await kept.flush();
  await pass(5000);
  expect(saves).toHaveLength(1);
});

test('browser text of a note takes precedence over older host text and is sent to the host', async () => {
  const { saves, kept } = await loaded('older', { text: 'newer', basedOn: ['older'] });
  expect(kept.snapshot()).toMatchObject({ text: 'newer', isLoaded: true, saving: 'waiting' });
  await pass(800);
  expect(texts(saves)).toEqual(['newer']);
});

test('a failed save reports why, keeps the text in the browser, and is retried with the next letter', async () => {
  const { saves, browser, kept } = await loaded();
  kept.edit('a');
  await pass(800);
  saves[0]?.answer({ kind: 'host-gone' });
  await pass();
  expect(kept.snapshot()).toMatchObject({
    text: 'a',
    saving: 'failed',
    failure: { kind: 'host-gone' },
    isKeptHere: true,
  });
  expect(browser.kept?.text).toBe('a');
  browser.works = false;
  kept.edit('ab');
  await pass(800);
  expect(kept.snapshot().isKeptHere).toBe(false);
  saves[1]?.answer(null);
  await pass();
  expect(kept.snapshot()).toMatchObject({ saving: 'saved', failure: null });
});

test('a text over the limit is not sent, and not lost', async () => {
  const { saves, browser, kept } = await loaded();
  kept.edit('x'.repeat(longestNote + 1));
  await pass(5000);
  expect(saves).toHaveLength(0);
  expect(browser.kept?.text).toHaveLength(longestNote + 1);
  expect(kept.snapshot().saving).toBe('waiting');
});

test('a note changed elsewhere is shown, and text being typed goes below it', async () => {
  const { saves, kept } = await loaded('one');
  await kept.load('two');
  expect(kept.snapshot()).toMatchObject({ text: 'two', saving: 'idle' });
  kept.edit('two and mine');
  await kept.load('three');
  await pass(800);
  expect(texts(saves)).toEqual(['three\n\n---\n\ntwo and mine']);
});

test('browser text based on another host text goes below the current one', async () => {
  const { kept } = await loaded('added in the list', { text: 'typed in vain', basedOn: [''] });
  expect(kept.snapshot().text).toBe('added in the list\n\n---\n\ntyped in vain');
});

test('an own save reported by the host before its answer is not taken for another text', async () => {
  const { saves, kept } = await loaded();
  kept.edit('a');
  await pass(800);
  kept.edit('ab');
  await kept.load('a');
  expect(kept.snapshot().text).toBe('ab');
  saves[0]?.answer(null);
  await pass(800);
  expect(texts(saves)).toEqual(['a', 'ab']);
});

test('a page reloaded during a save does not duplicate the beginning of the text', async () => {
  const { browser, kept } = await loaded();
  kept.edit('a');
  await pass(800);
  kept.edit('ab');
  await pass();
  const { kept: later } = await loaded('a', browser.kept);
  expect(later.snapshot().text).toBe('ab');
});

test('the host text is fetched after a failure, and nothing of it is overwritten', async () => {
  const { host, saves, kept } = await loaded('one');
  kept.edit('one and mine');
  await pass(800);
  saves[0]?.answer({ kind: 'host-gone' });
  await pass();
  host.stored = 'added elsewhere';
  void kept.flush();
  await pass();
  expect(texts(saves)).toEqual(['one and mine', 'added elsewhere\n\n---\n\none and mine']);
});

test('a save that arrived without its answer is not sent again', async () => {
  const { host, saves, browser, kept } = await loaded();
  kept.edit('a');
  await pass(800);
  saves[0]?.answer({ kind: 'host-gone' });
  await pass();
  host.stored = 'a';
  await kept.flush();
  await pass();
  expect(saves).toHaveLength(1);
  expect(kept.snapshot()).toMatchObject({ text: 'a', saving: 'saved', failure: null });
  expect(browser.kept).toBeNull();
});

describe('the notes of the page', () => {
  const ignore = (): void => undefined;

  async function left() {
    const store = placesOf();
    const notes = new KeptNotes(() => store.places);
    const kept = notes.of('f00d');
    await kept.load('');
    const stop = kept.subscribe(ignore);
    kept.edit('a');
    stop();
    void notes.leave('f00d');
    await pass();
    return { ...store, notes, kept };
  }

  test('share an unsaved note with the next view that shows it, and release it after that', async () => {
    const { saves, notes, kept } = await left();
    expect(notes.of('f00d')).toBe(kept);
    saves[0]?.answer(null);
    await pass();
    expect(notes.of('f00d')).not.toBe(kept);
  });

  test('keep a note that is shown again while it is saved', async () => {
    const { saves, notes, kept } = await left();
    kept.subscribe(ignore);
    saves[0]?.answer(null);
    await pass();
    expect(notes.of('f00d')).toBe(kept);
  });

  test('send a note of an earlier page to the host unopened, below the text saved meanwhile', async () => {
    const store = placesOf({ text: 'mine', basedOn: [''] });
    store.host.stored = 'of another desk';
    const notes = new KeptNotes(() => store.places);
    void notes.recover(['f00d']);
    await pass();
    expect(texts(store.saves)).toEqual(['of another desk\n\n---\n\nmine']);
    store.saves[0]?.answer(null);
    await pass();
    expect(store.browser.kept).toBeNull();
  });

  test('keep a note in the browser when its sample cannot be read', async () => {
    const store = placesOf({ text: 'mine', basedOn: [''] });
    const notes = new KeptNotes(() => ({
      ...store.places,
      host: { ...store.places.host, read: async () => failed({ kind: 'host-gone' }) },
    }));
    await notes.recover(['f00d']);
    await pass(2000);
    expect(store.saves).toEqual([]);
    expect(store.browser.kept?.text).toBe('mine');
  });

  test('retry a failed save when the host is back, even when the note is not shown', async () => {
    const { saves, notes, kept } = await left();
    saves[0]?.answer({ kind: 'host-gone' });
    await pass();
    expect(notes.of('f00d')).toBe(kept);
    void notes.tryAgain();
    await pass();
    saves[1]?.answer(null);
    await pass();
    expect(texts(saves)).toEqual(['a', 'a']);
    expect(notes.of('f00d')).not.toBe(kept);
  });
});
