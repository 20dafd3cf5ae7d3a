import { z } from 'zod';
import { currentInstant } from '../../../shared/domain/clock.ts';
import {
  noteText,
  type SamplePreview,
  samplePreview,
  type SampleName,
  type SampleNote,
} from '../../../shared/domain/library.ts';
import type { TlpLevel } from '../../../shared/domain/tag.ts';
import type { Database } from '../database/database.ts';

const ownRow = z.object({ id: z.number(), note: z.string().nullable(), changed: z.string().nullable() });
const tlpRow = z.object({ tlp: z.string().nullable() });

const betweenNotes = '\n\n';

/** A person's data on bytes on this computer, besides tags. The caller gives the transaction. */
export class LocalAnnotations {
  readonly #db: Database;
  readonly #one;
  readonly #tlp;
  readonly #add;
  readonly #setNote;
  readonly #setTlp;
  readonly #dropEmpty;
  readonly #putWords;
  readonly #dropWords;

  constructor(db: Database) {
    this.#db = db;
    this.#one = db.query(ownRow, 'SELECT id, note, note_changed AS changed FROM sample_own WHERE sha256 = ?');
    this.#tlp = db.query(tlpRow, 'SELECT tlp FROM sample_own WHERE sha256 = ?');
    this.#add = db.command('INSERT OR IGNORE INTO sample_own (sha256) VALUES (?)');
    this.#setNote = db.command('UPDATE sample_own SET note = ?, note_changed = ? WHERE sha256 = ?');
    this.#setTlp = db.command('UPDATE sample_own SET tlp = ? WHERE sha256 = ?');
    this.#dropEmpty = db.command('DELETE FROM sample_own WHERE sha256 = ? AND note IS NULL AND tlp IS NULL');
    this.#putWords = db.command('INSERT OR REPLACE INTO note_text (rowid, note) VALUES (?, ?)');
    this.#dropWords = db.command('DELETE FROM note_text WHERE rowid = ?');
  }

  note(sha256: string | null): SampleNote | null {
    const { note = null, changed = null } = (sha256 === null ? null : this.#one.get(sha256)) ?? {};
    return note === null ? null : { text: note, changed: changed ?? '' };
  }

  /** '' removes it. @returns whether it is another */
  setNote(sha256: string, text: string): boolean {
    if ((this.note(sha256)?.text ?? '') === text) return false;
    this.#add.run(sha256);
    const { id } = this.#one.get(sha256) ?? missing();
    this.#db.writeLast(
      `note_text ${id}`,
      () => void (text === '' ? this.#dropWords.run(id) : this.#putWords.run(id, text)),
    );
    this.#setNote.run(text === '' ? null : text, text === '' ? null : currentInstant(), sha256);
    this.#dropEmpty.run(sha256);
    return true;
  }

  /** The note with a text below it, a line between; null when it would be too long. */
  noteWith(sha256: string, below: string): string | null {
    const before = this.note(sha256)?.text ?? '';
    const text = [before, below].filter((part) => part.trim() !== '').join(betweenNotes);
    return noteText.safeParse(text).data ?? null;
  }

  /** Whether a text is the note, or was put below it last. */
  endsWith(sha256: string, below: string): boolean {
    const text = this.note(sha256)?.text ?? '';
    return below.trim() !== '' && (text === below || text.endsWith(`${betweenNotes}${below}`));
  }

  tlp(sha256: string): string | null {
    return this.#tlp.get(sha256)?.tlp ?? null;
  }

  /** null takes it away. @returns whether it is another */
  setTlp(sha256: string, level: TlpLevel | null): boolean {
    if (this.tlp(sha256) === level) return false;
    this.#add.run(sha256);
    this.#setTlp.run(level, sha256);
    this.#dropEmpty.run(sha256);
    return true;
  }

  forget(sha256: string): void {
    this.setNote(sha256, '');
    this.setTlp(sha256, null);
  }
}

function missing(): never {
  throw new TypeError('what was put in is not there');
}

const nameRow = z.object({ name: z.string(), path: z.string(), added: z.string() });
/** As many as are shown and searched for. */
const mostNames = 1000;

/**
 * Under which names local files with the same bytes were added. Untrusted text, as it was given. The caller gives the
 * transaction.
 */
export class SampleNames {
  readonly #add;
  readonly #of;
  readonly #latest;
  readonly #forget;

  constructor(db: Database) {
    this.#add = db.command(
      `INSERT INTO sample_name (sha256, name, path, added) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
        SET added = excluded.added`,
    );
    const named = 'SELECT name, path, added FROM sample_name WHERE sha256 = ? ORDER BY added DESC, name, path LIMIT';
    this.#of = db.query(nameRow, `${named} ${mostNames}`);
    this.#latest = db.query(nameRow, `${named} 1`);
    this.#forget = db.command('DELETE FROM sample_name WHERE sha256 = ?');
  }

  add(sha256: string, { name, path, added }: SampleName): void {
    this.#add.run(sha256, name.toWellFormed(), path.toWellFormed(), added);
  }

  /** Newest first, the newest thousand. */
  of(sha256: string | null): SampleName[] {
    return sha256 === null ? [] : this.#of.all(sha256);
  }

  latest(sha256: string | null): string | null {
    return sha256 === null ? null : (this.#latest.get(sha256)?.name ?? null);
  }

  forget(sha256: string): void {
    this.#forget.run(sha256);
  }
}

const storedRow = z.object({ sha256: z.string(), type: z.string().nullable(), strip: z.string().nullable() });

/** Previews of bytes, made once. Bytes do not change, so a preview never expires. The caller gives the transaction. */
export class SamplePreviews {
  readonly #of;
  readonly #put;
  readonly #setType;
  readonly #forget;

  constructor(db: Database) {
    this.#of = db.query(
      storedRow,
      'SELECT sha256, type, strip FROM sample_look WHERE sha256 IN (SELECT value FROM json_each(?))',
    );
    this.#put = db.command(
      `INSERT INTO sample_look (sha256, type, strip) SELECT ?1, ?2, ?3
        WHERE EXISTS (SELECT 1 FROM sample WHERE sha256 = ?1)
      ON CONFLICT DO UPDATE SET type = ifnull(excluded.type, type), strip = ifnull(excluded.strip, strip)`,
    );
    this.#setType = db.command('UPDATE sample SET type = ?1 WHERE sha256 = ?2 AND type IS NOT ?1');
    this.#forget = db.command('DELETE FROM sample_look WHERE sha256 = ?');
  }

  /** Those that were kept, in any order; one that cannot be read is made again. */
  of(sha256s: readonly string[]): SamplePreview[] {
    return this.#of.all(JSON.stringify(sha256s)).flatMap((row) => samplePreview.safeParse(row).data ?? []);
  }

  /**
   * The type found in the bytes is the one that a row shows. Nothing is kept for bytes that were forgotten meanwhile.
   */
  keep({ sha256, type, strip }: SamplePreview): void {
    this.#put.run(sha256, type, strip);
    if (type !== null) this.#setType.run(type, sha256);
  }

  forget(sha256: string): void {
    this.#forget.run(sha256);
  }
}
