import { randomBytes } from 'node:crypto';
import type { StoredPublication } from './metadata-store.ts';

/** A package as somebody asked for it. */
export interface PublicationLink {
  publication: StoredPublication;
  /** Its name does not tell that it is a ZIP. */
  isPublic: boolean;
  isEncrypted: boolean;
}

const folder = '/rules/publication/';
const liveMs = 60_000;
/** When there are more, the oldest ends early. */
const liveAtMost = 1_000;

/** Paths that lead to a package without a token, for a minute each. Nobody can guess one: 128 random bits. */
export class PublicationLinks {
  readonly #live = new Map<string, PublicationLink & { endsAt: number }>();
  readonly #now: () => number;

  /** `now` in milliseconds, of a clock that nobody sets. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  add(link: PublicationLink): string {
    this.#forget();
    const path = `${folder}${randomBytes(16).toString('hex')}${link.isPublic ? '' : '.zip'}`;
    this.#live.set(path, { ...link, endsAt: this.#now() + liveMs });
    return path;
  }

  at(path: string): PublicationLink | null {
    const link = this.#live.get(path);
    return link === undefined || link.endsAt <= this.#now() ? null : link;
  }

  /** Those that are over, which are the oldest, and as many more as make room for one. */
  #forget(): void {
    for (const [path, { endsAt }] of this.#live) {
      if (endsAt > this.#now() && this.#live.size < liveAtMost) return;
      this.#live.delete(path);
    }
  }
}
