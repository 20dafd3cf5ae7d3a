import { callLimitBytes, heartbeatSeconds } from '../../shared/transport.ts';

/** What the web host grants a page. Sizes are bytes, times milliseconds. */
export interface HttpLimits {
  callBytes: number;
  /** Until a request's headers are there, also of a connection that says nothing. */
  headersMs: number;
  /** Until the body of a call is there, however it moves: one that drips would hold a connection for days. */
  callBodyMs: number;
  /** Without a byte of a body that is due. An upload that moves has no limit. */
  bodyIdleMs: number;
  /** How long the rest of a refused request is still read, so that the page gets to see the refusal. */
  refusedBodyMs: number;
  heartbeatMs: number;
  /** Events waiting for one page that does not read them; beyond it the page is disconnected. */
  eventBufferBytes: number;
  connections: number;
}

export const defaultHttpLimits: HttpLimits = {
  callBytes: callLimitBytes,
  headersMs: 10_000,
  callBodyMs: 120_000,
  bodyIdleMs: 60_000,
  refusedBodyMs: 5_000,
  heartbeatMs: heartbeatSeconds * 1000,
  eventBufferBytes: 1024 * 1024,
  connections: 256,
};
