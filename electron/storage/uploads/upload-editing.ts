import { z } from 'zod';
import { assertNever } from '../../../shared/assert-never.ts';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { forbidsThirdParties, tlpLevel, type TlpLevel } from '../../../shared/domain/tag.ts';
import type { UploadChange, UploadTarget } from '../../../shared/domain/upload.ts';
import type { Failure } from '../../../shared/failure.ts';
import type { Database } from '../database/database.ts';
import type { Query } from '../database/statement.ts';
import { readJson } from '../database/stored-json.ts';
import type { UploadSames, UploadTlps } from './upload-relations.ts';
import { draftInOrder, draftOrder, hasTrait, inDraft, stagedIdsOf } from './upload-rows.ts';

const changeableRow = z.object({
  id: z.number(),
  isTicked: z.number(),
  tags: z.string(),
  tlp: z.string().nullable(),
  virusTotal: z.number(),
  sandbox: z.number(),
});
const bytesRow = z.object({
  workspaceId: z.string(),
  md5: z.string().nullable(),
  sha256: z.string().nullable(),
  state: z.string(),
  isTicked: z.number(),
});
/** An archive is no longer ticked once its members are there in its place. */
const wasMeant = "max(is_ticked, ifnull(archive_state = 'open', 0))";
const removedRow = z.object({
  ...bytesRow.shape,
  stagedId: z.string().nullable(),
  parentId: z.number().nullable(),
  tlp: z.string().nullable(),
});
type RemovedRow = z.infer<typeof removedRow>;
const idRow = z.object({ id: z.number() });
const labelsRow = z.object({ tags: z.array(z.string()), tlp: tlpLevel.nullable() });

/** How many files are not as they were, and how many flags were refused. */
export interface Changes {
  changed: number;
  refused: number;
}

/** What a person does to the files of a draft. The caller gives the transaction. */
export class UploadEditing {
  readonly #sames: UploadSames;
  readonly #tlps: UploadTlps;
  readonly #targets: UploadTargets;
  readonly #touch;
  readonly #comment;
  readonly #changeable;
  readonly #write;
  readonly #tickMembers;
  readonly #bytes;
  readonly #fail;
  readonly #members;
  readonly #remove;

