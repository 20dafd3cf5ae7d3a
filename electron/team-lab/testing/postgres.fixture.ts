import { afterAll, beforeAll, beforeEach } from 'vitest';
import { findPostgres, missingPostgres, type PostgresOptions, PostgresServer } from './postgres-server.fixture.ts';

/** A real PostgreSQL, for the tests of one file. */
export interface TestPostgres {
  /** `postgres://…` of a new, empty database; in UTF-8, if nothing else is asked for. */
  emptyDatabase(options?: { encoding?: string }): Promise<string>;
  /** `postgres://…` of a new database with the lab's tables. */
  labDatabase(): Promise<string>;
  /** The same database over the loopback port; needs the option `port` and `password`. */
  overPort(address: string): string;
  /** What PGPASSWORD must be for the port. */
  readonly password: string;
  /** Ends it in order: clients are cut off (`pg_ctl -m fast`). */
  stop(): Promise<void>;
  /** Ends it as a crash does. SIGQUIT is `pg_ctl -m immediate`. */
  kill(signal?: 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** Starts it again on the same data. */
  start(): Promise<void>;
}

/**
 * Starts a server before the first test of this file or `describe`, and removes it and its data after the last. Without
 * PostgreSQL on this computer the tests are skipped; where the variable CI is set, they fail.
 */
export function usePostgres(options: PostgresOptions = {}): TestPostgres {
  const program = findPostgres();
  let server: PostgresServer | null = null;
  const running = (): PostgresServer => server ?? unstarted();
  beforeAll(async () => {
    if (program !== null) server = await PostgresServer.create(program, options);
    else if (process.env['CI'] !== undefined) throw new Error(missingPostgres);
  });
  beforeEach(({ skip }) => {
    if (program === null) skip(missingPostgres);
  });
  afterAll(() => server?.remove());
  return {
    emptyDatabase: ({ encoding } = {}) => running().emptyDatabase(encoding),
    labDatabase: () => running().labDatabase(),
    overPort: (address) => running().overPort(address),
    get password() {
      return running().password;
    },
    stop: () => running().end('SIGINT'),
    kill: (signal = 'SIGQUIT') => running().end(signal),
    start: () => running().start(),
  };
}

function unstarted(): never {
  throw new TypeError('PostgreSQL runs only while tests do');
}
