import { longestComment } from '../../../shared/domain/comment.ts';
import { unsavedUploadComments } from '../../memory/unsaved-texts.ts';
import { paced } from '../../state/pacing.ts';
import type { DraftWrites } from './draft-writes.ts';

const savedEveryMs = 400;

/** The comment as it is typed, saved while it is: the last keystrokes too, wherever the person goes. */
export class KeptComment {
  readonly #writes: DraftWrites;
  readonly #workspaceId: string;
  readonly #listeners = new Set<() => void>();
  readonly #save: () => void;
  #typed: string | null = null;
  /** What was last handed over to be saved. */
  #sent: string | null = null;
  /** The host has this one. */
  #saved: string | null = null;

  constructor(writes: DraftWrites, workspaceId: string) {
    this.#writes = writes;
    this.#workspaceId = workspaceId;
    this.#save = paced(savedEveryMs, () => this.flush());
    const left = unsavedUploadComments.read(workspaceId);
    if (left !== null) this.type(left);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  /** null: as the host has it. */
  readonly typed = (): string | null => this.#typed;

  type(text: string): void {
    this.#typed = text;
    this.#tell();
    this.#save();
  }

  /** A text that is too long is not saved: none of it would be. */
  async flush(): Promise<void> {
    const text = this.#typed;
    if (text === null || text === this.#sent || text.length > longestComment) return;
    this.#sent = text;
    const answer = await this.#writes.send('uploads.comment', { workspaceId: this.#workspaceId, text });
    if (answer.ok) this.#savedNow(text);
    else if (this.#sent === text) this.#sent = null;
  }

  /** The page goes: what the host does not surely have is for the next one. */
  leave(): void {
    if (this.#typed !== null && this.#typed !== this.#saved) unsavedUploadComments.keep(this.#workspaceId, this.#typed);
    void this.flush();
  }

  /** Lets go of the typed text once the host is known to have it. */
  release(text: string): void {
    if (this.#typed === text && this.#sent === text) this.forget();
  }

  forget(): void {
    this.#typed = null;
    this.#sent = null;
    this.#saved = null;
    unsavedUploadComments.clear(this.#workspaceId);
    this.#tell();
  }

  #savedNow(text: string): void {
    this.#saved = text;
    if (this.#typed === text) unsavedUploadComments.clear(this.#workspaceId);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
