import type { IncomingMessage, ServerResponse } from 'node:http';
import { LabError } from './errors.ts';

/** A body that comes slower than this, over all of its time, is not waited for. */
const leastBytesASecond = 1024;

/** The body of one request: read at most once, or refused. */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #graceMs: number;
  /** Whether the client sends it without waiting for a word of ours (RFC 9110, section 10.1.1). */
  #isComing: boolean;

  #receivedBytes = 0;
  #isAwaited = false;

  /** `graceMs` is what a body may take besides a second for each KiB. */
  constructor(request: IncomingMessage, response: ServerResponse, graceMs: number) {
    this.#request = request;
    this.#response = response;
    this.#graceMs = graceMs;
    this.#isComing = !/100-continue/i.test(request.headers.expect ?? '');
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** The client is waited for: not the other way round. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** @throws LabError `body-too-large`, `request-timeout`, or the connection's error when it breaks off */
  async *read(mostBytes: number): AsyncGenerator<Uint8Array, void, void> {
    if (Number(this.#request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge(mostBytes);
    if (!this.#isComing) this.#response.writeContinue();
    this.#isComing = true;
    let waitedMs = 0;
    let asked = performance.now();
    this.#isAwaited = true;
    for await (const chunk of this.#chunks()) {
      this.#isAwaited = false;
      this.#receivedBytes += chunk.length;
      const bytes = this.#receivedBytes;
      waitedMs += performance.now() - asked;
      if (bytes > mostBytes) throw tooLarge(mostBytes);
      if (waitedMs > this.#graceMs + (bytes / leastBytesASecond) * 1000)
        throw new LabError('request-timeout', 'The request is too slow.');
      yield chunk;
      asked = performance.now();
      this.#isAwaited = true;
    }
    this.#isAwaited = false;
  }

  /**
   * After a refusal: takes in what is still on its way and drops it, for a moment. A connection that is closed with
   * bytes unread is reset, and the client would lose the refusal (RFC 9112, section 9.6).
   */
  async drop(atMostMs: number): Promise<void> {
    if (!this.#isComing || this.#request.readableEnded || this.#request.destroyed) return;
    const { promise: moment, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, atMostMs);
    await Promise.race([moment, this.#readToEnd()]);
    clearTimeout(timer);
  }

  async #readToEnd(): Promise<void> {
    try {
      for await (const _ of this.#chunks());
    } catch {
      // A refused client may leave.
    }
  }

  /** The request stays open when reading ends early, so that it can be answered. */
  #chunks(): AsyncIterable<Uint8Array> {
    return this.#request.iterator({ destroyOnReturn: false });
  }
}

const tooLarge = (mostBytes: number): LabError =>
  new LabError('body-too-large', `The request is over ${mostBytes} bytes.`);
