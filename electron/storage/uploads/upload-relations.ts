import { z } from 'zod';
import { forbidsThirdParties, type TlpLevel, tlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import { mostDraftFiles } from '../../../shared/domain/upload.ts';
import type { Database } from '../database/database.ts';
import { LibraryTlps } from '../library/library-tlps.ts';
import { hasBytes, inDraft, isClosed, strictness } from './upload-rows.ts';

const idRow = z.object({ id: z.number() });
const bytesRow = z.object({ workspaceId: z.string(), md5: z.string(), sha256: z.string() });
const levelRow = z.object({ id: z.number(), tlp: tlpLevel });
const hashedRow = z.object({ id: z.number(), md5: z.string(), sha256: z.string() });

const known = `tlp IN (${tlpLevels.map((level) => `'${level}'`).join(', ')})`;
const ofBytes = `workspace_id = ?1 AND md5 = ?2 AND sha256 = ?3 AND ${inDraft} AND ${hasBytes}`;
const given = 'id IN (SELECT value FROM json_each(?1))';

const raised = (tlp: string): string =>
  `UPDATE upload_file SET tlp = ${tlp}, virus_total = iif(${isClosed(tlp)}, 0, virus_total),
    sandbox = iif(${isClosed(tlp)}, 0, sandbox)`;
const isBelow = (tlp: string): string => `${strictness('tlp')} < ${strictness(tlp)}`;

const inClosedArchive = (file: string): string =>
  `EXISTS (SELECT 1 FROM upload_file AS archive WHERE archive.id = ${file}.parent_id AND archive.${inDraft}
    AND ${isClosed('archive.tlp')})`;
const hasClosedMember = (file: string): string =>
  `EXISTS (SELECT 1 FROM upload_file AS member WHERE member.parent_id = ${file}.id AND member.${inDraft}
    AND ${isClosed('member.tlp')})`;
const isShut = (file: string): string =>
  `(${isClosed(`${file}.tlp`)} OR ${inClosedArchive(file)} OR ${hasClosedMember(file)})`;

/** Those of the given files, and their copies as `copy`. */
const copiesOfGiven = `
  FROM (SELECT DISTINCT workspace_id, md5, sha256 FROM upload_file WHERE ${given} AND ${inDraft}
    AND ${hasBytes}) AS bytes
  CROSS JOIN upload_file AS copy INDEXED BY upload_file_by_hash ON copy.workspace_id = bytes.workspace_id
    AND copy.md5 = bytes.md5
  AND copy.sha256 = bytes.sha256 AND copy.${inDraft} AND copy.${hasBytes}`;

// Equal files are looked through once for all of them: there may be thousands.
const shut = `
  WITH file AS MATERIALIZED (SELECT id, workspace_id, parent_id, md5, sha256, tlp FROM upload_file WHERE ${given}
    AND ${inDraft}),
  bytes AS MATERIALIZED (SELECT DISTINCT workspace_id, md5, sha256 FROM file WHERE md5 NOT NULL AND sha256 NOT NULL),
  shut_bytes AS MATERIALIZED (SELECT sha256 FROM bytes WHERE EXISTS (
    SELECT 1 FROM upload_file AS other INDEXED BY upload_file_by_hash WHERE other.workspace_id = bytes.workspace_id
      AND other.md5 = bytes.md5
    AND other.sha256 = bytes.sha256 AND other.${inDraft} AND other.${hasBytes} AND ${isShut('other')}))
  SELECT id FROM file WHERE ${isShut('file')} OR sha256 IN shut_bytes`;

/**
 * Reports files of drafts that have a more closed TLP in the library than in the draft, one for all of the same bytes,
 * before the statement that caused it is over. To be called once.
 */
export function watchKnownTlps(db: Database, reported: (id: number) => void): void {
  db.sql.function('upload_tlp_known', (id) => {
    reported(Number(id));
    return null;
  });
  const report = `SELECT upload_tlp_known(id) FROM upload_file INDEXED BY upload_file_by_hash
    WHERE workspace_id IN (SELECT workspace_id FROM upload_draft)
    AND md5 = new.md5 AND sha256 = new.sha256 AND ${inDraft} AND ${hasBytes} AND state = 'ready'
      AND ${strictness('tlp')} <= new.tlp;`;
  for (const [name, when] of [
    ['came', 'INSERT'],
    ['changed', 'UPDATE OF tlp'],
  ]) {
    db.command(
      `CREATE TEMP TRIGGER IF NOT EXISTS upload_tlp_known_${name} AFTER ${when} ON main.sample WHEN new.tlp NOT NULL
        BEGIN ${report} END`,
    ).run();
  }
}

/**
 * What the TLP of one file means for others of its draft that lead to the same bytes: its copies, its archive, and its
 * members. A file is shut when no third party may have it, for its own TLP or for that of one of these. The caller
 * gives the transaction.
 */
export class UploadTlps {
  readonly #library: LibraryTlps;
  readonly #hashed;
  readonly #one;
  readonly #oneSent;
  readonly #raise;
  readonly #copies;
  readonly #copied;
  readonly #members;
  readonly #bytesOfArchives;
  readonly #archives;
  readonly #unflag;
  readonly #shut;
  readonly #unflagShut;
  readonly #strictest;
  readonly #strictestOf;

  constructor(db: Database) {
    this.#library = new LibraryTlps(db);
    this.#hashed = db.query(
      hashedRow,
      `SELECT id, md5, sha256 FROM upload_file WHERE ${given} AND ${hasBytes} AND md5 NOT NULL AND sha256 NOT NULL`,
    );
    this.#one = db.command(`${raised('?2')} WHERE id = ?1 AND ${inDraft} AND ${isBelow('?2')}`);
    this.#oneSent = db.command(`${raised('?2')} WHERE id = ?1 AND NOT ${inDraft} AND ${isBelow('?2')}`);
    this.#raise = db.command(`${raised('?2')} WHERE ${given}`);
    this.#copies = db.query(
      idRow,
      `SELECT copy.id AS id ${copiesOfGiven} WHERE ${strictness('copy.tlp')} < ${strictness('?2')} LIMIT ?3`,
    );
    this.#copied = db.query(
      bytesRow,
      `SELECT copy.workspace_id AS workspaceId, copy.md5, copy.sha256 ${copiesOfGiven} GROUP BY 1, 2, 3
        HAVING count(*) > 1`,
    );
    this.#members = db.query(
      idRow,
      `SELECT id FROM upload_file WHERE parent_id = ?1 AND ${inDraft} AND ${isBelow('?2')} LIMIT ?3`,
    );
    this.#bytesOfArchives = db.query(
      bytesRow,
      `SELECT DISTINCT workspace_id AS workspaceId, md5, sha256 FROM upload_file WHERE ${inDraft} AND ${hasBytes}
        AND md5 NOT NULL AND sha256 NOT NULL
      AND id IN (SELECT parent_id FROM upload_file WHERE ${given})`,
    );
    this.#archives = db.query(idRow, `SELECT id FROM upload_file WHERE ${given} AND archive_state NOT NULL`);
    this.#unflag = db.command(
      `UPDATE upload_file INDEXED BY upload_file_by_hash SET virus_total = 0, sandbox = 0 WHERE ${ofBytes}
        AND (virus_total OR sandbox)`,
    );
    this.#shut = db.query(idRow, shut);
    this.#unflagShut = db.command(
      `UPDATE upload_file SET virus_total = 0, sandbox = 0 WHERE ${given} AND (virus_total OR sandbox)
        AND id IN (${shut})`,
    );
    this.#strictest = db.query(
      levelRow,
      `SELECT id, tlp FROM upload_file WHERE id IN (?1, ?2) AND ${known}
        ORDER BY ${strictness('tlp')} DESC, id = ?2 DESC LIMIT 1`,
    );
    this.#strictestOf = db.query(
      levelRow,
      `SELECT id, tlp FROM upload_file INDEXED BY upload_file_by_hash WHERE ${ofBytes} AND ${known}
        ORDER BY ${strictness('tlp')} DESC LIMIT 1`,
    );
  }

  /** Those of the files that are shut, by the draft or by what the library knows of their bytes. */
  shut(ids: readonly number[]): Set<number> {
    const closed = this.#known(ids).filter(({ level }) => forbidsThirdParties(level));
    return new Set([...this.#shut.all(JSON.stringify(ids)), ...closed].map(({ id }) => id));
  }

  /**
   * The library may know a more closed TLP of a file's bytes than the draft has: then the file gets it, and so does
   * every file that leads to the same bytes.
   */
  raiseToKnown(ids: readonly number[]): void {
    for (const { id, level } of this.#known(ids)) {
      if (this.#one.run(id, level).changes > 0) Array.from(this.spread([id], level, mostDraftFiles));
    }
  }

  unflagShut(ids: readonly number[]): void {
    this.#unflagShut.run(JSON.stringify(ids));
  }

  /**
   * Spreads the new TLP of these files: their copies, and the members of archives among them, get it where theirs is
   * less strict, and files that it closes lose their flags. Yields how many others got it, in steps; the first includes
   * `already`.
   */
  *spread(ids: readonly number[], level: TlpLevel, each: number, already = 0): Generator<number, void, undefined> {
    const reached = [...ids];
    for (
      let copies = this.#raisedCopies(ids, level, each);
      copies.length > 0;
      copies = this.#raisedCopies(ids, level, each)
    ) {
      reached.push(...copies);
      if (copies.length < each) break;
      yield 0;
    }
    this.#unflagArchivesOf(reached, level);
    const archives = this.#archives.all(JSON.stringify(reached));
    yield already + reached.length - ids.length;
    for (const archive of archives) yield* this.#spreadToMembers(archive.id, level, each);
  }

  /**
   * A file turns out to hold the bytes of another of the draft. Copies of that one have its TLP, or a stricter one,
   * already.
   */
  met(id: number, other: number): void {
    const strictest = this.#strictest.get(id, other);
    if (strictest === null) return;
    const isOfOther = strictest.id === other;
    // To look through all copies for each that comes would take longer and longer.
    if (isOfOther && this.#one.run(id, strictest.tlp).changes === 0) return;
    if (isOfOther) this.#unflagArchivesOf([id], strictest.tlp);
    else Array.from(this.spread([id], strictest.tlp, mostDraftFiles));
  }

  /**
   * The last guard before files leave the draft: they have the strictest TLP of their copies and of the library, and no
   * flag where they are shut.
   */
  guard(ids: readonly number[]): void {
    this.raiseToKnown(ids);
    for (const { workspaceId, md5, sha256 } of this.#copied.all(JSON.stringify(ids))) {
      const strictest = this.#strictestOf.get(workspaceId, md5, sha256);
      if (strictest)
        this.#unflagArchivesOf(
          [strictest.id, ...this.#raisedCopies([strictest.id], strictest.tlp, mostDraftFiles)],
          strictest.tlp,
        );
    }
    this.unflagShut(ids);
  }

  /**
   * The same before each request with files that left the draft, which may be days later: its copies and archives say
   * nothing of them any more, the library does.
   */
  guardSent(ids: readonly number[]): void {
    for (const { id, level } of this.#known(ids)) this.#oneSent.run(id, level);
  }

  /** Members of archives are no more in the draft: what holds their bytes is as closed as they were. */
  lostBy(members: readonly { parentId: number | null; tlp: string | null }[]): void {
    for (const { parentId, tlp } of members) {
      const { data: level = null } = tlpLevel.safeParse(tlp);
      if (
        parentId === null ||
        level === null ||
        !forbidsThirdParties(level) ||
        this.#one.run(parentId, level).changes === 0
      )
        continue;
      Array.from(this.spread([parentId], level, mostDraftFiles));
    }
  }

  /** An archive leaves its members behind: they keep its TLP where theirs is less strict. */
  leftBy(archive: number): void {
    const own = this.#strictest.get(archive, archive);
    if (own) Array.from(this.#spreadToMembers(archive, own.tlp, mostDraftFiles));
  }

  #known(ids: readonly number[]): { id: number; level: TlpLevel }[] {
    return this.#hashed.all(JSON.stringify(ids)).flatMap((file) => {
      const level = this.#library.ofSample(file);
      return level === null ? [] : [{ id: file.id, level }];
    });
  }

  *#spreadToMembers(archive: number, level: TlpLevel, each: number): Generator<number, void, undefined> {
    const next = () => this.#raised(this.#members.all(archive, level, each), level);
    for (let members = next(); members.length > 0; members = next())
      yield* this.spread(members, level, each, members.length);
  }

  #raisedCopies(ids: readonly number[], level: TlpLevel, limit: number): number[] {
    return this.#raised(this.#copies.all(JSON.stringify(ids), level, limit), level);
  }

  #raised(rows: readonly { id: number }[], level: TlpLevel): number[] {
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) this.#raise.run(JSON.stringify(ids), level);
    return ids;
  }

  #unflagArchivesOf(ids: readonly number[], level: TlpLevel): void {
    if (!forbidsThirdParties(level)) return;
    for (const { workspaceId, md5, sha256 } of this.#bytesOfArchives.all(JSON.stringify(ids)))
      this.#unflag.run(workspaceId, md5, sha256);
  }
}

