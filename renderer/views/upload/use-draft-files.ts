import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { type Failure, success } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { type RowSource, type RowWindow, useRowWindows } from '../../state/row-windows.ts';
import { type Draft, useWrites } from './draft-desk.tsx';

/** A window of files, and how many writes of this page it knows of. */
interface FileWindow extends RowWindow<UploadFile> {
  known: number;
}

export interface DraftFiles {
  /** null until it is known. */
  total: number | null;
  /** undefined while it is not loaded. */
  fileAt(index: number): UploadFile | undefined;
  /** A file that was read lately, in sight or not. */
  find(id: number): UploadFile | undefined;
  onRange(first: number, last: number): void;
  /** Files that are not loaded, both ends included; those that could not be read are left out. */
  between(first: number, last: number): Promise<readonly UploadFile[]>;
  failure: Failure | null;
}

const atOnce = 1000;

/** The files of a draft in sight, as they are and with what the person did since they were read. */
export function useDraftFiles({ workspace: { id: workspaceId }, writes: given }: Draft): DraftFiles {
  const bridge = useBridge();
  const client = useQueryClient();
  const writes = useWrites(given);
  // What is done to all that are ticked changes every row: they are drawn in pieces, behind what was pressed.
  const drawn = useDeferredValue(writes.changesSoFar);
  const source = useMemo(
    (): RowSource<FileWindow> => ({
      name: 'uploads.files',
      question: { workspaceId },
      read: async (offset, limit) => {
        const known = given.answered;
        const answer = await bridge.call('uploads.files', { workspaceId, offset, limit });
        return answer.ok ? success({ rows: answer.value.files, total: answer.value.total, known }) : answer;
      },
    }),
    [bridge, workspaceId, given],
  );
  const { total, rowAt, windowAt, onRange, failure } = useRowWindows(source);
  const fileAt = (index: number): UploadFile | undefined => {
    const [file, window] = [rowAt(index), windowAt(index)];
    return file === undefined || window === undefined ? undefined : writes.shown(file, window.known, drawn);
  };
  const find = (id: number): UploadFile | undefined => {
    for (const [, window] of client.getQueriesData<FileWindow>({ queryKey: ['uploads.files', { workspaceId }] })) {
      const file = window?.rows.find((each) => each.id === id);
      if (file !== undefined && window !== undefined) return writes.shown(file, window.known, drawn);
    }
    return undefined;
  };
  const between = async (first: number, last: number): Promise<readonly UploadFile[]> => {
    const found: UploadFile[] = [];
    for (let offset = first; offset <= last; offset += atOnce) {
      const known = writes.answered;
      const answer = await bridge.call('uploads.files', {
        workspaceId,
        offset,
        limit: Math.min(atOnce, last - offset + 1),
      });
      if (!answer.ok) break;
      found.push(...answer.value.files.map((file) => writes.shown(file, known)));
    }
    return found;
  };
  return { total, fileAt, find, onRange, between, failure };
}
