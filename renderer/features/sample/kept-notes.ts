import { KeptNote, type NotePlaces } from './kept-note.ts';

/** The notes that are shown, and those that the host does not have yet: one of each sample, by its SHA-256. */
export class KeptNotes {
  readonly #placesOf: (sha256: string) => NotePlaces;
  readonly #notes = new Map<string, KeptNote>();

  constructor(placesOf: (sha256: string) => NotePlaces) {
    this.#placesOf = placesOf;
  }

  of(sha256: string): KeptNote {
    const kept = this.#notes.get(sha256) ?? new KeptNote(this.#placesOf(sha256));
    this.#notes.set(sha256, kept);
    return kept;
  }

  /** Nobody shows it here any more: its text goes to the host, and once it is there the note is let go of. */
  async leave(sha256: string): Promise<void> {
    const kept = this.#notes.get(sha256);
    await kept?.flush();
    if (kept?.isNeeded === false) this.#notes.delete(sha256);
  }

  /** What an earlier page left of these samples goes to the host. */
  async recover(sha256s: readonly string[]): Promise<void> {
    for (const sha256 of sha256s) {
      await this.of(sha256).recover();
      await this.leave(sha256);
    }
  }

  /** The host may be well again. */
  async tryAgain(): Promise<void> {
    const failed = [...this.#notes].filter(([, kept]) => kept.snapshot().failure !== null);
    await Promise.all(failed.map(([sha256]) => this.leave(sha256)));
  }
}
