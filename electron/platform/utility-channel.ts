/**
 * Gives a process that Electron started the channel that `child_process.fork` gives one, so that the entry it runs
 * knows only one kind: `process.send`, 'message', and 'disconnect' when it is asked to end. (Where the host is
 * gone, the system ends its utility processes by itself.)
 */
export interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
}

/** The part of Node's `process` that makes the channel. */
export interface ChannelProcess {
  connected: boolean;
  send?: ((message: unknown) => boolean) | undefined;
  disconnect?: (() => void) | undefined;
}

/** How the process tells its own listeners. */
export interface ChannelEvents {
  message(value: unknown): void;
  disconnect(): void;
}

/** The host's request to end. Not one of the messages an entry knows. */
export const endRequest = { kind: 'end-of-channel' } as const;

export function openUtilityChannel(parent: ParentPort, self: ChannelProcess, events: ChannelEvents): void {
  const disconnect = (): void => {
    if (!self.connected) return;
    self.connected = false;
    events.disconnect();
  };
  self.connected = true;
  self.send = (message) => {
    parent.postMessage(message);
    return true;
  };
  self.disconnect = disconnect;
  parent.on('message', ({ data }) => (isEndRequest(data) ? disconnect() : events.message(data)));
}

function isEndRequest(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === endRequest.kind;
}
