import { isEndRequest } from '../../shared/domain/process-end.ts';

/** The line to the host that started this process. Messages are JSON values. */
export interface HostChannel {
  onMessage(listener: (message: unknown) => void): void;
  /** The host ended or let go of us. */
  onGone(listener: () => void): void;
  post(message: object): void;
  /** Ends this process once what was posted is on its way. */
  endAfterPosting(exitCode: number): void;
}

/**
 * Null when this process was started without a channel, or a fork with arguments: then the arguments decide what to do.
 */
export function openHostChannel(host: NodeJS.Process): HostChannel | null {
  const port: unknown = 'parentPort' in host ? host.parentPort : null;
  if (isParentPort(port)) return overParentPort(port, host);
  return host.send === undefined || host.argv.length > 2 ? null : overFork(host);
}

/** Electron's `process.parentPort` in a utility process, as much of it as is used here. */
interface ParentPort {
  on(event: string, listener: (event: { data: unknown }) => void): unknown;
  postMessage(message: unknown): void;
}

function isParentPort(value: unknown): value is ParentPort {
  return (
    typeof value === 'object' &&
    value !== null &&
    'on' in value &&
    typeof value.on === 'function' &&
    'postMessage' in value &&
    typeof value.postMessage === 'function'
  );
}

/** Electron does not report when a posted message has left; a second is long for one on the same computer. */
const postingMs = 1_000;

function overParentPort(port: ParentPort, host: NodeJS.Process): HostChannel {
  return {
    onMessage: (listener) => port.on('message', ({ data }) => isEndRequest(data) || listener(data)),
    // Where the host is gone without a word, Electron ends its utility processes by itself.
    onGone: (listener) => port.on('message', ({ data }) => isEndRequest(data) && listener()),
    post: (message) => port.postMessage(message),
    endAfterPosting: (exitCode) => void setTimeout(() => host.exit(exitCode), postingMs),
  };
}

function overFork(host: NodeJS.Process): HostChannel {
  let posting: Promise<void> = Promise.resolve();
  return {
    onMessage: (listener) => host.on('message', listener),
    onGone: (listener) => host.on('disconnect', listener),
    post: (message) => {
      // A host that is gone shows in `disconnect`; the error has no receiver any more.
      posting = new Promise((resolve) => host.send?.(message, undefined, undefined, () => resolve()));
    },
    endAfterPosting: (exitCode) => void posting.then(() => host.exit(exitCode)),
  };
}
