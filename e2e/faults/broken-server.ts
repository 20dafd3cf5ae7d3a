import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Fault, faults } from './fault-replies.ts';
import { listenOnLoopback } from './loopback-server.ts';

export type { Fault } from './fault-replies.ts';
export type BrokenAction = 'getfile' | 'downloadfile';

export interface BrokenServerOptions {
  /** What is wrong with each action; one that is not named works. */
  faults: Partial<Record<BrokenAction, Fault>>;
  /** The one sample this server has. */
  sample: Uint8Array;
  /** Members of the record that are other than the sample's own, such as a `sha256` that contradicts the bytes. */
  record?: Record<string, unknown>;
}

export interface BrokenServer {
  baseUrl: string;
  /** The sample's MD5. */
  md5: string;
  /** How often an action was asked for. */
  asked(action: BrokenAction): number;
  /** Breaks or mends an action from the next call on. */
  setFault(action: BrokenAction, fault: Fault | null): void;
  close(): Promise<void>;
}

/** A repository with one sample and named faults. */
export async function startBrokenServer({
  faults: atFirst,
  sample,
  record,
}: BrokenServerOptions): Promise<BrokenServer> {
  const bytes = Buffer.from(sample);
  const digest = (name: string): string => createHash(name).update(bytes).digest('hex');
  const file = { md5: digest('md5'), sha256: digest('sha256'), filename: 'sample.bin', size: bytes.length, ...record };
  const faulty = new Map<string, Fault>(Object.entries(atFirst));
  const asked = new Map<string, number>();

  const server = createServer((request, response) => {
    const action = actionOf(request);
    asked.set(action, (asked.get(action) ?? 0) + 1);
    const due = action === 'getfile' ? Buffer.from(JSON.stringify({ file })) : bytes;
    const fault = faulty.get(action);
    if (fault === undefined) sendDue(response, action, due);
    else faults[fault]({ request, response, due });
  });
  // A client that hangs up on a fault is what these faults are for.
  server.on('clientError', (_error, socket) => socket.destroy());
  const baseUrl = await listenOnLoopback(server);
  return {
    baseUrl,
    md5: file.md5,
    asked: (action) => asked.get(action) ?? 0,
    setFault: (action, fault) => void (fault === null ? faulty.delete(action) : faulty.set(action, fault)),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** An address on this computer at which nothing listens. */
export async function unusedAddress(): Promise<string> {
  const server = createServer();
  const address = await listenOnLoopback(server);
  server.close();
  await once(server, 'close');
  return address;
}

const actionOf = (request: IncomingMessage): string =>
  new URLSearchParams(request.url?.split('?')[1] ?? '').get('action') ?? '';

function sendDue(response: ServerResponse, action: string, due: Buffer): void {
  const type = action === 'getfile' ? 'application/json' : 'application/octet-stream';
  response.writeHead(action === 'getfile' || action === 'downloadfile' ? 200 : 404, {
    'Content-Type': type,
    'Content-Length': due.length,
  });
  response.end(due);
}
