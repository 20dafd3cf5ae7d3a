import { type EventLine, eventLine, heartbeatSeconds, sessionHeader } from '../../shared/transport.ts';
import { jsonOrNull, openRequest, type PageSession, type PageSurroundings } from './page-session.ts';

export interface EventStreamOptions {
  page: PageSurroundings;
  session: PageSession;
  onEvent: (event: Extract<EventLine, { kind: 'event' }>) => void;
  /** Each time the stream is there (again): events from before it are not sent later. */
  onConnected: () => void;
  /** Each time the stream is gone, or could not be opened: the person learns of it without doing anything. */
  onLost: () => void;
}

const silenceMs = 3 * heartbeatSeconds * 1000;
const firstPauseMs = 250;
const longestPauseMs = 10_000;

/**
 * Receives the host's events by one streamed `fetch`, and reconnects whenever it ends or falls silent. A refused
 * session is not retried: only a new link helps, and that starts a new stream. Runs until `ended`.
 */
export async function followEvents(options: EventStreamOptions, ended: AbortSignal): Promise<void> {
  let pauses = 0;
  while (!ended.aborted) {
    const outcome = await follow(
      {
        ...options,
        onConnected: () => {
          pauses = 0;
          options.onConnected();
        },
      },
      ended,
    );
    if (!ended.aborted) options.onLost();
    if (outcome === 'refused') return;
    await pause(Math.min(firstPauseMs * 2 ** pauses, longestPauseMs), ended);
    pauses += 1;
  }
}

async function follow(options: EventStreamOptions, ended: AbortSignal): Promise<'refused' | 'lost'> {
  const key = await options.session.key();
  if (!key.ok) return key.failure.kind === 'host-gone' ? 'lost' : 'refused';
  const silence = new Silence(silenceMs);
  try {
    const signal = AbortSignal.any([ended, silence.signal]);
    const response = await openRequest(options.page, '/events', { headers: { [sessionHeader]: key.value }, signal });
    if (response.status === 401) return 'refused';
    if (!response.ok || !response.body) return 'lost';
    options.onConnected();
    await readLines(response.body, (line) => take(line, silence, options));
    return 'lost';
  } catch {
    // However it broke, the answer is the same: connect again. Calls report `host-gone` where the person sees it.
    return 'lost';
  } finally {
    silence.stop();
  }
}

/** A line this page does not know is of another version's host and is left out. */
function take(line: string, silence: Silence, { onEvent }: EventStreamOptions): void {
  silence.broken();
  const { data } = eventLine.safeParse(jsonOrNull(line));
  if (data?.kind === 'event') onEvent(data);
}

async function readLines(body: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + decoder.decode(read.value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  }
}

/** Aborts when nothing was heard for a while: a host that hangs closes nothing. */
class Silence {
  readonly #controller = new AbortController();
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout>;

  constructor(ms: number) {
    this.#ms = ms;
    this.#timer = this.#start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  broken(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #start(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#controller.abort(), this.#ms);
  }
}

function pause(ms: number, ended: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const goOn = (): void => {
    clearTimeout(timer);
    ended.removeEventListener('abort', goOn);
    resolve();
  };
  // Up to a fifth longer, so that many tabs do not come back in the same moment.
  const timer = setTimeout(goOn, ms * (1 + Math.random() / 5));
  ended.addEventListener('abort', goOn);
  return promise;
}
