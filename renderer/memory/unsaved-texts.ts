import { z } from 'zod';
import { StoredTable } from './stored-table.ts';

/** Text of any length: one that grew over the limit of the host is kept here all the same. */
const typedDraft = z.object({ text: z.string(), parentId: z.string().nullable() });
const unsavedDraft = typedDraft.extend({
  /** The host's drafts that this one is based on: any other came from elsewhere meanwhile. */
  basedOn: z.array(typedDraft).readonly().default([]),
});
export type UnsavedDraft = z.infer<typeof unsavedDraft>;

interface StoredDraft {
  key: string;
  workspaceId: string;
  draft: UnsavedDraft;
}

const keyOf = (workspaceId: string, md5: string): string => `${workspaceId}:${md5}`;

/**
 * What was typed into a comment and has not reached the host yet, one of each sample. It lies in the browser's
 * database for the moment between a keystroke and its saving: a page that is loaded again in between finds it.
 */
export class UnsavedDrafts {
  readonly #stored: StoredTable<StoredDraft, string>;

  constructor(name = 'vitrine-drafts') {
    this.#stored = new StoredTable({ database: name, table: 'drafts', keys: 'key, workspaceId' });
  }

  async read(workspaceId: string, md5: string): Promise<UnsavedDraft | null> {
    const row = await this.#stored.try((drafts) => drafts.get(keyOf(workspaceId, md5)));
    const draft = unsavedDraft.safeParse(row?.draft);
    return draft.success ? draft.data : null;
  }

  /** @returns false where the browser keeps nothing */
  async keep(workspaceId: string, md5: string, { text, parentId, basedOn }: UnsavedDraft): Promise<boolean> {
    const key = await this.#stored.try((drafts) =>
      drafts.put({ key: keyOf(workspaceId, md5), workspaceId, draft: { text, parentId, basedOn } }),
    );
    return key !== null;
  }

  async clear(workspaceId: string, md5: string): Promise<void> {
    await this.#stored.try((drafts) => drafts.delete(keyOf(workspaceId, md5)));
  }

  /** Forgets the drafts of every workspace that is not among these. */
  async keepOnly(workspaceIds: readonly string[]): Promise<void> {
    await this.#stored.try((drafts) =>
      drafts
        .where('workspaceId')
        .noneOf([...workspaceIds])
        .delete(),
    );
  }
}

const unsavedNote = z.object({
  text: z.string(),
  /** The host's texts that this one is based on: any other came from elsewhere meanwhile. */
  basedOn: z.array(z.string()).readonly(),
});
export type UnsavedNote = z.infer<typeof unsavedNote>;

interface StoredNote extends UnsavedNote {
  sha256: string;
}

/**
 * What was typed into a sample's note and has not reached the host yet. It lies in the browser's database for the
 * moment between a keystroke and its saving: a page that is loaded again in between finds it.
 */
export class UnsavedNotes {
  readonly #stored: StoredTable<StoredNote, string>;

  constructor(name = 'vitrine-notes') {
    this.#stored = new StoredTable({ database: name, table: 'notes', keys: 'sha256' });
  }

  async read(sha256: string): Promise<UnsavedNote | null> {
    const note = unsavedNote.safeParse(await this.#stored.try((notes) => notes.get(sha256)));
    return note.success ? note.data : null;
  }

  /** The samples whose notes are here. */
  async samples(): Promise<string[]> {
    return (await this.#stored.try((notes) => notes.toCollection().primaryKeys())) ?? [];
  }

  /** @returns false where the browser keeps nothing */
  async keep(sha256: string, { text, basedOn }: UnsavedNote): Promise<boolean> {
    return (await this.#stored.try((notes) => notes.put({ sha256, text, basedOn }))) !== null;
  }

  async clear(sha256: string): Promise<void> {
    await this.#stored.try((notes) => notes.delete(sha256));
  }
}

const commentsKey = 'vitrine.upload-comments';
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
    return new Map(Object.entries(comments.parse(JSON.parse(globalThis.localStorage.getItem(commentsKey) ?? '{}'))));
  } catch {
    // A forbidden storage, or one that something else wrote to: what the host has is all there is.
    return new Map();
  }
}

function writeAll(all: ReadonlyMap<string, string>): void {
  try {
    if (all.size === 0) globalThis.localStorage.removeItem(commentsKey);
    else globalThis.localStorage.setItem(commentsKey, JSON.stringify(Object.fromEntries(all)));
  } catch {
    // Full or forbidden: the same.
  }
}

const ruleDraft = z.object({ source: z.string() });

/**
 * Rules that a person is writing to try them: one draft for each workspace. It never leaves the page but to be compiled
 * and run.
 */
export class RuleDrafts {
  readonly #stored: StoredTable<{ workspaceId: string; source: string }, string>;

  constructor(name = 'vitrine-rule-drafts') {
    this.#stored = new StoredTable({ database: name, table: 'drafts', keys: 'workspaceId' });
  }

  async read(workspaceId: string): Promise<string | null> {
    return ruleDraft.safeParse(await this.#stored.try((drafts) => drafts.get(workspaceId))).data?.source ?? null;
  }

  async keep(workspaceId: string, source: string): Promise<void> {
    await this.#stored.try((drafts) => drafts.put({ workspaceId, source }));
  }
}

const lines = (note: string): string => `\n${note}\n`;

/**
 * Merges two notes of one sample that were written independently: the host's, and below it the local one. If one
 * contains the other whole, it is not repeated.
 */
export function notesTogether(stored: string, own: string): string {
  if (own === '' || lines(stored).includes(lines(own))) return stored;
  if (stored === '' || lines(own).includes(lines(stored))) return own;
  return `${stored}\n\n---\n\n${own}`;
}
