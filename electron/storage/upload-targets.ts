import { z } from 'zod';
import { assertNever } from '../../shared/assert-never.ts';
import type { UploadTarget } from '../../shared/domain/upload.ts';
import type { Database } from './database.ts';
import type { Query } from './statement.ts';
import { readJson } from './stored-json.ts';
import { draftInOrder, draftOrder, hasTrait } from './upload-conditions.ts';

const placeRow = z.object({ id: z.number(), groupId: z.number() });
const lastRow = z.object({ last: z.number().nullable() });
const idsRow = z.object({ ids: z.string() });
const idList = z.array(z.number());

/** Finds the files of a draft that are meant, a few at a time; what changes in between is met as it is by then. */
export class UploadTargets {
  readonly #last;
  readonly #next;
  readonly #nextTicked;
  readonly #nextNotHeld;
  readonly #ticked;

  constructor(db: Database) {
    this.#last = db.query(lastRow, 'SELECT max(id) AS last FROM upload_file');
    const behind = `${draftInOrder} AND (group_id, id) > (?2, ?3) AND id <= ?4`;
    this.#next = db.query(placeRow, `SELECT id, group_id AS groupId ${behind} ${draftOrder} LIMIT ?5`);
    const nextOf = (condition: string) =>
      db.query(placeRow, `SELECT id, group_id AS groupId ${behind} AND ${condition} ${draftOrder} LIMIT ?5`);
    this.#nextTicked = nextOf(hasTrait('ticked'));
    this.#nextNotHeld = nextOf(`NOT ${hasTrait('held')}`);
    this.#ticked = db.query(
      idsRow,
      `SELECT json_group_array(id) AS ids FROM (SELECT id ${draftInOrder} AND ${hasTrait('ticked')} ${draftOrder})`,
    );
  }

  /** Of the draft, in its order. */
  ticked(workspaceId: string): number[] {
    return idList.parse(readJson(this.#ticked.get(workspaceId)?.ids ?? '[]'));
  }

  /** Ids as they were given may be of other drafts, or gone. */
  *inSteps(workspaceId: string, target: UploadTarget, each: number): Generator<number[], void, undefined> {
    if (target.kind === 'files')
      for (let from = 0; from < target.ids.length; from += each) yield target.ids.slice(from, from + each);
    else yield* this.#all(workspaceId, this.#queryOf(target.kind), { last: this.#lastOf(target), each });
  }

  #queryOf(kind: Exclude<UploadTarget['kind'], 'files'>): Query<z.infer<typeof placeRow>> {
    switch (kind) {
      case 'all':
        return this.#next;
      case 'ticked':
        return this.#nextTicked;
      case 'not-held':
        return this.#nextNotHeld;
      default:
        return assertNever(kind);
    }
  }

  /** Files that come meanwhile are not meant, nor those that came since somebody was asked. */
  #lastOf(target: UploadTarget): number {
    const last = this.#last.get()?.last ?? 0;
    return target.kind === 'all' ? Math.min(last, target.upTo ?? last) : last;
  }

  *#all(
    workspaceId: string,
    next: Query<z.infer<typeof placeRow>>,
    { last, each }: { last: number; each: number },
  ): Generator<number[], void, undefined> {
    for (let after = { id: 0, groupId: 0 }; ;) {
      const rows = next.all(workspaceId, after.groupId, after.id, last, each);
      const end = rows.at(-1);
      if (end === undefined) return;
      yield rows.map(({ id }) => id);
      after = end;
    }
  }
}
