import { expect, test } from 'vitest';
import { placeOf, type ShownToast, withOneMore } from './toasts.tsx';

const toast = (id: number, given: Partial<ShownToast> = {}): ShownToast => ({
  id,
  meaning: 'ok',
  text: `toast ${id}`,
  isHeld: false,
  ...given,
});
const idsAfter = (shown: readonly ShownToast[], next: ShownToast): number[] =>
  withOneMore(shown, next).map(({ id }) => id);

test('the toast list shows at most the latest two', () => {
  expect(idsAfter([toast(1)], toast(2))).toEqual([1, 2]);
  expect(idsAfter([toast(1), toast(2)], toast(3))).toEqual([2, 3]);
});

test('the toast list keeps a failure, and a toast in use, until it is closed', () => {
  expect(idsAfter([toast(1, { meaning: 'bad' }), toast(2)], toast(3))).toEqual([1, 3]);
  expect(idsAfter([toast(1, { isHeld: true }), toast(2)], toast(3))).toEqual([1, 3]);
  expect(idsAfter([toast(1, { stays: true }), toast(2)], toast(3))).toEqual([1, 3]);
});

test('the toast list never pushes out an undoable action, however many follow', () => {
  const undo = (): void => {};
  expect(idsAfter([toast(1, { undo }), toast(2, { undo }), toast(3, { undo })], toast(4, { undo }))).toEqual([
    1, 2, 3, 4,
  ]);
  expect(idsAfter([toast(1, { undo }), toast(2), toast(3, { undo })], toast(4))).toEqual([1, 3, 4]);
});

test('the toast list shows the latest beside the permanent ones, and the next in its place', () => {
  const staying = [toast(1, { meaning: 'bad' }), toast(2, { meaning: 'bad' })];
  expect(idsAfter(staying, toast(3))).toEqual([1, 2, 3]);
  expect(idsAfter([...staying, toast(3)], toast(4))).toEqual([1, 2, 4]);
});

test('the toast list shows a repeated failure once', () => {
  const failed = (id: number) => toast(id, { meaning: 'bad', text: 'Not undone: the disk is full' });
  expect(idsAfter([failed(1), toast(2, { meaning: 'bad' })], failed(3))).toEqual([2, 3]);
});

const size = { width: 380, height: 40 };
const free = { left: 48, top: 80, right: 1024, bottom: 640 };
const [right, middle, left] = [632, 346, 60];
const [bottom, top] = [588, 92];

test.for([
  ['nothing is needed', [], { left: right, top: bottom }],
  ['buttons lie at the end of the view', [box(740, 600, 10)], { left: middle, top: bottom }],
  [
    'a field is as wide as the view',
    [box(60, 600, 1000), box(640, 600, 1000), box(400, 600, 1000)],
    { left: right, top },
  ],
  [
    'there is something everywhere',
    [right, middle, left].flatMap((x) => [box(x, bottom, 1000), box(x, top, 100)]),
    { left: right, top },
  ],
] as const)('a notification comes up where it covers least when %s', ([, needed, place]) => {
  expect(placeOf(size, free, needed)).toEqual(place);
});

test('notifications that are as high as the view stay at its foot', () => {
  expect(placeOf({ width: 380, height: 600 }, free, [box(700, 600, 10), box(400, 600, 10), box(60, 600, 10)])).toEqual({
    left: right,
    top: 28,
  });
});

function box(x: number, y: number, weight: number) {
  return { left: x, top: y, right: x + 20, bottom: y + 20, weight };
}
