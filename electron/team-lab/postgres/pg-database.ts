import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { z } from 'zod';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { OperatorError } from '../../lab/errors.ts';
import { StoreUnavailable } from '../../lab/stores/blob-store.ts';
import { longestStoredTag } from '../../lab/stores/metadata-store.ts';
import { distrustOf } from '../server-trust.ts';
import { type DatabaseAddress, databaseLabel } from './pg-address.ts';

export type Value = string | number | boolean | Buffer | null | readonly string[] | readonly Buffer[];

/** A statement and the shape of its rows. One with a name is parsed by the server once for each connection. */
export interface Statement<Row extends z.ZodType> {
  name?: string;
  text: string;
  row: Row;
}

/** What speaks to the database: each query on any connection, or all within one transaction. */
export interface Queries {
  query<Row extends z.ZodType>(statement: Statement<Row>, values?: readonly Value[]): Promise<z.output<Row>[]>;
  /** One or several statements without values, whose rows do not matter. */
  execute(text: string): Promise<void>;
  /** Statements of a library that writes its own, and reads what node-postgres answers. */
  foreign(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>;
}

/**
 * Any text, as PostgreSQL can store it: NUL as its visible form U+2400, and half of a surrogate pair as U+FFFD. The
 * values of statements go through it by themselves; what is put into JSON does not.
 */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\u2400');

/** A tag in the same way; one that is too long for an index is cut, which its end shows. */
export const storableTag = (tag: string): string =>
  storable(tag.length > longestStoredTag ? `${tag.slice(0, longestStoredTag - 1)}…` : tag);

function storableValue(value: Value): Value | (string | Buffer)[] {
  if (typeof value === 'string') return storable(value);
  if (!Array.isArray(value)) return value;
  return value.map((one: string | Buffer) => (typeof one === 'string' ? storable(one) : one));
}

export interface DatabaseOptions {
  /** Connections of this process at most. */
  connections?: number;
  /** The longest that one statement may take; null for none, as changes of the schema need it. */
  statementTimeoutMs?: number | null;
}

/** A pool's wait for a connection, and a connection's wait for the server. */
const connectTimeoutMs = 2_000;
const idleInTransactionMs = 10_000;
/** How much later than the server this side gives up: a network that drops packets reports nothing. */
const silenceMs = 2_000;
/** The first, and three more. */
const attempts = 4;

/** Serialization failure and deadlock: the server has undone the transaction, and the same one may succeed now. */
const undone: readonly (string | undefined)[] = ['40001', '40P01'];
/**
 * Class 08: the connection; out of connections or memory; a lock or a statement took too long; shut down, crashed,
 * starting; idle too long in a transaction; read-only (PostgreSQL 15, appendix A).
 */
const unavailable = /^(?:08...|53200|53300|53400|55P03|57014|57P0[1-5]|25P03|25006)$/;
const words = new Map([
  ['25006', 'is read-only: it is a standby, or was set so'],
  ['53300', 'has no connection left'],
  ['57014', 'took too long for a statement'],
]);
const diskFailures = new Map<string, (path: string) => Failure>([
  ['53100', (path) => ({ kind: 'disk-full', path })],
  ['58030', (path) => ({ kind: 'disk-failed', path, code: '58030' })],
]);

const int8 = 20;
/** Sizes, counts and identifiers are exact up to 2^53; pg would give them as text. */
const types = new pg.TypeOverrides();
types.setTypeParser(int8, Number);

/**
 * A PostgreSQL database through a pool of connections, which recovers by itself after the server was away. Methods fail
 * with StoreUnavailable when the server cannot be reached, is too slow or too busy, shuts down or is read-only. What
 * was asked may be done all the same, as the answer to a COMMIT can be lost; so nothing is repeated but what the server
 * has undone for a deadlock or a serialization failure. A full disk fails with `disk-full`, a broken one with
 * `disk-failed`, and what the role may not do with OperatorError.
 */
export class PgDatabase implements Queries {
  /** In a sentence; without secrets. */
  readonly label: string;
  readonly #pool: pg.Pool;

