import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { fail } from '../../shared/failure.ts';

const secretBytes = 32;

/** How many may live at once; the oldest go first. A link lives until its use, a session until the host ends. */
interface SessionLimits {
  links: number;
  sessions: number;
}
const defaultLimits: SessionLimits = { links: 8, sessions: 32 };

/** One-time link secrets and the session keys they are swapped for. Holds digests only, never a secret. */
export class Sessions {
  readonly #links: SecretSet;
  readonly #keys: SecretSet;

  constructor(limits: SessionLimits = defaultLimits) {
    this.#links = new SecretSet(limits.links);
    this.#keys = new SecretSet(limits.sessions);
  }

  /** A new link's secret: 256 random bits as base64url. */
  newLink(): string {
    return this.#links.mint();
  }

  /** A session key for a link's secret, which is used up by it; null when there is no such link (any more). */
  swap(secret: string): string | null {
    return this.#links.remove(secret) ? this.#keys.mint() : null;
  }

  accepts(key: string): boolean {
    return this.#keys.has(key);
  }
}

class SecretSet {
  readonly #limit: number;
  #digests: Buffer[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  mint(): string {
    const secret = randomBytes(secretBytes).toString('base64url');
    this.#digests = [...this.#digests, digestOf(secret)].slice(-this.#limit);
    return secret;
  }

  remove(secret: string): boolean {
    const index = this.#indexOf(secret);
    if (index !== -1) this.#digests.splice(index, 1);
    return index !== -1;
  }

  has(secret: string): boolean {
    return this.#indexOf(secret) !== -1;
  }

  /** Digests are of equal length and every one is compared, so the time taken reveals nothing about a secret. */
  #indexOf(secret: string): number {
    const digest = digestOf(secret);
    let found = -1;
    for (const [index, known] of this.#digests.entries()) if (timingSafeEqual(known, digest)) found = index;
    return found;
  }
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Beyond this the oldest are forgotten: then any session may use them. */
const keptAtMost = 100_000;

/**
 * Whose a staged file is, from its staging until a call of that session hands it over. Until then no other session has
 * an honest way to know its id; from then on operations show it to every page, as they do drafts. A session is
 * identified by its key.
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
