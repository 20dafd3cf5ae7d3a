import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type ArchiveFault, type BulkFault, fits, isInstead } from './bulk-fault.ts';
import { EntryGate } from './entry-gate.ts';
import { askBehind, breakOff, ownHeaders, passOn } from './forwarded.ts';
import { answerInstead } from './instead-of-archive.ts';
import { listenOnLoopback } from './loopback-server.ts';
import { sendArchive } from './send-archive.ts';
import { changed } from './zip-changes.ts';
import { partsOf } from './zip-parts.ts';

export type { BulkFault } from './bulk-fault.ts';

export interface AskedOf {
  action: string;
  /** What was asked for, as it was written. */
  hashes: string[];
  /** Entries of an archive that went out whole so far, by name. */
  sent: readonly string[];
}

export interface BulkFaults {
  baseUrl: string;
  /** Every request so far, in order, without its token. */
  requests: readonly AskedOf[];
  /** Each waits, in this order, for a bulk download it can be done to, and is done once. */
  fail(...faults: BulkFault[]): void;
  /** Faults that were not done yet. */
  waiting: readonly BulkFault[];
  /** Stops, holds and cuts archives between and inside entries. */
  gate: Pick<EntryGate, 'hold' | 'holding' | 'release' | 'cut'>;
  close(): Promise<void>;
}

interface Proxy {
  target: string;
  gate: EntryGate;
  waiting: BulkFault[];
}

/** Bytes; nothing is refused here for the length of its address. */
const headersAtMost = 1024 * 1024;

/** A proxy before a repository that passes everything on, but for the faults a test asks for in its bulk downloads. */
export async function startBulkFaults({ target }: { target: string }): Promise<BulkFaults> {
  const proxy: Proxy = { target, gate: new EntryGate(), waiting: [] };
  const requests: AskedOf[] = [];
  const server = createServer({ maxHeaderSize: headersAtMost }, (request, response) => {
    const parameters = new URLSearchParams(request.url?.split('?')[1] ?? '');
    const sent: string[] = [];
    const asked = {
      action: parameters.get('action') ?? '',
      hashes: ['hash', 'file', 'files[]'].flatMap((name) => parameters.getAll(name)),
      sent,
    };
    requests.push(asked);
    answer(proxy, asked, request, response).catch((error: unknown) => breakOff(response, error));
  });
  const baseUrl = await listenOnLoopback(server);
  const close = async (): Promise<void> => {
    proxy.gate.release();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    baseUrl,
    requests,
    waiting: proxy.waiting,
    gate: proxy.gate,
    fail: (...faults) => void proxy.waiting.push(...faults),
    close,
  };
}

async function answer(
  proxy: Proxy,
  asked: AskedOf & { sent: string[] },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (asked.action !== 'bulkdownload') return passOn(await askBehind(proxy.target, request), response);
  const instead = proxy.waiting[0];
  if (instead !== undefined && isInstead(instead)) {
    proxy.waiting.shift();
    return answerInstead(response, instead);
  }
  const reply = await askBehind(proxy.target, request);
  if (reply.statusCode !== 200) return passOn(reply, response);
  const { archive, stray } = withoutStray(await buffer(reply));
  const parts = partsOf(archive);
  const fault = takeFault(
    proxy.waiting,
    parts.entries.map(({ name }) => name),
  );
  const { 'content-length': length, ...headers } = ownHeaders(reply);
  await sendArchive(
    response,
    {
      parts: fault === null ? parts : partsOf(await changed(archive, fault)),
      stray,
      fault,
      headers,
      namesLength: length !== undefined,
    },
    proxy.gate,
    (name) => asked.sent.push(name),
  );
}

/** A ZIP without a comment never ends in these two bytes. */
function withoutStray(body: Buffer): { archive: Buffer; stray: Buffer } {
  const end = body.subarray(-2).toString('latin1') === '{}' ? body.length - 2 : body.length;
  return { archive: body.subarray(0, end), stray: body.subarray(end) };
}

function takeFault(waiting: BulkFault[], names: readonly string[]): ArchiveFault | null {
  const [first] = waiting;
  if (first === undefined || isInstead(first) || !fits(first, names)) return null;
  waiting.shift();
  return first;
}
