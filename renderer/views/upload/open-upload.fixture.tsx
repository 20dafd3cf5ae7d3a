import { act, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import type { OperationInput } from '../../../shared/contract.ts';
import type { UploadDraft, UploadFile, UploadTarget } from '../../../shared/domain/upload.ts';
import { fail } from '../../../shared/failure.ts';
import type { GivenAnswers, MemoryBridge } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { changedFile, isMeant } from './draft-writes.ts';
import { draftOf, uploadFile } from './upload-file.fixture.ts';

export const md5At = (id: number): string => id.toString(16).padStart(32, 'a');
export const fileAt = (id: number, facts: Partial<UploadFile> = {}): UploadFile => ({
  ...uploadFile,
  id,
  md5: md5At(id),
  name: `file_${id}.js`,
  ...facts,
});
export const some = [
  fileAt(1, { virusTotal: true }),
  fileAt(2, { tlp: 'red', tags: [] }),
  fileAt(3, { presence: 'there', isTicked: false, tags: ['macro'] }),
  fileAt(4, { state: 'empty', sizeBytes: 0, isTicked: false }),
];

export const markOf = (files: readonly UploadFile[]): string =>
  files.flatMap(({ id, isTicked }) => (isTicked ? id : [])).join('-');

/** A host that keeps one draft, and reports each change as the real one does. */
export async function openUpload(
  begun: readonly UploadFile[] = some,
  answers: GivenAnswers = {},
  numbers: Partial<UploadDraft> = {},
) {
  let files = [...begun];
  const page = await open({
    'uploads.draft': () => draftOf(files, numbers),
    'uploads.files': ({ offset, limit }) => ({ files: files.slice(offset, offset + limit), total: files.length }),
    'uploads.change': ({ target, change }) => {
      files = files.map((file) => (isMeant(target, file) ? changedFile(file, change) : file));
      page.bridge.emit('uploads.changed', { workspaceId: 'lab' });
      return { changed: 1, refused: 0 };
    },
    'uploads.ticked': () => ({ files: files.filter(({ isTicked }) => isTicked).length, mark: markOf(files) }),
    'uploads.remove': ({ target }) => {
      if (target.kind === 'ticked' && target.mark !== markOf(files)) fail({ kind: 'ticks-changed' });
      files = files.filter((file) => !isMeant(target, file));
      page.bridge.emit('uploads.changed', { workspaceId: 'lab' });
      return {};
    },
    ...answers,
  });
  await page.user.click(screen.getByRole('button', { name: /^Upload/ }));
  if (begun.length > 0) await waitFor(() => expect(rowOf(begun[0]?.name ?? '')).toBeDefined(), { timeout: 5000 });
  /** What another page does, before this one hears of it. */
  const tickElsewhere = (id: number): void => {
    files = files.map((file) => (file.id === id ? { ...file, isTicked: true } : file));
  };
  const addElsewhere = (file: UploadFile): void => {
    files = [...files, file];
    act(() => page.bridge.emit('uploads.changed', { workspaceId: 'lab' }));
  };
  return { ...page, tickElsewhere, addElsewhere };
}

/** By its name in the table; the pane beside it names files, too. */
export function rowOf(name: string): HTMLElement {
  const row = [...document.querySelectorAll<HTMLElement>('[data-index]')].find((each) =>
    each.querySelector('[role=rowheader]')?.textContent.includes(name),
  );
  if (row === undefined) throw new TypeError(`no row ${name}`);
  return row;
}
export const tickedRows = (): number => document.querySelectorAll('[data-index][aria-selected="true"]').length;
export const textsOf = (name: string): (string | null)[] =>
  within(rowOf(name))
    .getAllByRole('gridcell')
    .map(({ textContent }) => textContent);
const asked = (bridge: Pick<MemoryBridge, 'inputsOf'>) =>
  bridge.inputsOf('uploads.change').map((input) => input as OperationInput<'uploads.change'>);
export const changes = (bridge: Pick<MemoryBridge, 'inputsOf'>): unknown[] =>
  asked(bridge).map(({ target, change }) => [target.kind === 'files' ? target.ids : target.kind, change]);
export const targets = (bridge: Pick<MemoryBridge, 'inputsOf'>): UploadTarget[] =>
  asked(bridge).map(({ target }) => target);
export const enterRow = async (user: Awaited<ReturnType<typeof open>>['user'], name: string): Promise<void> =>
  user.click(within(rowOf(name)).getByRole('rowheader'));
