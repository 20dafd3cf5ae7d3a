import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const secretBytes = 32;

/** How many may live at once; the oldest go first. A link lives until its use, a session until the host ends. */
export interface SessionLimits {
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

  /** Digests are of equal length and every one is compared, so the time taken tells nothing about a secret. */
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
