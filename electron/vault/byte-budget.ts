import { FailureError } from '../../shared/failure.ts';

interface Waiting {
  bytes: number;
  admit(): void;
  refuse(reason: FailureError): void;
}

/**
 * Counts the bytes that workers hold and lets callers in as bytes are released, in the order of asking. Being let in
 * reserves nothing: several callers let in at once may together exceed the limit by what each brings.
 */
export class ByteBudget {
  readonly #limitBytes: number;
  readonly #waiting: Waiting[] = [];
  #heldBytes = 0;
  #closed = false;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /**
   * Resolves when there is space for so many bytes. A request larger than the whole limit gets in alone. @throws
   * FailureError `cancelled`
   */
  async wait(bytes: number, signal?: AbortSignal): Promise<void> {
    if (this.#closed || signal?.aborted) throw new FailureError({ kind: 'cancelled' });
    if (this.#waiting.length === 0 && this.#fits(bytes)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { bytes, admit: resolve, refuse: reject };
    const leave = (): void => this.#leave(waiting);
    this.#waiting.push(waiting);
    signal?.addEventListener('abort', leave, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  take(bytes: number): void {
    this.#heldBytes += bytes;
  }

  giveBack(bytes: number): void {
    this.#heldBytes -= bytes;
    this.#admit();
  }

  close(): void {
    this.#closed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.refuse(new FailureError({ kind: 'cancelled' }));
  }

  #admit(): void {
    for (let first = this.#waiting[0]; first && this.#fits(first.bytes); first = this.#waiting[0]) {
      this.#waiting.shift();
      first.admit();
    }
  }

  #leave(waiting: Waiting): void {
    const place = this.#waiting.indexOf(waiting);
    if (place < 0) return;
    this.#waiting.splice(place, 1);
    waiting.refuse(new FailureError({ kind: 'cancelled' }));
    this.#admit();
  }

  #fits(bytes: number): boolean {
    return this.#heldBytes === 0 || this.#heldBytes + bytes <= this.#limitBytes;
  }
}
