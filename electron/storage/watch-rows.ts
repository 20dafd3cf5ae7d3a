import { z } from 'zod';
import { type WatchedFile, watchedFile } from '../../shared/domain/watch.ts';
import { failureOf } from './stored-json.ts';

/** A file as it lies in the watched folder. */
export interface FolderFile {
  /** Inside the folder, with `/`. */
  path: string;
  sizeBytes: number;
  /** When it was last modified, in milliseconds since 1970. */
  changedMs: number;
}

/** The folder, whether it is on or not. */
export interface WatchedFolder {
  path: string;
  workspaceId: string | null;
  isOn: boolean;
  leftAlone: number;
}

export const folderRow = z.object({
  path: z.string(),
  workspaceId: z.string().nullable(),
  isOn: z.number(),
  leftAlone: z.number(),
});

export const folderFileRow = z.object({ path: z.string(), sizeBytes: z.number(), changedMs: z.number() });

export const watchedRow = z.object({ ...watchedFile.shape, failure: z.string().nullable() });

export const watchedFileOf = (row: z.infer<typeof watchedRow>): WatchedFile => ({
  ...row,
  failure: failureOf(row.failure),
});
