import { z } from 'zod';
import { StoredTable } from './stored-table.ts';

/** Text of any length: one that grew over the limit of the host is kept here all the same. */
const typedDraft = z.object({ text: z.string(), parentId: z.string().nullable() });
const unsavedDraft = typedDraft.extend({
  /** The host's drafts that this one goes on from: any other came from elsewhere meanwhile. */
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
