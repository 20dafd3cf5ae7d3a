import { z } from 'zod';

const key = 'vitrine.upload-comments';
/** By workspace. */
const comments = z.record(z.string(), z.string());

/**
 * The comments of upload drafts as they were when the page went, where the host did not surely have them. A page that
 * goes has no time for the browser's database: what is written here is written at once.
 */
export const unsavedUploadComments = {
  /** null: nothing is left, or the browser keeps nothing. */
  read: (workspaceId: string): string | null => readAll().get(workspaceId) ?? null,
  keep: (workspaceId: string, text: string): void => writeAll(readAll().set(workspaceId, text)),

  clear(workspaceId: string): void {
    const all = readAll();
    if (all.delete(workspaceId)) writeAll(all);
  },

  /** Forgets the comment of every workspace that is not among these. */
  keepOnly(workspaceIds: readonly string[]): void {
    for (const workspaceId of readAll().keys())
      if (!workspaceIds.includes(workspaceId)) unsavedUploadComments.clear(workspaceId);
  },
};

function readAll(): Map<string, string> {
  try {
    return new Map(Object.entries(comments.parse(JSON.parse(globalThis.localStorage.getItem(key) ?? '{}'))));
  } catch {
    // A forbidden storage, or one that something else wrote to: what the host has is all there is.
    return new Map();
  }
}

function writeAll(all: ReadonlyMap<string, string>): void {
  try {
    if (all.size === 0) globalThis.localStorage.removeItem(key);
    else globalThis.localStorage.setItem(key, JSON.stringify(Object.fromEntries(all)));
  } catch {
    // Full or forbidden: the same.
  }
}
