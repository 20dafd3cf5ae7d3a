import '../../components/data-grid/layout.fixture.ts';
import '../../test/page-surroundings.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { OperationInput } from '../../../shared/contract.ts';
import { fail, failed, success } from '../../../shared/failure.ts';
import { unsavedUploadComments } from '../../memory/unsaved-texts.ts';
import { changes, enterRow, fileAt, openUpload, some } from './open-upload.fixture.tsx';
import { draftOf } from './upload-file.fixture.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe('the draft', () => {
  test('is counted in the sidebar, and summarized in one line', async () => {
    await openUpload();
    expect(screen.getByRole('button', { name: 'Upload, 4 files in draft' })).toBeDefined();
    expect(screen.getByText('4 files staged, 132 KiB')).toBeDefined();
    expect(screen.getByText(/Draft saved on this computer/).textContent).toContain('2026-11-18 14:31Z');
  });

  test('shows how to add files when it is empty', async () => {
    const { user } = await openUpload([]);
    expect(await screen.findByRole('heading', { name: 'Nothing to upload yet' })).toBeDefined();
    expect(screen.getByText('or drop files, folders and archives anywhere')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Add files…' }));
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Files…', 'Folder…']);
  });

  test('gives the reason when it cannot be read, and is read again', async () => {
    let isDown = true;
    const { user } = await openUpload([], {
      'uploads.draft': () => (isDown ? fail({ kind: 'host-gone' }) : draftOf([])),
    });
    expect((await screen.findByRole('alert')).textContent).toContain('Vitrine is not responding');
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Nothing to upload yet' })).toBeDefined();
  });

  test('is discarded with its comment, after a prompt whose safe answer has the focus', async () => {
    const { user, bridge } = await openUpload();
    await user.click(screen.getByRole('button', { name: 'Discard…' }));
    expect(screen.getByRole('button', { name: 'Cancel' })).toBe(document.activeElement);
    await user.click(screen.getByRole('button', { name: 'Discard draft' }));
    expect(await screen.findByRole('heading', { name: 'Nothing to upload yet' })).toBeDefined();
    expect(bridge.inputsOf('uploads.remove')).toEqual([{ workspaceId: 'lab', target: { kind: 'all', upTo: 4 } }]);
    expect(bridge.inputsOf('uploads.comment')).toEqual([{ workspaceId: 'lab', text: '' }]);
  });

  test('is discarded as it was at the prompt, and files added meanwhile stay', async () => {
    const { user, addElsewhere } = await openUpload();
    await user.click(screen.getByRole('button', { name: 'Discard…' }));
    addElsewhere(fileAt(5));
    await screen.findByText('5 files staged, 175 KiB');
    expect(screen.getByRole('heading', { name: 'Discard the draft with its 4 files?' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Discard draft' }));
    await screen.findByText('1 file staged, 43.9 KiB');
    await waitFor(() =>
      expect(
        [...document.querySelectorAll('[data-index]')].map((row) => row.querySelector('[role=rowheader]')?.textContent),
      ).toEqual([expect.stringContaining('file_5.js')]),
    );
  });

  test('shows how many files are still being hashed, and is not sent meanwhile', async () => {
    await openUpload(some, {}, { busy: 3201 });
    expect(screen.getByText('hashing 3,201')).toBeDefined();
    expect(screen.getByText('3,201 files still being read')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Send 2 files' })).toHaveProperty('disabled', true);
  });

  test('of ten thousand files draws a window, and a change reads only the visible files', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => fileAt(index + 1));
    const { bridge } = await openUpload(many);
    expect(document.querySelectorAll('[data-index]').length).toBeLessThan(40);
    const before = bridge.inputsOf('uploads.files').length;
    act(() => bridge.emit('uploads.changed', { workspaceId: 'lab' }));
    await waitFor(() => expect(bridge.inputsOf('uploads.files').length).toBeGreaterThan(before));
    expect(
      bridge.inputsOf('uploads.files').every((input) => (input as OperationInput<'uploads.files'>).offset === 0),
    ).toBe(true);
  });
});

describe('the last keystrokes of the comment', () => {
  test('survive a page that closes before the host has them, and reach it from the next', async () => {
    const { user } = await openUpload(some, { 'uploads.comment': () => new Promise(() => {}) });
    await user.type(screen.getByRole('textbox', { name: 'Comment' }), 'Seen at two sites');
    act(() => void window.dispatchEvent(new Event('pagehide')));
    cleanup();
    const { bridge } = await openUpload();
    await waitFor(() =>
      expect(screen.getByRole('textbox', { name: 'Comment' })).toHaveProperty('value', 'Seen at two sites'),
    );
    await waitFor(() =>
      expect(bridge.inputsOf('uploads.comment')).toEqual([{ workspaceId: 'lab', text: 'Seen at two sites' }]),
    );
    await waitFor(() => expect(unsavedUploadComments.read('lab')).toBeNull());
  });

  test('are removed from the browser when the host has them', async () => {
    const { user, bridge } = await openUpload();
    await user.type(screen.getByRole('textbox', { name: 'Comment' }), 'all');
    await user.tab();
    await waitFor(() => expect(bridge.inputsOf('uploads.comment').at(-1)).toEqual({ workspaceId: 'lab', text: 'all' }));
    await act(async () => void window.dispatchEvent(new Event('pagehide')));
    expect(unsavedUploadComments.read('lab')).toBeNull();
  });
});

describe('an action on all ticked files', () => {
  test('applies to the included ones when some of them are left out', async () => {
    const { user } = await openUpload([
      fileAt(1),
      fileAt(2, { presence: 'there' }),
      fileAt(3, { state: 'hashing', md5: null }),
      fileAt(4, { state: 'empty', sizeBytes: 0 }),
      fileAt(5, { state: 'same', sameAs: 1 }),
    ]);
    expect(screen.getByRole('group', { name: 'For 3 of the 5 ticked files' })).toBeDefined();
    await enterRow(user, 'file_1.js');
    await user.keyboard('t');
    expect(await screen.findByRole('dialog', { name: 'Tag for 3 of the 5 ticked files' })).toBeDefined();
  });

  test('applies to none when all of them are left out, and the files can be removed', async () => {
    await openUpload([fileAt(1, { state: 'empty', sizeBytes: 0 })]);
    const bar = within(screen.getByRole('group', { name: 'None of the ticked files can be sent' }));
    expect(
      bar
        .getAllByRole('button')
        .filter((each) => !each.hasAttribute('disabled'))
        .map(({ textContent }) => textContent),
    ).toEqual(['Remove…Del']);
    for (const box of bar.getAllByRole('checkbox')) expect(box.hasAttribute('disabled')).toBe(true);
  });

  test('adds a tag by T, and only inside the table', async () => {
    const { user, bridge } = await openUpload();
    await user.click(screen.getByRole('textbox', { name: 'Comment' }));
    await user.keyboard('t');
    expect(screen.queryByRole('dialog')).toBeNull();
    await enterRow(user, 'file_1.js');
    await user.keyboard('t');
    await screen.findByRole('dialog', { name: 'Tag for all 2 ticked files' });
    await user.keyboard('case:114{Enter}');
    await waitFor(() => expect(changes(bridge)).toEqual([['ticked', { addTags: ['case:114'] }]]));
  });

  test('sets a TLP by L', async () => {
    const { user, bridge } = await openUpload();
    await enterRow(user, 'file_1.js');
    await user.keyboard('l');
    await user.click(await screen.findByRole('menuitem', { name: 'CLEAR' }));
    await waitFor(() => expect(changes(bridge)).toEqual([['ticked', { tlp: 'clear' }]]));
  });

  test('forwards them to a third party by one box, with the number blocked by TLP', async () => {
    const { user, bridge } = await openUpload(some, { 'uploads.change': () => ({ changed: 1, refused: 1 }) });
    await user.click(
      screen.getByRole('checkbox', { name: 'Forward all ticked files to Sandbox, if their TLP allows' }),
    );
    expect(await screen.findByText('Sandbox: 1 file changed, 1 blocked by TLP')).toBeDefined();
    expect(changes(bridge)).toEqual([['ticked', { sandbox: true }]]);
  });

  test('removes them by Del after a prompt, a single one at once', async () => {
    const { user, bridge } = await openUpload();
    await enterRow(user, 'file_1.js');
    await user.keyboard('{Delete}');
    expect(await screen.findByRole('heading', { name: 'Remove 2 files from the draft?' })).toBeDefined();
    expect(bridge.inputsOf('uploads.remove')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.getByRole('grid').contains(document.activeElement)).toBe(true));
    await user.keyboard('x');
    await waitFor(() => expect(screen.getByRole('group', { name: 'For the ticked file' })).toBeDefined());
    await enterRow(user, 'file_1.js');
    await user.keyboard('{Delete}');
    await waitFor(() =>
      expect(bridge.inputsOf('uploads.remove')).toEqual([
        { workspaceId: 'lab', target: { kind: 'ticked', mark: '2' } },
      ]),
    );
    expect(await screen.findByText('Removed from the draft')).toBeDefined();
  });
});