  constructor(db: Database, sames: UploadSames, tlps: UploadTlps) {
    this.#sames = sames;
    this.#tlps = tlps;
    this.#targets = new UploadTargets(db);
    this.#touch = db.command(
      `INSERT INTO upload_draft (workspace_id, comment, saved) VALUES (?, '', ?) ON CONFLICT DO UPDATE
        SET saved = excluded.saved`,
    );
    this.#comment = db.command('INSERT OR REPLACE INTO upload_draft (workspace_id, comment, saved) VALUES (?, ?, ?)');
    const given = `id IN (SELECT value FROM json_each(?2)) AND workspace_id = ?1 AND ${inDraft}`;
    this.#changeable = db.query(
      changeableRow,
      `SELECT id, is_ticked AS isTicked, tags, tlp, virus_total AS virusTotal, sandbox FROM upload_file WHERE ${given}`,
    );
    this.#write = db.command(
      'UPDATE upload_file SET is_ticked = ?, tags = ?, tlp = ?, virus_total = ?, sandbox = ? WHERE id = ?',
    );
    this.#tickMembers = db.command(
      `UPDATE upload_file SET is_ticked = ?3 WHERE id IN (SELECT id FROM upload_file WHERE ${inDraft}
        AND is_ticked <> ?3
      AND parent_id IN (SELECT id FROM upload_file INDEXED BY upload_file_to_open WHERE ${given}
        AND archive_state = 'opening') LIMIT ?4)`,
    );
    this.#bytes = db.query(
      bytesRow,
      `SELECT workspace_id AS workspaceId, md5, sha256, state, ${wasMeant} AS isTicked FROM upload_file
        WHERE id = ? AND ${inDraft}`,
    );
    this.#fail = db.command("UPDATE upload_file SET state = 'unreadable', same_as = NULL, failure = ? WHERE id = ?");
    this.#members = db.query(
      idRow,
      `SELECT id FROM upload_file WHERE parent_id IN (SELECT value FROM json_each(?2)) AND workspace_id = ?1
        AND ${inDraft} LIMIT ?3`,
    );
    this.#remove = db.query(
      removedRow,
      `DELETE FROM upload_file WHERE ${given} RETURNING workspace_id AS workspaceId, md5, sha256, state,
        ${wasMeant} AS isTicked, staged_id AS stagedId, parent_id AS parentId, tlp`,
    );
  }

  /** The draft is another by now. */
  touch(workspaceId: string): void {
    this.#touch.run(workspaceId, currentInstant());
  }

  comment(workspaceId: string, text: string): void {
    this.#comment.run(workspaceId, text, currentInstant());
  }

  ticked(workspaceId: string): number[] {
    return this.#targets.ticked(workspaceId);
  }

  targets(workspaceId: string, target: UploadTarget, each: number): Generator<number[], void, undefined> {
    return this.#targets.inSteps(workspaceId, target, each);
  }

  /** Flags come last: whether they may be set is seen when every TLP is. */
  *changed(
    workspaceId: string,
    ids: readonly number[],
    change: UploadChange,
    each: number,
  ): Generator<Changes, void, undefined> {
    const { virusTotal, sandbox, ...labels } = change;
    const isAnother = new Set<number>();
    const { meant } = this.#change(workspaceId, ids, labels, isAnother);
    if (labels.isTicked !== undefined) yield* this.#membersTicked(workspaceId, meant, labels.isTicked, each);
    if (labels.tlp)
      for (const others of this.#tlps.spread(meant, labels.tlp, each)) yield { changed: others, refused: 0 };
    const flags = { ...(virusTotal !== undefined && { virusTotal }), ...(sandbox !== undefined && { sandbox }) };
    const { refused } =
      virusTotal === undefined && sandbox === undefined
        ? { refused: 0 }
        : this.#change(workspaceId, meant, flags, isAnother);
    if (isAnother.size > 0) this.touch(workspaceId);
    yield { changed: isAnother.size, refused };
  }

  /**
   * Of archives that are being opened: what comes out of them from then on is as they are, and what came out before is
   * not to be otherwise.
   */
  *#membersTicked(
    workspaceId: string,
    ids: readonly number[],
    isTicked: boolean,
    each: number,
  ): Generator<Changes, void, undefined> {
    const next = (): number => this.#tickMembers.run(workspaceId, JSON.stringify(ids), Number(isTicked), each).changes;
    for (let changes = next(); changes > 0; changes = next()) yield { changed: changes, refused: 0 };
  }

  /**
   * Adds the ids of those that are not as they were. @returns which of the files can be changed, and how many flags
   * were refused
   */
  #change(
    workspaceId: string,
    ids: readonly number[],
    change: UploadChange,
    isAnother: Set<number>,
  ): { meant: number[]; refused: number } {
    const meant: number[] = [];
    let refused = 0;
    const shut = change.virusTotal || change.sandbox ? this.#tlps.shut(ids) : new Set<number>();
    for (const row of this.#changeable.all(workspaceId, JSON.stringify(ids))) {
      const before = changeableOf(row);
      if (before === null) continue;
      meant.push(row.id);
      const after = changed(before, change, shut.has(row.id));
      refused += after.refused;
      if (this.#written(row, before, after.file)) isAnother.add(row.id);
    }
    return { meant, refused };
  }

  /** @returns whether there was anything to write */
  #written(row: z.infer<typeof changeableRow>, before: Changeable, after: Changeable): boolean {
    const tags = JSON.stringify(after.tags);
    if (isSame(before, after) && tags === row.tags) return false;
    this.#write.run(Number(after.isTicked), tags, after.tlp, Number(after.virusTotal), Number(after.sandbox), row.id);
    return true;
  }

  failed(id: number, failure: Failure): void {
    const bytes = this.#bytes.get(id);
    this.#fail.run(JSON.stringify(failure), id);
    if (bytes) this.#left(bytes);
  }

  /** A few a step, members before their archive. Gives the staged ids to discard. */
  *removed(workspaceId: string, ids: readonly number[], each: number): Generator<string[], void, undefined> {
    yield* this.membersRemoved(workspaceId, ids, each);
    this.touch(workspaceId);
    const rows = this.#removed(workspaceId, ids);
    this.#tlps.lostBy(rows);
    yield stagedIdsOf(rows);
  }

  *membersRemoved(
    workspaceId: string,
    archives: readonly number[],
    each: number,
  ): Generator<string[], void, undefined> {
    const next = () => this.#members.all(workspaceId, JSON.stringify(archives), each).map(({ id }) => id);
    for (let members = next(); members.length > 0; members = next())
      yield stagedIdsOf(this.#removed(workspaceId, members));
  }

  #removed(workspaceId: string, ids: readonly number[]): RemovedRow[] {
    const rows = this.#remove.all(workspaceId, JSON.stringify(ids));
    for (const row of rows) this.#left(row);
    return rows;
  }

  #left({ workspaceId, md5, sha256, state, isTicked }: z.infer<typeof bytesRow>): void {
    if (state === 'ready' && md5 !== null && sha256 !== null)
      this.#sames.left({ workspaceId, md5, sha256 }, { wasTicked: isTicked === 1 });
  }
}

