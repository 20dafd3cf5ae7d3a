import { callLimitBytes, heartbeatSeconds } from '../../shared/transport-messages.ts';

/** What the web host grants a page. Sizes are bytes, times milliseconds. */
export interface HttpLimits {
  callBytes: number;
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
  bodyIdleMs: 60_000,
  refusedBodyMs: 5_000,
  heartbeatMs: heartbeatSeconds * 1000,
  eventBufferBytes: 1024 * 1024,
  connections: 256,
};
