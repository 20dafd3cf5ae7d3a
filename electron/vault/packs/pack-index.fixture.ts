import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { PackIndex, PackPlace } from './pack-index.ts';

const stored = z.array(z.object({ sha256: z.string(), pack: z.string(), at: z.number(), length: z.number() }));

/** An index as the database keeps it, in one file that is replaced as a whole: enough to be killed at any moment. */
export class PackIndexFile implements PackIndex {
  readonly #path: string;
  #places: Map<string, PackPlace>;

  constructor(path: string) {
    this.#path = path;
    const places = existsSync(path) ? stored.parse(JSON.parse(readFileSync(path, 'utf8'))) : [];
    this.#places = new Map(places.map((place) => [place.sha256, place]));
  }

  place(sha256: string): PackPlace | null {
    return this.#places.get(sha256) ?? null;
  }

  places(sha256s: readonly string[]): PackPlace[] {
    return sha256s.flatMap((sha256) => this.#places.get(sha256) ?? []);
  }

  add(places: readonly PackPlace[], alongside: () => void): Promise<void> {
    alongside();
    this.#replace(new Map([...this.#places, ...places.map((place): [string, PackPlace] => [place.sha256, place])]));
    return Promise.resolve();
  }

  remove(sha256: string): void {
    this.#replace(new Map([...this.#places].filter(([name]) => name !== sha256)));
  }

  endOf(pack: string): number | null {
    const ends = [...this.#places.values()].filter((place) => place.pack === pack).map(({ at, length }) => at + length);
    return ends.length === 0 ? null : Math.max(...ends);
  }

  list(after: string, limit: number): string[] {
    return [...this.#places.keys()]
      .toSorted()
      .filter((name) => name > after)
      .slice(0, limit);
  }

  #replace(places: Map<string, PackPlace>): void {
    writeFileSync(`${this.#path}.new`, JSON.stringify([...places.values()]));
    renameSync(`${this.#path}.new`, this.#path);
    this.#places = places;
  }
}
