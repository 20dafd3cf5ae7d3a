/** What a service, or the way to it, does wrong. */
interface Fault {
  /** As in the table. */
  words: string;
  /** The service did what it was asked for, and only its answer is wrong. */
  arrives: boolean;
}

/** In the order of the table. */
export const faults = {
  refused: { words: 'the connection is refused', arrives: false },
  'reset-before-headers': { words: 'reset before the response headers', arrives: true },
  'reset-half-way': { words: 'reset after half the body', arrives: true },
  stall: { words: 'no data after half the body', arrives: true },
  'one-byte-a-second': { words: 'one byte per second', arrives: true },
  'length-too-short': { words: 'Content-Length of half the body', arrives: true },
  'length-too-long': { words: 'Content-Length larger than the body', arrives: true },
  'truncated-gzip': { words: 'half of a gzip stream', arrives: true },
  'invalid-gzip': { words: 'gzip announced, plain body sent', arrives: true },
  'status-401': { words: '401', arrives: false },
  'status-403-with-text': { words: '403 with text', arrives: false },
  'status-403-empty': { words: '403, empty', arrives: false },
  'status-404-empty': { words: '404, empty', arrives: false },
  'status-406': { words: '406', arrives: false },
  'status-413': { words: '413', arrives: false },
  'status-429': { words: '429 with Retry-After', arrives: false },
  'status-500-empty': { words: '500, empty, after the action', arrives: true },
  'status-503-html': { words: '503 with a web page', arrives: false },
  'status-503-hour': { words: '503 with Retry-After of an hour', arrives: false },
  'status-200-html': { words: '200 with a web page', arrives: false },
  'status-200-empty': { words: '200, empty, after the action', arrives: true },
  'text-before': { words: 'a PHP warning before the response', arrives: true },
  'other-text-before': { words: 'another text before the response', arrives: true },
  'text-after': { words: 'text after the response', arrives: true },
  'two-stray-bytes': { words: 'two stray bytes `{}` after the response', arrives: true },
  'whole-gzip': { words: 'a gzip stream, unasked', arrives: true },
  'gzip-and-stray-bytes': { words: 'a gzip stream, and two stray bytes `{}`', arrives: true },
  'unknown-encoding': { words: 'an unknown Content-Encoding', arrives: true },
  'database-down': { words: '200 with a database’s error', arrives: false },
  'redirect-loop': { words: 'a redirect loop', arrives: false },
  'redirect-elsewhere': { words: 'a redirect to a login page on another host', arrives: false },
  'huge-json': { words: 'JSON of 100 MB', arrives: true },
  'deep-json': { words: 'JSON nested 100,000 levels deep', arrives: true },
  'wrong-charset': { words: 'UTF-16 labelled as UTF-8', arrives: true },
  'tls-expired': { words: 'an expired certificate', arrives: false },
  'tls-wrong-host': { words: 'a certificate for another host', arrives: false },
  'dns-failure': { words: 'an unknown host name', arrives: false },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
/** What is wrong before a request can be sent. */
export type ConnectionFault = 'refused' | 'tls-expired' | 'tls-wrong-host' | 'dns-failure';
export type ReplyFault = Exclude<FaultName, ConnectionFault>;

const isFault = (name: string): name is FaultName => Object.hasOwn(faults, name);
export const faultNames: readonly FaultName[] = Object.keys(faults).filter(isFault);

const connectionFaults: ReadonlySet<FaultName> = new Set<FaultName>([
  'refused',
  'tls-expired',
  'tls-wrong-host',
  'dns-failure',
]);
export const isConnectionFault = (name: FaultName): name is ConnectionFault => connectionFaults.has(name);
