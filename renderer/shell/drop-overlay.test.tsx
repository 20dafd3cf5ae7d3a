import '../test/page-surroundings.ts';
import { act, cleanup, createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { fileEntry, folderEntry } from '../features/uploads/file-system.fixture.ts';
import type { GivenAnswers } from '../test/memory-bridge.ts';
import { open } from '../test/open-page.fixture.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const words = /^Files and folders are added to the draft of Lab/;

interface Dragged {
  types: string[];
  items: { kind: string; webkitGetAsEntry(): FileSystemEntry | null; getAsFile(): File | null }[];
  dropEffect: string;
}
const files = (...dropped: (File | FileSystemEntry)[]): Dragged => ({
  types: ['Files'],
  dropEffect: 'none',
  items: dropped.map((one) => ({
    kind: 'file',
    webkitGetAsEntry: () => (one instanceof File ? fileEntry(one.name, one) : one),
    getAsFile: () => (one instanceof File ? one : null),
  })),
});
const someText: Dragged = {
  types: ['text/plain'],
  dropEffect: 'none',
  items: [{ kind: 'string', webkitGetAsEntry: () => null, getAsFile: () => null }],
};

/** @returns whether the page took the event for itself */
function drag(
  kind: 'dragEnter' | 'dragOver' | 'dragLeave' | 'drop',
  dataTransfer: Dragged,
  over: Element = document.body,
  to: Element | null = null,
): boolean {
  const event = createEvent[kind](over, { dataTransfer, relatedTarget: to });
  // jsdom gives a drag event no `relatedTarget`.
  Object.defineProperty(event, 'relatedTarget', { value: to });
  fireEvent(over, event);
  return event.defaultPrevented;
}

const viewName = (): string | null => document.querySelector('nav [aria-current]')?.textContent ?? null;
const addedIn = (page: Awaited<ReturnType<typeof open>>): unknown[] => page.bridge.inputsOf('uploads.add');

test('dragging files over the window shows the effect of a drop until they leave', async () => {
  await open();
  const dragged = files(new File(['x'], 'a.bin'));
  expect(drag('dragEnter', dragged)).toBe(true);
  expect(dragged.dropEffect).toBe('copy');
  expect(screen.getByText(words)).toBeDefined();
  drag('dragLeave', dragged, document.body, screen.getByRole('main'));
  expect(screen.getByText(words)).toBeDefined();
  drag('dragLeave', dragged);
  expect(screen.queryByText(words)).toBeNull();
});

test('files and folders dropped anywhere go into the draft, and the view of uploads opens', async () => {
  const page = await open();
  const folder = folderEntry('case 114', () => [fileEntry('b.js')]);
  drag('dragOver', files(), screen.getByRole('main'));
  expect(drag('drop', files(new File(['x'], 'a.js'), folder), screen.getByRole('main'))).toBe(true);
  expect(screen.queryByText(words)).toBeNull();
  await waitFor(() =>
    expect(addedIn(page)).toEqual([
      {
        workspaceId: 'lab',
        files: [
          { id: '1'.padStart(32, '0'), path: '' },
          { id: '2'.padStart(32, '0'), path: 'case 114' },
        ],
      },
    ]),
  );
  await waitFor(() => expect(viewName()).toMatch(/^Upload/));
});

test('a dragged text is ignored by the uploads', async () => {
  const page = await open();
  expect(drag('dragOver', someText)).toBe(false);
  expect(screen.queryByText(words)).toBeNull();
  expect(drag('drop', someText)).toBe(false);
  expect(addedIn(page)).toEqual([]);
  expect(viewName()).toMatch(/^Look up/);
});

test('a list dropped in the bulk download stays a list', async () => {
  const page = await open();
  await page.user.click(screen.getByRole('button', { name: /^Bulk download/ }));
  const view = await screen.findByRole('textbox', { name: 'Text with hashes' });
  const dragged = {
    ...files(new File(['x'], 'list.txt')),
    files: { length: 1, item: () => new File(['nothing here'], 'list.txt') },
  };
  drag('dragOver', dragged, view);
  expect(screen.queryByText(words)).toBeNull();
  drag('drop', dragged, view);
  await screen.findByText(/list\.txt/);
  expect(addedIn(page)).toEqual([]);
  expect(viewName()).toMatch(/^Bulk download/);
});

test('a drop behind an open dialog is ignored, and the page does not navigate to the file', async () => {
  const page = await open();
  fireEvent.keyDown(document.body, { key: '?' });
  await screen.findByRole('dialog');
  const dragged = files(new File(['x'], 'a.js'));
  expect(drag('dragOver', dragged)).toBe(true);
  expect(dragged.dropEffect).toBe('none');
  expect(drag('drop', dragged)).toBe(true);
  expect(screen.queryByText(words)).toBeNull();
  expect(page.bridge.inputsOf('uploads.add')).toEqual([]);
});

test('the same file can be picked twice', async () => {
  const page = await open();
  const picker = document.querySelector<HTMLInputElement>('[data-picker=files]');
  if (picker === null) throw new TypeError('no picker');
  for (const count of [1, 2]) {
    fireEvent.change(picker, { target: { files: [new File(['x'], 'a.js')] } });
    await waitFor(() => expect(addedIn(page)).toHaveLength(count));
  }
});

test('an intake that ends early is reported in any view', async () => {
  const answers: GivenAnswers = {};
  const page = await open(answers);
  page.bridge.stageFile = async () => ({ ok: false, failure: { kind: 'host-gone' } });
  await act(async () => void drag('drop', files(new File(['x'], 'a.js'))));
  expect(await screen.findByText('Not all files were added to the upload')).toBeDefined();
});
