import { hostname, userInfo } from 'node:os';
import { z } from 'zod';
import { type PgDatabase, storable } from './pg-database.ts';

/** Who did what, and from where. */
export interface AuditEntry {
  who: string;
  /** The action, such as `downloadfile`. */
  what: string;
  /** SHA-256s of samples, a version of rules, or the number of a token. */
  about: readonly string[];
  /** The address of the client; null for a command. */
  from: string | null;
}

export interface RecordedEntry extends AuditEntry {
  /** UTC, ISO 8601, by the clock of the database. */
  at: string;
}

const details = z.object({ about: z.array(z.string()), from: z.string().nullable(), token: z.number().nullable() });
const row = z.object({ at: z.date(), who: z.string(), what: z.string(), details });
const nothing = z.unknown();

/** The record of what was done with a team's samples. It only grows. Fails as PgDatabase does. */
export class PgAudit {
  readonly #database: PgDatabase;

  constructor(database: PgDatabase) {
    this.#database = database;
  }

  /** `token` is the number of the caller's token; null for a command. */
  async record({ who, what, about, from }: AuditEntry, token: number | null): Promise<void> {
    await this.#database.query(
      {
        name: 'audit-add',
        text: 'INSERT INTO audit (who, what, about, details) VALUES ($1, $2, $3, $4::jsonb)',
        row: nothing,
      },
      [who, what, about[0] ?? null, JSON.stringify({ about: about.map(storable), from, token })],
    );
  }

  /** What a person does at a terminal, under the name that this computer knows them by. */
  recordCommand(what: string, about: readonly string[]): Promise<void> {
    return this.record({ who: `${userInfo().username}@${hostname()}`, what, about, from: null }, null);
  }

  /** Newest first; `since` is an ISO 8601 instant, or a day in UTC. */
  async list({
    who,
    since,
    most,
  }: {
    who: string | null;
    since: string | null;
    most: number;
  }): Promise<RecordedEntry[]> {
    const rows = await this.#database.query(
      {
        text: `SELECT at, who, what, details FROM audit
               WHERE ($1::text IS NULL OR who = $1) AND ($2::timestamptz IS NULL OR at >= $2)
               ORDER BY id DESC LIMIT $3`,
        row,
      },
      [who, since, most],
    );
    return rows.map(({ at, who: name, what, details: { about, from } }) => ({
      at: at.toISOString(),
      who: name,
      what,
      about,
      from,
    }));
  }
}
