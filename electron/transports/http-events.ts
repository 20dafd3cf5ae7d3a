import type { ServerResponse } from 'node:http';
import type { EventLine } from '../../shared/transport.ts';
import type { EventHub } from '../event-hub.ts';
import type { HttpLimits } from './http-limits.ts';
import { dataHeaders } from './http-reply.ts';

/**
 * Streams the host's events to one page as newline-delimited JSON until either end closes. A streamed `fetch`
 * and no `EventSource`, which cannot send the session header. The first line goes out at once: it carries the
 * headers, and tells the page that it is connected. A page that does not read is disconnected rather than kept in
 * memory; it connects anew.
 */
export function streamEvents(response: ServerResponse, hub: EventHub, limits: HttpLimits): void {
  response.writeHead(200, { ...dataHeaders, 'content-type': 'application/x-ndjson' });
  const isBehind = (): boolean => response.writableLength > limits.eventBufferBytes;
  const write = (line: EventLine): void => {
    response.write(`${JSON.stringify(line)}\n`);
    // Asked again once this turn's lines had their chance to go out: a burst alone makes no page slow.
    if (isBehind()) setImmediate(() => isBehind() && response.destroy());
  };
  const unsubscribe = hub.subscribe((event) => write({ kind: 'event', ...event }));
  const heartbeat = setInterval(() => write({ kind: 'heartbeat' }), limits.heartbeatMs).unref();
  response.once('close', () => {
    unsubscribe();
    clearInterval(heartbeat);
  });
  write({ kind: 'heartbeat' });
}
