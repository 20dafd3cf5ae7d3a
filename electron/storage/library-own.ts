import { z } from 'zod';
import { currentInstant } from '../../shared/domain/clock.ts';
import { noteText, type SampleNote } from '../../shared/domain/library.ts';
import type { TlpLevel } from '../../shared/domain/tag.ts';
import type { Database } from './database.ts';

const ownRow = z.object({ id: z.number(), note: z.string().nullable(), changed: z.string().nullable() });
const tlpRow = z.object({ tlp: z.string().nullable() });

const betweenNotes = '\n\n';

/** What a person says of bytes on this desk, besides tags. The caller gives the transaction. */
export class LibraryOwn {
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