/** null for a row whose tags or TLP cannot be read: a change must not make of it one that is sent without them. */
function changeableOf({ isTicked, tags, tlp, virusTotal, sandbox }: z.infer<typeof changeableRow>): Changeable | null {
  const read = labelsRow.safeParse({ tags: readJson(tags), tlp });
  return read.success
    ? { ...read.data, isTicked: isTicked === 1, virusTotal: virusTotal === 1, sandbox: sandbox === 1 }
    : null;
}

const isSame = (one: Changeable, other: Changeable): boolean =>
  one.isTicked === other.isTicked &&
  one.tlp === other.tlp &&
  one.virusTotal === other.virusTotal &&
  one.sandbox === other.sandbox;

/** What a person may change of a file. */
interface Changeable {
  isTicked: boolean;
  tags: readonly string[];
  tlp: TlpLevel | null;
  virusTotal: boolean;
  sandbox: boolean;
}

/**
 * What a file is after a change. A TLP that forbids third parties, its own or one by which it is shut, takes the flags
 * off, and lets none be set: `refused` counts those.
 */
function changed<File extends Changeable>(
  file: File,
  change: UploadChange,
  isShut: boolean,
): { file: File; refused: number } {
  const tlp = change.tlp === undefined ? file.tlp : change.tlp;
  const isClosed = isShut || forbidsThirdParties(tlp);
  return {
    file: {
      ...file,
      isTicked: change.isTicked ?? file.isTicked,
      tags: changedTags(file.tags, change),
      tlp,
      virusTotal: !isClosed && (change.virusTotal ?? file.virusTotal),
      sandbox: !isClosed && (change.sandbox ?? file.sandbox),
    },
    refused: isClosed ? Number(change.virusTotal === true) + Number(change.sandbox === true) : 0,
  };
}

/** In the order in which they came; none twice. */
function changedTags(tags: readonly string[], { addTags = [], removeTags = [] }: UploadChange): readonly string[] {
  if (addTags.length === 0 && removeTags.length === 0) return tags;
  return [...new Set([...tags, ...addTags])].filter((tag) => !removeTags.includes(tag));
}

const placeRow = z.object({ id: z.number(), groupId: z.number() });
const lastRow = z.object({ last: z.number().nullable() });
const idsRow = z.object({ ids: z.string() });
const idList = z.array(z.number());

/**
 * Finds the targeted files of a draft, a few at a time; a file that changes meanwhile is taken in its current state.
 */
class UploadTargets {
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

  /** Excludes files that come meanwhile, and those that came after the person was asked. */
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
