import { expect, test } from 'vitest';
import { openMenuByKey } from './menu.ts';
import { emitter, preventable } from './stand-ins.fixture.ts';

const f10 = { type: 'keyDown', key: 'F10', control: false, shift: false, alt: false, meta: false };

function press(input: Partial<typeof f10>, system: NodeJS.Platform = 'win32') {
  const shown: unknown[] = [];
  const page = emitter({});
  openMenuByKey(page, system, (place) => shown.push(place));
  const event = preventable({});
  page.emit('before-input-event', event, { ...f10, ...input });
  return { shown, wasPrevented: event.wasPrevented };
}

test.each(['win32', 'linux'] as const)(
  'on %s F10 shows the menu below the bar, and the page hears nothing of it',
  (system) => {
    expect(press({}, system)).toEqual({ shown: [{ x: 0, y: 40 }], wasPrevented: true });
  },
);

test.each([
  ['another key', { key: 'F1' }],
  ['the key let go', { type: 'keyUp' }],
  ['Shift F10, which is the menu of what has the focus', { shift: true }],
  ['Ctrl F10', { control: true }],
  ['Alt F10', { alt: true }],
  ['F10 with the key of the system', { meta: true }],
])('%s is for the page', (_what, input) => {
  expect(press(input)).toEqual({ shown: [], wasPrevented: false });
});

test('macOS shows its menu at all times', () => {
  expect(press({}, 'darwin')).toEqual({ shown: [], wasPrevented: false });
});
