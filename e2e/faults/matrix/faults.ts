/** What a service, or the way to it, does wrong. */
interface Fault {
  /** As the table says it. */
  words: string;
  /** The service did what it was asked for, and only its answer is wrong. */
  arrives: boolean;
}

/** In the order of the table. */
export const faults = {
  refused: { words: 'the connection is refused', arrives: false },
  'reset-before-headers': { words: 'reset before the head of the reply', arrives: true },
  'reset-half-way': { words: 'reset after half the body', arrives: true },
  stall: { words: 'silent after half the body', arrives: true },
  'one-byte-a-second': { words: 'one byte a second', arrives: true },
  'length-too-short': { words: 'announces half of what it sends', arrives: true },
  'length-too-long': { words: 'announces more than it sends', arrives: true },
  'truncated-gzip': { words: 'half of a gzip', arrives: true },
  'invalid-gzip': { words: 'says gzip and sends none', arrives: true },
  'status-401': { words: '401', arrives: false },
  'status-403-with-text': { words: '403 with a text', arrives: false },
  'status-403-empty': { words: '403 without a text', arrives: false },
  'status-404-empty': { words: '404, empty', arrives: false },
  'status-406': { words: '406', arrives: false },
  'status-413': { words: '413', arrives: false },
  'status-429': { words: '429 with Retry-After', arrives: false },
  'status-500-empty': { words: '500, empty, after it was done', arrives: true },
  'status-503-html': { words: '503 with a web page', arrives: false },
  'status-200-html': { words: '200 with a web page', arrives: false },
  'status-200-empty': { words: '200, empty, after it was done', arrives: true },
  'text-before': { words: 'text before the answer', arrives: true },
  'text-after': { words: 'text after the answer', arrives: true },
  'two-stray-bytes': { words: 'two stray bytes `{}` after the answer', arrives: true },
  'redirect-loop': { words: 'redirects in a circle', arrives: false },
  'redirect-elsewhere': { words: 'redirects to a login page elsewhere', arrives: false },
  'huge-json': { words: 'JSON of 100 MB', arrives: true },
  'deep-json': { words: 'JSON of 100,000 levels', arrives: true },
  'wrong-charset': { words: 'UTF-16 where UTF-8 is said', arrives: true },
  'tls-expired': { words: 'an expired certificate', arrives: false },
  'tls-wrong-host': { words: 'a certificate of another host', arrives: false },
  'dns-failure': { words: 'a name that nobody knows', arrives: false },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
/** What is wrong before a request can be sent. */
export type DoorFault = 'refused' | 'tls-expired' | 'tls-wrong-host' | 'dns-failure';
export type ReplyFault = Exclude<FaultName, DoorFault>;

const isFault = (name: string): name is FaultName => Object.hasOwn(faults, name);
export const faultNames: readonly FaultName[] = Object.keys(faults).filter(isFault);

const doors: ReadonlySet<FaultName> = new Set<FaultName>(['refused', 'tls-expired', 'tls-wrong-host', 'dns-failure']);
export const isDoorFault = (name: FaultName): name is DoorFault => doors.has(name);
