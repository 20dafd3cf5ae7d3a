import { expect, test } from 'vitest';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { fail } from '../../../shared/failure.ts';
import { MemoryBridge } from '../../test/memory-bridge.ts';
import { KeptComment } from './draft-context.tsx';
import { DraftWrites } from './draft-writes.ts';
import { draftOf, uploadFile } from './upload-file.fixture.ts';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** A host that answers one write after the other, when the test releases it. */
function slowHost(refusal?: Failure) {
  const waiting: (() => void)[] = [];
  const bridge = new MemoryBridge({
    'uploads.ticked': () => ({ files: 1, mark: 'f'.repeat(64) }),
    'uploads.change': async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return refusal === undefined ? { changed: 1, refused: 0 } : fail(refusal);
    },
  });
  const writes = new DraftWrites(bridge, 'lab', () => {});
  const answer = async (): Promise<void> => {
    await settled();
    waiting.shift()?.();
    await settled();
  };
  return { bridge, writes, answer };
}

const these = (...ids: number[]) => ({ kind: 'files' as const, ids });

test('DraftWrites shows a change at once, and keeps other files the same object', () => {
  const { writes } = slowHost();
  const other = { ...uploadFile, id: 2 };
  void writes.change(these(1), { tlp: 'red', virusTotal: true });
  expect(writes.shown({ ...uploadFile, virusTotal: true }, 0)).toMatchObject({ tlp: 'red', virusTotal: false });
  expect(writes.shown(other, 0)).toBe(other);
});

test('DraftWrites keeps an unchanged file the same object, whatever is answered or done to others', async () => {
  const { writes, answer } = slowHost();
  void writes.change({ kind: 'ticked' }, { addTags: ['a'] });
  const shown = writes.shown(uploadFile, 0);
  void writes.change(these(2), { addTags: ['b'] });
  await answer();
  writes.note(draftOf([uploadFile]), 1);
  expect(shown.tags).toContain('a');
  expect(writes.shown(uploadFile, 0)).toBe(shown);
});

test('DraftWrites shows a change of many with the next table drawing, and of one at once', () => {
  const { writes } = slowHost();
  const drawn = writes.changesSoFar;
  void writes.change({ kind: 'ticked' }, { addTags: ['all'] });
  expect(writes.shown(uploadFile, 0, drawn)).toBe(uploadFile);
  void writes.change(these(uploadFile.id), { addTags: ['one'] });
  expect(writes.shown(uploadFile, 0, drawn).tags).toEqual([...uploadFile.tags, 'one']);
  expect(writes.shown(uploadFile, 0, writes.changesSoFar).tags).toEqual([...uploadFile.tags, 'all', 'one']);
});

test('DraftWrites sends changes one after the other, in their order, and loses none', async () => {
  const { bridge, writes, answer } = slowHost();
  void writes.change(these(1), { addTags: ['a'] });
  void writes.change(these(1), { removeTags: ['a'] });
  void writes.change(these(1), { addTags: ['a'] });
  await answer();
  expect(bridge.inputsOf('uploads.change')).toHaveLength(2);
  await answer();
  await answer();
  expect(bridge.inputsOf('uploads.change').map((input) => (input as { change: object }).change)).toEqual([
    { addTags: ['a'] },
    { removeTags: ['a'] },
    { addTags: ['a'] },
  ]);
  expect(writes.shown({ ...uploadFile, tags: [] }, 0).tags).toEqual(['a']);
});

test('DraftWrites queues the same change of several files as one call', async () => {
  const { bridge, writes, answer } = slowHost();
  for (const id of [1, 2, 3]) void writes.change(these(id), { isTicked: false });
  await answer();
  expect(bridge.inputsOf('uploads.change').map((input) => (input as { target: object }).target)).toEqual([
    these(1, 2, 3),
  ]);
});

test('DraftWrites applies a change to the files ticked when it was made', async () => {
  const { bridge, writes, answer } = slowHost();
  const [one, two] = [
    { ...uploadFile, isTicked: false },
    { ...uploadFile, id: 2, isTicked: true },
  ];
  void writes.change(these(1), { isTicked: true });
  void writes.change({ kind: 'ticked' }, { tlp: 'clear' });
  void writes.change(these(2), { isTicked: false });
  void writes.removeSingle();
  expect([writes.shown(one, 0), writes.shown(two, 0)]).toMatchObject([
    { isTicked: true, tlp: 'clear' },
    { isTicked: false, tlp: 'clear' },
  ]);
  await answer();
  await answer();
  expect([...bridge.inputsOf('uploads.ticked'), ...bridge.inputsOf('uploads.remove')]).toEqual([]);
  await answer();
  expect(bridge.inputsOf('uploads.remove')).toEqual([
    { workspaceId: 'lab', target: { kind: 'ticked', mark: 'f'.repeat(64) } },
  ]);
});

