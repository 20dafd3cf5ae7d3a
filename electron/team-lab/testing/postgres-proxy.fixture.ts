import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { readDatabaseAddress } from '../postgres/pg-address.ts';
import { type DatabaseOptions, PgDatabase } from '../postgres/pg-database.ts';

/** Between a database and its server. */
export interface PostgresProxy {
  /** Takes the password of the server. */
  address: string;
  open: (options?: DatabaseOptions) => PgDatabase;
  /**
   * What to do with a connection that sends this text to the server. One that is dropped stays open and is silent, as
   * behind a network that loses its packets.
   */
  on: (text: string, what: 'lose the answer' | 'drop it') => void;
  /** How many connections were dropped so far. */
  dropped: () => number;
}

/** Until the test is over. */
export async function startPostgresProxy(address: string, password: string): Promise<PostgresProxy> {
  const settings = readDatabaseAddress(address, { PGPASSWORD: password });
  const rule: { text: string | null; what: string } = { text: null, what: '' };
  let dropped = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect(settings.port, '127.0.0.1');
    let isLost = false;
    client.on('data', (sent: Buffer) => {
      const isMeant = rule.text !== null && sent.includes(rule.text);
      if (isMeant && rule.what === 'drop it' && !isLost) dropped += 1;
      if (isMeant) isLost = true;
      if (!isMeant || rule.what !== 'drop it') upstream.write(sent);
    });
    upstream.on('data', (answer: Buffer) => {
      if (!isLost) client.write(answer);
      else if (rule.what === 'lose the answer') client.destroy();
    });
    client.on('end', () => isLost || upstream.end());
    upstream.on('end', () => isLost || client.end());
    closeTogether(client, upstream);
  });
  const port = await listening(server);
  return {
    address: `postgres://${settings.user}@127.0.0.1:${port}/${settings.database}`,
    open: (options = {}) => {
      const database = new PgDatabase({ ...settings, port }, options);
      onTestFinished(() => database.close());
      return database;
    },
    on: (text, what) => void Object.assign(rule, { text, what }),
    dropped: () => dropped,
  };
}

function closeTogether(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('close', () => to.destroy());
    // Reported to the other side by the end of the connection.
    from.on('error', () => {});
  }
}

/** Until the test is over. @returns its port */
export async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = server.address();
  if (at === null || typeof at === 'string') throw new TypeError('a server on a port has no port');
  return at.port;
}
