import { z } from 'zod';
import { fail } from '../../shared/failure.ts';
import type { Database } from './database.ts';
import { readJson } from './stored-json.ts';

const count = z.number().int().nonnegative();

/**
 * Where a token stood in a text of a package. `sha256`: of the text as it came; `at`: first character and how many, in
 * UTF-16 units, in order and apart.
 */
const tokenPlaces = z.array(z.object({ sha256: z.string(), at: z.array(z.tuple([count, count])) }));
export type TokenPlaces = z.infer<typeof tokenPlaces>[number];

/**
 * What was taken out of packages when they were received: then the token was there, which was just sent. Later none may
 * be, where the store forgot it or is locked, and the text would be as it came.
 */
export class TokenPlacesTable {
  readonly #path: string;
  readonly #places;
  readonly #put;

  constructor(db: Database) {
    this.#path = db.path;
    this.#places = db.query(
      z.object({ places: z.string() }),
      'SELECT places FROM rule_package_token WHERE workspace_id = ? AND sha256 = ?',
    );
    this.#put = db.command('INSERT OR REPLACE INTO rule_package_token (workspace_id, sha256, places) VALUES (?, ?, ?)');
  }

  /** Fails with `data-damaged` where they cannot be read: without them nobody is to read the package. */
  of(workspaceId: string, sha256: string): TokenPlaces[] {
    const row = this.#places.get(workspaceId, sha256);
    if (row === null) return [];
    return (
      tokenPlaces.safeParse(readJson(row.places)).data ??
      fail({ kind: 'data-damaged', path: this.#path, code: 'rule_package_token' })
    );
  }

  /** A package that comes again where nothing is found keeps what was: the store may not tell the token now. */
  put(workspaceId: string, sha256: string, places: readonly TokenPlaces[]): void {
    if (places.length > 0) this.#put.run(workspaceId, sha256, JSON.stringify(places));
  }
}
