import type { Socket } from 'node:net';

/**
 * Waits for a socket to be connected or secured. Rejects with the socket's error, or with the signal's reason, and
 * then leaves no socket behind. From here on an error of the socket ends it silently: whoever uses it sees it closed.
 */
export function opened(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void): void => {
      socket.off('close', onClose);
      signal.removeEventListener('abort', onAbort);
      outcome();
    };
    const onAbort = (): void => {
      socket.destroy();
      settle(() => reject(signal.reason));
    };
    const onClose = (): void => settle(() => reject(closedError()));
    socket.on('error', (error) => settle(() => reject(error)));
    socket.once(event, () => settle(resolve));
    socket.once('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

/** What Node reports when the other side closes without a word. */
export function closedError(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
}

/** Waits for what cannot be cancelled, and no longer than the signal allows. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
