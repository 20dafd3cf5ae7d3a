import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { longestNote } from '../../../shared/domain/library.ts';
import type { Failure } from '../../../shared/failure.ts';
import { KeptNote } from './kept-note.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A host and a browser in memory; the host answers when it is told to. */
function placesOf(unsaved: string | null = null) {
  const saves: { text: string; answer(failure: Failure | null): void }[] = [];
  const browser = { kept: unsaved, works: true };
  return {
    saves,
    browser,
    places: {
      save: (text: string) => new Promise<Failure | null>((answer) => void saves.push({ text, answer })),
      unsaved: {
        read: async () => browser.kept,
        keep: async (text: string) => {
          if (browser.works) browser.kept = text;
          return browser.works;
        },
        clear: async () => void (browser.kept = null),
      },
    },
  };
}

const pass = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const texts = (saves: readonly { text: string }[]): string[] => saves.map(({ text }) => text);

async function loaded(stored = '', unsaved: string | null = null) {
  const host = placesOf(unsaved);
  const kept = new KeptNote(host.places);
  await kept.load(stored);
  return { ...host, kept };
}

test('it is saved after a pause, one saving after the other, and the last text always arrives', async () => {
  const { saves, browser, kept } = await loaded();
  for (const text of ['a', 'ab', 'abc']) {
    kept.edit(text);
    await pass(500);
  }
  expect(saves).toHaveLength(0);
  expect(kept.snapshot().saving).toBe('waiting');
  expect(browser.kept).toBe('abc');
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

test('who leaves the field has it saved at once', async () => {
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

test('what is in the browser is newer than what the host has, and goes to it', async () => {
  const { saves, kept } = await loaded('older', 'newer');
  expect(kept.snapshot()).toMatchObject({ text: 'newer', isLoaded: true, saving: 'waiting' });
  await pass(800);
  expect(texts(saves)).toEqual(['newer']);
});

test('a saving that fails says why, keeps the text in the browser, and is tried again with the next letter', async () => {
  const { saves, browser, kept } = await loaded();
  kept.edit('a');
  await pass(800);
  saves[0]?.answer({ kind: 'host-gone' });
  await pass();
  expect(kept.snapshot()).toMatchObject({ text: 'a', saving: 'failed', failure: { kind: 'host-gone' }, isKeptHere: true });
  expect(browser.kept).toBe('a');
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
  expect(browser.kept).toHaveLength(longestNote + 1);
  expect(kept.snapshot().saving).toBe('waiting');
});

test('a note that became another one elsewhere is shown, but not over what is being written', async () => {
  const { kept } = await loaded('one');
  await kept.load('two');
  expect(kept.snapshot()).toMatchObject({ text: 'two', saving: 'idle' });
  kept.edit('two and mine');
  await kept.load('three');
  expect(kept.snapshot().text).toBe('two and mine');
});
