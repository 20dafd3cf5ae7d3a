import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { fail, failed, FailureError, type Result, success } from '../../shared/failure.ts';
import { callChannel, callLimitBytes, eventChannel, ipcRequest } from '../../shared/transport.ts';
import type { DefectLog, Dispatch } from '../dispatcher.ts';
import type { EventHub, HostEvent } from '../event-hub.ts';
import type { StagingPort } from './ports.ts';

/** What this needs of Electron's `IpcMainInvokeEvent`. */
export interface IpcEvent {
  /** Null when the frame has navigated or is gone. */
  readonly senderFrame: { readonly url: string } | null;
  readonly sender: { readonly id: number };
}

/** What this needs of Electron's `ipcMain`: given, never imported, so that it runs and is tested without Electron. */
export interface IpcMainPort<E extends IpcEvent> {
  handle(channel: string, listener: (event: E, ...messages: unknown[]) => Promise<unknown>): void;
  removeHandler(channel: string): void;
}

/** One page's way back, such as `webContents`. */
export interface PagePort {
  send(channel: string, event: HostEvent): void;
}

export interface IpcOptions<E extends IpcEvent> {
  ipcMain: IpcMainPort<E>;
  dispatch: Dispatch;
  events: EventHub;
  staging: StagingPort;
  /** Whether a message comes from the main frame of our own page. Asked for every message. */
  isTrusted(event: E): boolean;
  logDefect: DefectLog;
}

export interface IpcHost {
  /** Sends the host's events to a page until the returned function is called. */
  addPage(page: PagePort): () => void;
  close(): void;
}

/**
 * Serves the contract over two fixed channels. Every message is answered with a `Result`; nothing is ever thrown
 * across.
 */
export function serveIpc<E extends IpcEvent>(options: IpcOptions<E>): IpcHost {
  const pages = new Set<() => void>();
  options.ipcMain.handle(callChannel, (event, message) => answer(options, event, message));
  return {
    addPage: (page) => {
      const remove = connect(page, options);
      pages.add(remove);
      return () => {
        remove();
        pages.delete(remove);
      };
    },
    close: () => {
      options.ipcMain.removeHandler(callChannel);
      for (const remove of pages) remove();
      pages.clear();
    },
  };
}

/** A page that cannot be sent to is let go of: it must not keep the others from their events. */
function connect(
  page: PagePort,
  { events, logDefect }: Pick<IpcOptions<IpcEvent>, 'events' | 'logDefect'>,
): () => void {
  const remove = events.subscribe((event) => {
    try {
      page.send(eventChannel, event);
    } catch (error) {
      remove();
      logDefect(randomUUID(), eventChannel, error);
    }
  });
  return remove;
}

async function answer<E extends IpcEvent>(
  options: IpcOptions<E>,
  event: E,
  message: unknown,
): Promise<Result<unknown>> {
  try {
    if (event.senderFrame === null || !options.isTrusted(event)) fail({ kind: 'sender-refused', reason: 'sender' });
    return await carryOut(options, message);
  } catch (error) {
    if (error instanceof FailureError) return failed(error.failure);
    const id = randomUUID();
    options.logDefect(id, callChannel, error);
    return failed({ kind: 'unexpected', id });
  }
}

async function carryOut(
  { dispatch, staging }: Pick<IpcOptions<IpcEvent>, 'dispatch' | 'staging'>,
  message: unknown,
): Promise<Result<unknown>> {
  const { data: request } = ipcRequest.safeParse(message);
  if (request === undefined) return badMessage('a message of the preload');
  if (request.kind === 'call') return dispatch(request.name, asJson(request.input));
  return isAbsolute(request.path) ? success(await staging.stagePath(request.path)) : badMessage('an absolute path');
}

function badMessage(message: string): never {
  return fail({ kind: 'bad-input', operation: callChannel, issues: [{ path: '', message }] });
}

/** The input as HTTP would have carried it: the same values and the same limit on both hosts. */
function asJson(input: unknown): unknown {
  const text = jsonText(input);
  if (Buffer.byteLength(text) > callLimitBytes) fail({ kind: 'body-too-large', limitBytes: callLimitBytes });
  return JSON.parse(text);
}

/** IPC copies more than JSON can hold (cycles, big integers); none of it is input of an operation. */
function jsonText(input: unknown): string {
  try {
    return JSON.stringify(input) ?? 'null';
  } catch (error) {
    return fail({ kind: 'bad-input', operation: callChannel, issues: [{ path: '', message: 'JSON' }] }, error);
  }
}
