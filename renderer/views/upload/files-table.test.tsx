import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { fail } from '../../../shared/failure.ts';
import {
  changes,
  enterRow,
  fileAt,
  openUpload,
  rowOf,
  some,
  targets,
  textsOf,
  tickedRows,
} from './open-upload.fixture.tsx';
import { draftOf } from './upload-file.fixture.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const held = { presence: 'held', isTicked: false } as const;

describe('a file', () => {
  test('shows its name, its state and the third parties it is closed to', async () => {
    await openUpload([...some, fileAt(5, { parentId: 1, name: 'member.one', path: 'inner' })]);
    expect(textsOf('file_1.js')).toEqual([
      '',
      expect.anything(),
      '44,905',
      'New',
      expect.stringContaining('family:quillpost'),
      'GREEN',
      '',
      '',
    ]);
    expect(textsOf('file_3.js').slice(3)).toEqual([
      'Already there',
      'macro',
      'GREEN',
      '–not available for this file',
      '–not available for this file',
    ]);
    expect(within(rowOf('file_4.js')).getByText('Empty, skipped')).toBeDefined();
    expect(within(rowOf('file_2.js')).getByRole('img', { name: 'TLP:RED: not forwarded to VirusTotal' })).toBeDefined();
    expect(within(rowOf('member.one')).getByRole('rowheader').textContent).toBe(
      'in the archive above: member.oneinner · text/javascript',
    );
  });

  test('is ticked by X and by its box, and shown so before the host answers', async () => {
    const answer = Promise.withResolvers<{ changed: number; refused: number }>();
    const { user, bridge } = await openUpload(some, { 'uploads.change': () => answer.promise });
    await enterRow(user, 'file_3.js');
    await user.keyboard('x');
    expect(rowOf('file_3.js').getAttribute('aria-selected')).toBe('true');
    await user.keyboard('x');
    expect(rowOf('file_3.js').getAttribute('aria-selected')).toBe('false');
    await act(async () => answer.resolve({ changed: 1, refused: 0 }));
    await waitFor(() =>
      expect(changes(bridge)).toEqual([
        [[3], { isTicked: true }],
        [[3], { isTicked: false }],
      ]),
    );
  });

  test('extends ticks by Shift, and ticks all by the header', async () => {
    const { user, bridge } = await openUpload(some.map((file) => ({ ...file, isTicked: false })));
    await enterRow(user, 'file_1.js');
    await user.keyboard('x{Shift>}{ArrowDown}{ArrowDown}{ArrowUp}{/Shift}');
    await waitFor(() => expect(tickedRows()).toBe(2));
    await user.click(screen.getByRole('columnheader', { name: 'Select all' }));
    await waitFor(() => expect(tickedRows()).toBe(4));
    expect(changes(bridge).at(-1)).toEqual(['not-held', { isTicked: true }]);
  });

  test('prompts before all are ticked, watched files included: for the others alone, or for all', async () => {
    const { user, bridge } = await openUpload([fileAt(1, { isTicked: false }), fileAt(2, held), fileAt(3, held)]);
    const selectAll = () => user.click(screen.getByRole('columnheader', { name: 'Select all' }));
    await selectAll();
    expect(await screen.findByRole('dialog', { name: 'Also tick the 2 files from the watched folder?' })).toBeDefined();
    expect(changes(bridge)).toEqual([]);
    expect(screen.getByRole('button', { name: 'Tick only the other one' })).toBe(document.activeElement);
    await user.keyboard('{Enter}');
    await waitFor(() => expect([tickedRows(), changes(bridge)]).toEqual([1, [['not-held', { isTicked: true }]]]));
    await enterRow(user, 'file_2.js');
    await user.keyboard('{Control>}a{/Control}');
    await user.click(await screen.findByRole('button', { name: 'Tick all 3' }));
    await waitFor(() => expect(tickedRows()).toBe(3));
    expect(targets(bridge).at(-1)).toEqual({ kind: 'all', upTo: 3 });
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(rowOf('file_2.js')).toBe(document.activeElement));
  });

  test('keeps the numbers of its prompt, and the choice excludes files that arrived since then', async () => {
    let draft = [fileAt(1, { isTicked: false }), fileAt(2, held)];
    const { user, bridge } = await openUpload(draft, {
      'uploads.draft': () => draftOf(draft),
      'uploads.files': () => ({ files: draft, total: draft.length }),
      'uploads.change': () => ({ changed: 0, refused: 0 }),
    });
    await user.click(screen.getByRole('columnheader', { name: 'Select all' }));
    await screen.findByRole('button', { name: 'Tick all 2' });
    draft = [...draft, fileAt(3, held), fileAt(4, { isTicked: false })];
    act(() => bridge.emit('uploads.changed', { workspaceId: 'lab' }));
    await waitFor(() => expect(rowOf('file_4.js')).toBeDefined());
    await user.click(screen.getByRole('button', { name: 'Tick all 2' }));
    await waitFor(() => expect(targets(bridge)).toEqual([{ kind: 'all', upTo: 2 }]));
    expect(rowOf('file_3.js').getAttribute('aria-selected')).toBe('false');
  });

  test('ticks no watched file when the page knew of none and did not prompt', async () => {
    const { user, bridge } = await openUpload([fileAt(1, { isTicked: false }), fileAt(2, held)], {}, { held: 0 });
    await user.click(screen.getByRole('columnheader', { name: 'Select all' }));
    await waitFor(() => expect(changes(bridge)).toEqual([['not-held', { isTicked: true }]]));
    expect([tickedRows(), screen.queryByRole('dialog')]).toEqual([1, null]);
  });

  test('skips watched files when Shift extends ticks', async () => {
    const { user, bridge } = await openUpload([
      fileAt(1, held),
      fileAt(2, { isTicked: false }),
      fileAt(3, held),
      fileAt(4, { isTicked: false }),
      fileAt(5, held),
    ]);
    await enterRow(user, 'file_1.js');
    await user.keyboard('{Shift>}{End}{/Shift}');
    await waitFor(() => expect(changes(bridge)).toEqual([[[2, 4], { isTicked: true }]]));
    await user.keyboard('x');
    await waitFor(() => expect(changes(bridge).at(-1)).toEqual([[5], { isTicked: true }]));
  });

  test('is unticked with the others by the header when only watched files are unticked', async () => {
    const { user, bridge } = await openUpload([fileAt(1), fileAt(2), fileAt(3, held)]);
    const head = screen.getByRole('columnheader', { name: 'Select all' });
    await user.click(head);
    await waitFor(() => expect(tickedRows()).toBe(0));
    expect(targets(bridge)).toEqual([{ kind: 'all' }]);
    await user.click(head);
    expect(await screen.findByRole('dialog', { name: 'Also tick the file from the watched folder?' })).toBeDefined();
  });

  test('ticks no watched file when the prompt is cancelled', async () => {
    const { user, bridge } = await openUpload([fileAt(1, { presence: 'held', isTicked: false })]);
    await user.click(screen.getByRole('columnheader', { name: 'Select all' }));
    await user.click(await screen.findByRole('button', { name: 'Tick none' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect([tickedRows(), changes(bridge)]).toEqual([0, []]);
  });

  test('is edited by keys alone: Enter leads in, Tab on, Escape back to its row', async () => {
    const { user, bridge } = await openUpload();
    await enterRow(user, 'file_1.js');
    await user.keyboard('{Enter}');
    const tags = await screen.findByRole('combobox', { name: 'Tags of file_1.js' });
    expect(tags).toBe(document.activeElement);
    await user.keyboard('stage:2{Enter}');
    await waitFor(() => expect(changes(bridge)).toEqual([[[1], { addTags: ['stage:2'] }]]));
    await user.keyboard('{Tab}');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('TLP of file_1.js: GREEN');
    await user.keyboard('{Tab}{Tab} ');
    await waitFor(() => expect(changes(bridge).at(-1)).toEqual([[1], { sandbox: true }]));
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Forward file_1.js to Sandbox');
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(rowOf('file_1.js'));
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(rowOf('file_2.js'));
  });

  test('keeps the order of Tab once its row is left', async () => {
    const { user } = await openUpload();
    await enterRow(user, 'file_1.js');
    await user.keyboard('{F2}');
    await screen.findByRole('combobox', { name: 'Tags of file_1.js' });
    expect(within(rowOf('file_1.js')).getByRole('checkbox', { name: 'Forward file_1.js to VirusTotal' }).tabIndex).toBe(
      0,
    );
    await user.keyboard('{Escape}');
    await waitFor(() =>
      expect(
        within(rowOf('file_1.js')).getByRole('checkbox', { name: 'Forward file_1.js to VirusTotal' }).tabIndex,
      ).toBe(-1),
    );
  });

  test('shows on focus why a third party gets no copy', async () => {
    const { user } = await openUpload();
    await enterRow(user, 'file_2.js');
    await user.keyboard('{F2}');
    await screen.findByRole('combobox', { name: 'Tags of file_2.js' });
    await user.keyboard('{Tab}{Tab}');
    expect((await screen.findByRole('tooltip')).textContent).toBe('TLP:RED: not forwarded to VirusTotal');
  });

  test('that failed shows the reason on its row, and can be removed alone', async () => {
    const { user, bridge } = await openUpload([
      ...some,
      fileAt(5, { state: 'unreadable', failure: { kind: 'file-gone', name: 'file_5.js' } }),
    ]);
    await enterRow(user, 'file_5.js');
    expect(screen.getByText(/“file_5.js” is missing. It was moved or deleted/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Remove file' }));
    expect(bridge.inputsOf('uploads.remove')).toEqual([{ workspaceId: 'lab', target: { kind: 'files', ids: [5] } }]);
  });

  test('that equals another one names it', async () => {
    await openUpload([...some, fileAt(5, { state: 'same', sameAs: 1 })]);
    expect(within(rowOf('file_5.js')).getByText('Same as file_1.js')).toBeDefined();
  });
});

describe('an archive', () => {
  const archive = (state: 'open' | 'locked', facts: Partial<UploadFile> = {}): UploadFile =>
    fileAt(9, {
      name: 'mail.zip',
      mime: 'application/zip',
      archive: { state, members: 5, failure: null, nameEncoding: null },
      ...facts,
    });

  test('shows that it was opened, and that a server may unpack it when it is ticked', async () => {
    const { user } = await openUpload([archive('open')]);
    expect(within(rowOf('mail.zip')).getByText(/opened, 5 members/)).toBeDefined();
    await enterRow(user, 'mail.zip');
    expect(
      screen.getByText('If it is sent unopened, the server may unpack it and keep at most 25 members.'),
    ).toBeDefined();
    await user.keyboard('x');
    await waitFor(() => expect(screen.queryByText(/the server may unpack it/)).toBeNull());
  });

  test('with unusual content shows that on its row and below the table, as does a member', async () => {
    const limit = { kind: 'archive-limit', name: 'mail.zip', limit: 'members', value: 10_000 } as const;
    const { user } = await openUpload([
      archive('open', {
        archive: { state: 'open', members: 10_000, failure: limit, nameEncoding: null },
        remarks: [{ kind: 'bytes-in-front', bytes: 502 }],
      }),
      fileAt(10, { parentId: 9, name: 'CON', remarks: [{ kind: 'name', trait: 'reserved' }, { kind: 'not-listed' }] }),
    ]);
    expect(within(rowOf('mail.zip')).getByText('partly opened, 502 bytes in front of the archive')).toBeDefined();
    expect(within(rowOf('CON')).getByText('name reserved by Windows, missing from the directory')).toBeDefined();
    await enterRow(user, 'mail.zip');
    expect(
      screen.getByText(/^Partly opened, 502 bytes in front of the archive\. .*“mail\.zip” contains more than/),
    ).toBeDefined();
  });

  test('with names in an old encoding shows which, and reads them by another one', async () => {
    const { user, bridge } = await openUpload([
      archive('open', { archive: { state: 'open', members: 5, failure: null, nameEncoding: 'shift_jis' } }),
    ]);
    await enterRow(user, 'mail.zip');
    await user.click(screen.getByRole('button', { name: 'Names: Japanese (Shift-JIS)' }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Chinese, simplified (GBK)' }));
    expect(bridge.inputsOf('uploads.readNames')).toEqual([{ id: 9, encoding: 'gb18030' }]);
  });

  test('that is opened late leaves another dialog and its password alone, and reports if it is locked', async () => {
    const [right, wrong] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { user } = await openUpload([archive('locked'), { ...archive('locked'), id: 10, name: 'other.zip' }], {
      'uploads.openArchive': async ({ password }) => {
        await (password === 'right' ? right : wrong).promise;
        return password === 'right' ? {} : fail({ kind: 'archive-password', name: 'other.zip' });
      },
    });
    const tryWith = async (name: string, password: string): Promise<void> => {
      await user.click(screen.getByRole('button', { name: `Locked archive: enter the password for ${name}` }));
      await user.type(await screen.findByRole('textbox', { name: 'Password' }), password);
    };
    await tryWith('mail.zip', 'right{Enter}');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await tryWith('other.zip', 'wrong');
    await act(async () => right.resolve());
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Password' }).value).toBe('wrong');
    await user.keyboard('{Enter}');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await act(async () => wrong.resolve());
    expect(await screen.findByRole('alert')).toBeDefined();
  });

  test('that is locked takes one more password, and reports a wrong one', async () => {
    const { user, bridge } = await openUpload([archive('locked')], {
      'uploads.openArchive': ({ password }) =>
        password === 'right' ? {} : fail({ kind: 'archive-password', name: 'mail.zip' }),
    });
    await user.click(screen.getByRole('button', { name: 'Locked archive: enter the password for mail.zip' }));
    const field = await screen.findByRole('textbox', { name: 'Password' });
    expect(field).toBe(document.activeElement);
    await user.keyboard('wrong{Enter}');
    expect(await screen.findByText('Wrong password')).toBeDefined();
    await user.clear(field);
    await user.keyboard('right{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(bridge.inputsOf('uploads.openArchive')).toEqual([
      { id: 9, password: 'wrong' },
      { id: 9, password: 'right' },
    ]);
  });
});
