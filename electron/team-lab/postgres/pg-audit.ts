import { hostname, userInfo } from 'node:os';
import { z } from 'zod';
import { type Queries, storable } from './pg-database.ts';

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
const row = z.object({ id: z.number(), at: z.date(), who: z.string(), what: z.string(), details });
const nothing = z.unknown();
const entriesInAPage = 1_000;
/** Without a name, so that it is planned for the filters that are given. */
const entriesBefore = {
  text: `SELECT id, at, who, what, details FROM audit
         WHERE ($1::bigint IS NULL OR id < $1) AND ($2::text IS NULL OR who = $2)
           AND ($3::timestamptz IS NULL OR at >= $3)
         ORDER BY id DESC LIMIT $4`,
  row,
};

export interface AuditFilter {
  /** Null: of all. */
  who: string | null;
  /** An ISO 8601 instant, or a day in UTC; null: from the first on. */
  since: string | null;
  most: number;
}

/** The record of what was done with a team's samples. It only grows. Fails as PgDatabase does. */
export class PgAudit {
  readonly #queries: Queries;

  /** Of a database, or of a transaction: what is put on record is there with its other changes, or not at all. */
  constructor(queries: Queries) {
    this.#queries = queries;
  }

  /** `token` is the number of the caller's token; null for a command. */
  async record({ who, what, about, from }: AuditEntry, token: number | null): Promise<void> {
    await this.#queries.query(
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

  /** Newest first. */
  async list(wanted: AuditFilter): Promise<RecordedEntry[]> {
    const entries: RecordedEntry[] = [];
    for await (const page of this.pages(wanted)) entries.push(...page);
    return entries;
  }

  /** The same, a page at a time: a trail has millions of entries. */
  async *pages({ who, since, most }: AuditFilter): AsyncGenerator<RecordedEntry[], void, void> {
    let before: number | null = null;
    for (let left = most; left > 0; left -= entriesInAPage) {
      const rows: z.output<typeof row>[] = await this.#queries.query(entriesBefore, [
        before,
        who,
        since,
        Math.min(left, entriesInAPage),
      ]);
      yield rows.map(recorded);
      if (rows.length < entriesInAPage) return;
      before = rows.at(-1)?.id ?? null;
    }
  }
}

function recorded({ at, who, what, details: { about, from } }: z.output<typeof row>): RecordedEntry {
  return { at: at.toISOString(), who, what, about, from };
}