test('a file read before a response keeps showing the change, and one read after it matches the host', async () => {
  const { writes, answer } = slowHost();
  void writes.change(these(1), { virusTotal: true });
  expect(writes.answered).toBe(0);
  await answer();
  expect(writes.answered).toBe(1);
  expect(writes.shown(uploadFile, 0).virusTotal).toBe(true);
  expect(writes.shown(uploadFile, 1)).toBe(uploadFile);
});

test('DraftWrites shows a change of all ticked files until newer counts are read', async () => {
  const { writes, answer } = slowHost();
  const [before, meanwhile, after] = [draftOf([uploadFile]), draftOf([uploadFile]), draftOf([uploadFile])];
  writes.note(before, 0);
  expect([writes.flagsTicked('virusTotal', before), writes.ticksAll(before)]).toEqual([null, null]);
  void writes.change({ kind: 'ticked' }, { virusTotal: true });
  void writes.change({ kind: 'not-held' }, { isTicked: false });
  expect([
    writes.flagsTicked('virusTotal', before),
    writes.flagsTicked('sandbox', before),
    writes.ticksAll(before),
  ]).toEqual([true, null, false]);
  await answer();
  writes.note(meanwhile, 1);
  await answer();
  expect([writes.flagsTicked('virusTotal', before), writes.ticksAll(before)]).toEqual([true, false]);
  expect([writes.flagsTicked('virusTotal', meanwhile), writes.ticksAll(meanwhile)]).toEqual([null, false]);
  expect([writes.flagsTicked('virusTotal', after), writes.ticksAll(after)]).toEqual([null, null]);
});

test('DraftWrites reverts a change refused by the host and gives the reason', async () => {
  const { writes, answer } = slowHost({ kind: 'upload-file-missing', id: 1 });
  const outcome = writes.change(these(1), { tlp: 'red' });
  await answer();
  expect(await outcome).toBeNull();
  expect(writes.shown(uploadFile, 0)).toBe(uploadFile);
  expect(writes.failure).toEqual({ kind: 'upload-file-missing', id: 1 });
});

test('DraftWrites splits more files than one call takes', async () => {
  const { bridge, writes, answer } = slowHost();
  void writes.change(these(...Array.from({ length: 5001 }, (_, index) => index + 1)), { isTicked: true });
  await answer();
  await answer();
  expect(
    bridge.inputsOf('uploads.change').map((input) => (input as { target: { ids: number[] } }).target.ids.length),
  ).toEqual([5000, 1]);
});

test('DraftWrites saves the comment in its final form before any later change', async () => {
  const bridge = new MemoryBridge();
  const writes = new DraftWrites(bridge, 'lab', () => {});
  const comment = new KeptComment(writes, 'lab');
  for (const typed of ['C', 'Ca', 'Cas', 'Case ']) comment.type(typed);
  void comment.flush();
  await writes.send('uploads.send', { workspaceId: 'lab' });
  expect(bridge.asked.map(({ name, input }) => [name, (input as { text?: string }).text])).toEqual([
    ['uploads.comment', 'C'],
    ['uploads.comment', 'Case '],
    ['uploads.send', undefined],
  ]);
  comment.release('Case');
  expect(comment.typed()).toBe('Case ');
  comment.release('Case ');
  expect(comment.typed()).toBeNull();
});

test('a too long comment stays in the field and is not saved', async () => {
  const bridge = new MemoryBridge();
  const comment = new KeptComment(new DraftWrites(bridge, 'lab', () => {}), 'lab');
  comment.type('x'.repeat(100_001));
  await comment.flush();
  expect(bridge.inputsOf('uploads.comment')).toEqual([]);
  expect(comment.typed()).toHaveLength(100_001);
});

test('a comment that failed to save is saved with the next key', async () => {
  let isDown = true;
  const bridge = new MemoryBridge({ 'uploads.comment': () => (isDown ? fail({ kind: 'host-gone' }) : {}) });
  const comment = new KeptComment(new DraftWrites(bridge, 'lab', () => {}), 'lab');
  comment.type('Case');
  await settled();
  isDown = false;
  await comment.flush();
  expect(bridge.inputsOf('uploads.comment')).toEqual([
    { workspaceId: 'lab', text: 'Case' },
    { workspaceId: 'lab', text: 'Case' },
  ]);
});
