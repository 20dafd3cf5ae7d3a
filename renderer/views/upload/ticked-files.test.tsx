import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { changes, enterRow, fileAt, openUpload, rowOf, tickedRows } from './open-upload.fixture.tsx';

const receives = 'Forward all ticked files to VirusTotal, if their TLP allows';
const box = (): HTMLElement => screen.getByRole('checkbox', { name: receives });
const unticked = [1, 2, 3, 4, 5].map((id) => fileAt(id, { isTicked: false }));

test('Delete right after the last tick prompts for all ticked files', async () => {
  const { user, bridge } = await openUpload(unticked);
  await enterRow(user, 'file_1.js');
  await user.keyboard('x{ArrowDown}x{ArrowDown}x{Delete}');
  expect(await screen.findByRole('heading', { name: 'Remove 3 files from the draft?' })).toBeDefined();
  expect(bridge.inputsOf('uploads.remove')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Remove 3 files' }));
  await waitFor(() => expect(() => rowOf('file_1.js')).toThrow());
  expect([rowOf('file_4.js'), rowOf('file_5.js')]).toHaveLength(2);
});

test('a file ticked elsewhere during the dialog is not removed, nor any other, with the reason shown', async () => {
  const { user, tickElsewhere } = await openUpload([fileAt(1), fileAt(2), fileAt(3, { isTicked: false })]);
  await enterRow(user, 'file_1.js');
  await user.keyboard('{Delete}');
  await screen.findByRole('heading', { name: 'Remove 2 files from the draft?' });
  tickElsewhere(3);
  await user.click(screen.getByRole('button', { name: 'Remove 2 files' }));
  expect((await screen.findByRole('alert')).textContent).toContain('The ticked files have changed');
  await waitFor(() => expect(tickedRows()).toBe(3));
});

test('a held Delete counts the ticked files once, and does not prompt when none is ticked', async () => {
  const { user, bridge } = await openUpload(unticked);
  await enterRow(user, 'file_1.js');
  const row = document.activeElement ?? document.body;
  for (const repeat of [false, true, true, true]) fireEvent.keyDown(row, { key: 'Delete', repeat });
  await waitFor(() => expect(bridge.inputsOf('uploads.ticked')).toHaveLength(1));
  await user.keyboard('x');
  await waitFor(() => expect(tickedRows()).toBe(1));
  expect([bridge.inputsOf('uploads.remove'), screen.queryByRole('dialog')]).toEqual([[], null]);
});

test('a second click on a third party’s box undoes the first before it was counted; sending follows both', async () => {
  const { user, bridge } = await openUpload([fileAt(1), fileAt(2)]);
  await enterRow(user, 'file_1.js');
  fireEvent.click(box());
  expect(box().getAttribute('aria-checked')).toBe('true');
  fireEvent.click(box());
  expect(box().getAttribute('aria-checked')).toBe('false');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(bridge.inputsOf('uploads.send')).toHaveLength(1));
  expect(changes(bridge)).toEqual([
    ['ticked', { virusTotal: true }],
    ['ticked', { virusTotal: false }],
  ]);
  expect(bridge.asked.findLastIndex(({ name }) => name === 'uploads.change')).toBeLessThan(
    bridge.asked.findIndex(({ name }) => name === 'uploads.send'),
  );
});

test('a second press on the box of all ticks undoes the first one at once', async () => {
  const { bridge } = await openUpload(unticked);
  const all = screen.getAllByRole('columnheader')[0] ?? document.body;
  fireEvent.click(all);
  fireEvent.click(all);
  await waitFor(() =>
    expect(changes(bridge)).toEqual([
      ['not-held', { isTicked: true }],
      ['all', { isTicked: false }],
    ]),
  );
});

test('a held Enter on a box of a third party presses it once', async () => {
  await openUpload([fileAt(1)]);
  for (const each of [box(), screen.getByRole('checkbox', { name: 'Forward file_1.js to VirusTotal' })]) {
    // What is not prevented the browser makes a press of.
    expect([false, true].map((repeat) => fireEvent.keyDown(each, { key: 'Enter', repeat }))).toEqual([true, false]);
  }
});