const firstRow = z.object({ id: z.number(), isBefore: z.number() });
const sha256Row = z.object({ sha256: z.string() });

/** Which bytes, in which draft. */
export interface Bytes {
  workspaceId: string;
  md5: string;
  sha256: string;
}

/**
 * Files of a draft that hold the same bytes: one of them is sent, and the others are the `same`. The one sent is the
 * first that came; files that a person added precede those that came by themselves. The caller gives the transaction.
 */
export class UploadSames {
  readonly #tlps: UploadTlps;
  readonly #other;
  readonly #first;
  readonly #earlier;
  readonly #refuse;
  readonly #ready;
  readonly #same;
  readonly #follow;

  constructor(db: Database, tlps: UploadTlps) {
    this.#tlps = tlps;
    const withMd5 = `FROM upload_file INDEXED BY upload_file_by_hash WHERE workspace_id = ?1 AND md5 = ?2 AND ${inDraft}
      AND ${hasBytes}`;
    this.#other = db.query(
      sha256Row,
      `SELECT * FROM (SELECT sha256 ${withMd5} AND sha256 < ?3 LIMIT 1) UNION ALL
        SELECT * FROM (SELECT sha256 ${withMd5} AND sha256 > ?3 LIMIT 1)`,
    );
    const first = `${withMd5} AND sha256 = ?3 ORDER BY came_by_itself, id LIMIT 1`;
    this.#first = db.query(idRow, `SELECT id ${first}`);
    this.#earlier = db.query(
      firstRow,
      `SELECT id, (came_by_itself, id) < (SELECT came.came_by_itself, came.id FROM upload_file AS came
        WHERE came.id = ?4) AS isBefore ${first}`,
    );
    this.#refuse = db.command(`UPDATE upload_file SET state = 'unreadable', same_as = NULL, failure = ? WHERE id = ?`);
    // Its type was not determined while another file represented it.
    this.#ready = db.command(
      `UPDATE upload_file SET state = 'ready', same_as = NULL, looked = iif(archive_state IS NULL, 0, looked),
        is_ticked = iif(?2 IS NULL, is_ticked, iif(came_by_itself, min(is_ticked, ?2), ?2))
      WHERE id = ?1 AND state <> 'ready'`,
    );
    this.#same = db.command(`UPDATE upload_file SET state = 'same', same_as = ?, is_ticked = 0 WHERE id = ?`);
    this.#follow = db.command(
      `UPDATE upload_file SET state = 'same', same_as = ?4, is_ticked = 0
        WHERE workspace_id = ?1 AND md5 = ?2 AND sha256 = ?3 AND ${inDraft} AND ${hasBytes}
      AND id <> ?4 AND ifnull(same_as, 0) <> ?4`,
    );
  }

  /** A file with these bytes is in the draft now. It must not be `ready` or `same` yet. */
  came(id: number, bytes: Bytes): void {
    const { workspaceId, md5, sha256 } = bytes;
    const other = this.#other.get(workspaceId, md5, sha256);
    if (other) {
      this.#refuse.run(JSON.stringify({ kind: 'two-samples-one-md5', md5, sha256s: [other.sha256, sha256] }), id);
      return;
    }
    const earlier = this.#earlier.get(workspaceId, md5, sha256, id);
    if (earlier?.isBefore) {
      this.#same.run(earlier.id, id);
      this.#tlps.met(id, earlier.id);
      return;
    }
    this.#ready.run(id, null);
    if (earlier === null) return;
    this.#follow.run(workspaceId, md5, sha256, id);
    this.#tlps.met(id, earlier.id);
    this.#tlps.unflagShut([id]);
  }

  /**
   * The file that represented these bytes left the draft: the next one replaces it, ticked as that one was. One that
   * came by itself is not ticked by that.
   */
  left({ workspaceId, md5, sha256 }: Bytes, { wasTicked }: { wasTicked: boolean }): void {
    const first = this.#first.get(workspaceId, md5, sha256);
    if (first === null) return;
    this.#ready.run(first.id, Number(wasTicked));
    this.#follow.run(workspaceId, md5, sha256, first.id);
    this.#tlps.unflagShut([first.id]);
  }
}
