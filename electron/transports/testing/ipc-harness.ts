import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callChannel, eventChannel, type IpcRequest } from '../../../shared/transport.ts';
import { type IpcEvent, type IpcHost, type IpcMainPort, serveIpc } from '../ipc.ts';
import { EventQueue } from './event-queue.ts';
import { openFakes } from './fakes.ts';
import type { Stranger, StrangerTry, TransportHarness } from './transport-harness.ts';

type Listener = (event: IpcEvent, ...messages: unknown[]) => Promise<unknown>;

/** Electron's `ipcMain` as far as it goes here: one listener a channel, and structured clones both ways. */
export class StandInIpcMain implements IpcMainPort<IpcEvent> {
  readonly #listeners = new Map<string, Listener>();

  handle(channel: string, listener: Listener): void {
    if (this.#listeners.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.#listeners.set(channel, listener);
  }

  removeHandler(channel: string): void {
    this.#listeners.delete(channel);
  }

  /** What `ipcRenderer.invoke` does in the page of that event. */
  async invoke(channel: string, event: IpcEvent, message: unknown): Promise<unknown> {
    const listener = this.#listeners.get(channel);
    if (!listener) throw new Error(`No handler registered for '${channel}'`);
    return structuredClone(await listener(event, structuredClone(message)));
  }
}

const ownPage = 'vitrine-page://app/index.html';
const ownWindow = 1;
const ownEvent: IpcEvent = { senderFrame: { url: ownPage }, sender: { id: ownWindow } };

export interface IpcHarness extends TransportHarness {
  ipcMain: StandInIpcMain;
  host: IpcHost;
  /** Sends anything at all from our own page. */
  send(message: unknown): Promise<unknown>;
}

export async function openIpcHarness(): Promise<IpcHarness> {
  const fakes = openFakes();
  const ipcMain = new StandInIpcMain();
  const isTrusted = ({ sender, senderFrame }: IpcEvent): boolean =>
    sender.id === ownWindow && senderFrame?.url === ownPage;
  const host = serveIpc({ ...fakes, ipcMain, isTrusted });
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-ipc-'));
  const invoke = (message: IpcRequest): Promise<unknown> => ipcMain.invoke(callChannel, ownEvent, message);
  return {
    fakes,
    ipcMain,
    host,
    send: (message) => ipcMain.invoke(callChannel, ownEvent, message),
    call: (name, input) => invoke({ kind: 'call', name, input }),
    stage: async (name, content) => {
      const path = join(folder, name);
      await writeFile(path, content);
      return invoke({ kind: 'stage', path });
    },
    listen: async () => listenOver(host),
    strangers: strangersOf(ipcMain),
    close: async () => {
      host.close();
      await rm(folder, { recursive: true });
    },
  };
}

function listenOver(host: IpcHost): EventQueue<unknown> {
  const queue = new EventQueue<unknown>();
  host.addPage({
    send: (channel, event) => {
      if (channel === eventChannel) queue.put(structuredClone(event));
    },
  });
  return queue;
}

/** There is no key, link, host or origin here: the frame that a message comes from replaces each of them. */
function strangersOf(ipcMain: StandInIpcMain): Record<Stranger, StrangerTry> {
  const from = (form: string, event: IpcEvent): StrangerTry => ({
    form,
    call: () => ipcMain.invoke(callChannel, event, { kind: 'call', name: 'library.count', input: {} }),
    refusedAs: 'sender-refused',
  });
  const frame = (url: string): IpcEvent => ({ ...ownEvent, senderFrame: { url } });
  return {
    'untrusted sender': from('a web site the window was led to', frame('https://evil.example/')),
    'no key': from('a frame that is gone', { ...ownEvent, senderFrame: null }),
    'wrong key': from('another window', { ...ownEvent, sender: { id: 2 } }),
    'used link': from('our window, gone on to an empty page', frame('about:blank')),
    'foreign host': from('our scheme, another host', frame('vitrine-page://evil/index.html')),
    'foreign origin': from('a file of this computer', frame('file:///tmp/index.html')),
  };
}
