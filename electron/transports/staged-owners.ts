import { fail } from '../../shared/failure.ts';

/** More that nobody came for are forgotten, the oldest first: then any session may use them. */
const keptAtMost = 100_000;

/**
 * Whose a staged file is, from its staging until a call of that session hands it over. Until then no other session has
 * an honest way to know its id; from then on operations show it to every page, as they do drafts. A session is told by
 * its key.
 */
export class StagedOwners {
  readonly #keys = new Map<string, string>();

  add(id: string, sessionKey: string): void {
    this.#keys.set(id, sessionKey);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > keptAtMost && oldest !== undefined) this.#keys.delete(oldest);
  }

  /**
   * To be called with the input of each call, before it is carried out. Fails with `staged-file-missing` for an id of
   * another session.
   */
  handOver(input: unknown, sessionKey: string): void {
    if (this.#keys.size === 0) return;
    const named = textsIn(input).filter((text) => this.#keys.has(text));
    for (const id of named) if (this.#keys.get(id) !== sessionKey) fail({ kind: 'staged-file-missing', id });
    for (const id of named) this.#keys.delete(id);
  }
}

/**
 * Every text in a JSON value, names of members too. By a list of its own, and not by calling itself: a value may be
 * nested deeper than calls can be.
 */
function textsIn(input: unknown): string[] {
  const texts: string[] = [];
  const left: unknown[] = [input];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) left.push(name, member);
  }
  return texts;
}