  constructor(address: DatabaseAddress, { connections = 10, statementTimeoutMs = 10_000 }: DatabaseOptions = {}) {
    this.label = databaseLabel(address);
    this.#pool = new pg.Pool({
      ...connectionTo(address, statementTimeoutMs),
      max: connections,
      ...(statementTimeoutMs === null
        ? {}
        : { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + silenceMs }),
      idle_in_transaction_session_timeout: idleInTransactionMs,
    });
    // The server ended an idle connection: the pool has dropped it, and the next query opens another.
    this.#pool.on('error', () => {});
  }

  async query<Row extends z.ZodType>(
    statement: Statement<Row>,
    values: readonly Value[] = [],
  ): Promise<z.output<Row>[]> {
    return this.#repeated((client) => this.#ask(client, statement, values));
  }

  async execute(text: string): Promise<void> {
    await this.#repeated((client) => this.#send(client, { text }));
  }

  async foreign(text: string, values: readonly unknown[] = []): Promise<{ rows: unknown[] }> {
    return this.#repeated((client) => this.#send(client, foreignQuery(text, values)));
  }

  /** How many connections there are, how many of them are idle, and how many calls wait for one. */
  get connections(): { open: number; idle: number; waiting: number } {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { open, idle, waiting };
  }

  /** Runs the work within BEGIN and COMMIT, and again from its beginning where the server undid it. */
  async transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#repeated(async (client) => {
      await this.#send(client, { text: 'BEGIN' });
      const result = await work({
        query: (statement, values = []) => this.#ask(client, statement, values),
        execute: async (text) => void (await this.#send(client, { text })),
        foreign: (text, values = []) => this.#send(client, foreignQuery(text, values)),
      });
      const { command } = await this.#send(client, { text: 'COMMIT' });
      // A transaction in which a statement failed ends so, without an error.
      if (command !== 'COMMIT') throw new TypeError('a failed transaction was to be committed');
      return result;
    });
  }

  /** Waits for what runs. */
  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #repeated<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#withClient(work);
      } catch (error) {
        const isUndone = error instanceof pg.DatabaseError && undone.includes(error.code);
        if (!isUndone || attempt === attempts) throw this.#translated(error);
        // At once, the same two would meet again.
        await delay(Math.random() * 20 * 2 ** attempt);
      }
    }
  }

  async #withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connected();
    // The query that runs fails, too; without a listener the process would end.
    const ignore = (): void => {};
    client.on('error', ignore);
    let isGood = false;
    try {
      const result = await work(client);
      isGood = true;
      return result;
    } finally {
      client.off('error', ignore);
      // One that failed may be in the middle of a transaction or of an answer: the server undoes that when it ends.
      client.release(!isGood);
    }
  }

  async #connected(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown error';
      throw this.#unavailable(distrustOf(error, 'sslrootcert') ?? `cannot be reached: ${reason}`, error);
    }
  }

  async #ask<Row extends z.ZodType>(
    client: pg.PoolClient,
    { name, text, row }: Statement<Row>,
    values: readonly Value[],
  ): Promise<z.output<Row>[]> {
    const { rows } = await this.#send(client, {
      text,
      values: values.map(storableValue),
      ...(name === undefined ? {} : { name }),
    });
    return rows.map((found) => row.parse(found));
  }

  /** Every error that is not the server's word is of the connection. */
  async #send(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await client.query(query);
    } catch (error) {
      if (error instanceof pg.DatabaseError) throw error;
      throw this.#unavailable('did not answer; whether it did what was asked is unknown', error);
    }
  }

  #translated(error: unknown): unknown {
    if (!(error instanceof pg.DatabaseError)) return error;
    const { code = '' } = error;
    const failure = diskFailures.get(code)?.(this.label);
    if (failure !== undefined) return new FailureError(failure, { cause: error });
    if (code === '42501') return new OperatorError(`The ${this.label} refuses: ${error.message}.`, { cause: error });
    if (undone.includes(code)) return this.#unavailable('is too busy: others write the same rows', error);
    return unavailable.test(code) ? this.#unavailable(words.get(code) ?? `is not available (${code})`, error) : error;
  }

  #unavailable(what: string, cause: unknown): StoreUnavailable {
    return new StoreUnavailable(`The ${this.label} ${what}.`, { cause });
  }
}

/** How each connection of the lab is made, a connection of a pool or another. */
export function connectionTo(
  { host, port, database, user, ssl, options, password }: DatabaseAddress,
  statementTimeoutMs: number | null,
): pg.ClientConfig {
  return {
    host,
    port,
    database,
    user,
    ssl,
    options: [...ownSettings(statementTimeoutMs), ...(options === null ? [] : [options])].join(' '),
    password: () => password() ?? passwordMissing(),
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'vitrine-lab',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
  };
}

/**
 * Whatever this role or database prefers: dates as they are read here, days that begin in UTC, offsets without the
 * seconds that time zones had before 1900, and no limit means none.
 */
const ownSettings = (statementTimeoutMs: number | null): string[] =>
  ['DateStyle=ISO', 'TimeZone=UTC', ...(statementTimeoutMs === null ? ['statement_timeout=0'] : [])].map(
    (one) => `-c ${one}`,
  );

/** Several statements go to the server at once only where no list of values goes with them, not even an empty one. */
const foreignQuery = (text: string, values: readonly unknown[]): pg.QueryConfig =>
  values.length === 0 ? { text } : { text, values: [...values] };

function passwordMissing(): never {
  throw new Error('it requires a password, and none is set');
}