describe('incoming files', () => {
  /** The test releases the staging of each, and the second is refused. */
  async function openWithFiles() {
    const page = await openUpload([]);
    const turns: (() => void)[] = [];
    let given = 0;
    vi.spyOn(page.bridge, 'stageFile').mockImplementation(async (file: File) => {
      given += 1;
      const id = given.toString(16).padStart(32, '0');
      await new Promise<void>((resolve) => turns.push(resolve));
      return file.name === 'gone.doc'
        ? failed({ kind: 'file-gone', name: file.name })
        : success({ id, name: file.name, sizeBytes: file.size });
    });
    const pick = (...names: string[]): void => {
      const input = document.querySelector<HTMLInputElement>('[data-picker=files]');
      if (input) fireEvent.change(input, { target: { files: names.map((name) => new File(['x'], name)) } });
    };
    const stageAll = async (): Promise<void> =>
      act(async () => {
        for (const turn of turns.splice(0)) turn();
      });
    return { ...page, pick, stageAll };
  }

  test('are counted during the intake, which can be stopped', async () => {
    const { user, pick, stageAll } = await openWithFiles();
    pick('a.js', 'b.js');
    expect(await screen.findByText(/^adding 0 of 2/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    await stageAll();
    await waitFor(() => expect(screen.queryByText(/^adding/)).toBeNull());
  });

  test('that are refused are counted, and listed with the reason on demand', async () => {
    const { user, pick, stageAll } = await openWithFiles();
    pick('a.js', 'gone.doc');
    await screen.findByText(/^adding/);
    await stageAll();
    expect((await screen.findByRole('alert')).textContent).toContain('1 file could not be added');
    expect(screen.queryByText(/moved or deleted/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show list' }));
    expect(
      within(screen.getByRole('list', { name: '1 file could not be added' })).getByRole('listitem').textContent,
    ).toContain('gone.doc “gone.doc” is missing');
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });
});
