import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import type { Desktop, DesktopPlaces } from './desktop.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const host = 'https://vitrine.invalid';
const said = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('told'), what: z.string() }),
  z.object({ kind: z.literal('event'), event: z.unknown() }),
  z.object({ kind: z.literal('answer'), id: z.number(), value: z.unknown() }),
  z.object({ kind: z.literal('refused'), id: z.number(), reason: z.string() }),
]);
const part = z.object({ status: z.number(), body: z.base64(), headers: z.record(z.string(), z.string()) });

/**
 * The desktop where there is no Electron: its own entry, run by Node with a stand-in for that module, its own preload
 * and the page in a browser. There are no windows, menus or boxes and no keychain, as Playwright leaves none to
 * Electron on Linux, and the page has an address of HTTPS that leads nowhere else.
 */
export async function startStandIn(
  { folder, dataDirectory, exportFolder }: DesktopPlaces,
  page: Page,
): Promise<Desktop> {
  const desktop = new StandIn(dataDirectory, {
    TMPDIR: join(folder, 'temp'),
    VITRINE_PICKED_FOLDER: exportFolder,
    VITRINE_STORAGE_BACKEND: 'basic_text',
  });
  await desktop.shown;
  await page.exposeFunction('invokeHost', async (message: unknown) =>
    desktop.ask({ kind: 'invoke', message: await withPath(page, message) }),
  );
  await page.addInitScript({ content: await preloadScript() });
  desktop.onEvent((event) => void page.evaluate(`globalThis.hearHost?.(${JSON.stringify(event)})`).catch(() => {}));
  await page.route(`${host}/**`, async (route) => {
    const answer = part.safeParse(
      await desktop.ask({ kind: 'load', path: new URL(route.request().url()).pathname }).catch(() => null),
    );
    if (!answer.success) return route.abort();
    const { status, body, headers } = answer.data;
    await route.fulfill({ status, headers, body: Buffer.from(body, 'base64') });
  });
  await page.goto(`${host}/`);
  await page.evaluate(`bridge.call('host.chooseExportFolder', {})`);
  await page.reload();
  return { page, stop: () => desktop.quit() };
}

const stageMessage = z.object({ kind: z.literal('stage'), path: z.string() });
const heldFile = z.object({ result: z.object({ objectId: z.string() }) });
const fileInfo = z.object({ path: z.string() });

/** The page holds its files and names them by a number: only the browser knows the path of one. */
async function withPath(page: Page, message: unknown): Promise<unknown> {
  const { data: stage } = stageMessage.safeParse(message);
  if (stage === undefined) return message;
  const session = await page.context().newCDPSession(page);
  const { result } = heldFile.parse(
    await session.send('Runtime.evaluate', { expression: `heldFiles[${stage.path.slice(1)}]` }),
  );
  const { path } = fileInfo.parse(await session.send('DOM.getFileInfo', { objectId: result.objectId }));
  await session.detach();
  return { ...stage, path };
}

/** The preload as it is built, with what a sandbox gives it. */
async function preloadScript(): Promise<string> {
  const preload = await readFile(join(root, '.out', 'host', 'electron', 'preload.cjs'), 'utf8');
  return `((require) => { const exports = {}; ${preload} })(() => ({
    contextBridge: { exposeInMainWorld: (name, api) => { globalThis[name] = api; } },
    ipcRenderer: {
      invoke: (_channel, message) => globalThis.invokeHost(message),
      on: (_channel, listener) => { globalThis.hearHost = (event) => listener({}, event); },
    },
    webUtils: { getPathForFile: (file) => '/' + ((globalThis.heldFiles ??= []).push(file) - 1) },
  }));`;
}

class StandIn {
  readonly shown: Promise<void>;
  readonly #program: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #asked = 0;
  #listener: (event: unknown) => void = () => {};

  constructor(dataDirectory: string, environment: Record<string, string>) {
    const main = join(root, '.out', 'host', 'electron', 'main.js');
    const run = join(root, 'build', 'desktop-stand-in', 'run.ts');
    this.#program = fork(main, ['--data', dataDirectory], {
      execArgv: ['--import', run],
      env: { ...process.env, ...environment },
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.shown = promise;
    this.#program.once('exit', (code) =>
      reject(new Error(`the desktop ended with ${code} before it showed its window`)),
    );
    this.#program.on('message', (message) => {
      const heard = said.parse(message);
      if (heard.kind === 'told' && heard.what === 'shown') resolve();
      if (heard.kind === 'event') this.#listener(heard.event);
      if (heard.kind === 'answer') this.#waiting.get(heard.id)?.resolve(heard.value);
      if (heard.kind === 'refused') this.#waiting.get(heard.id)?.reject(new Error(heard.reason));
    });
  }

  onEvent(listener: (event: unknown) => void): void {
    this.#listener = listener;
  }

  ask(question: object): Promise<unknown> {
    const id = (this.#asked += 1);
    const asked = Promise.withResolvers<unknown>();
    this.#waiting.set(id, asked);
    // An ended program refuses, and the page learns that its host is gone.
    this.#program.send({ ...question, id }, (error) => error && asked.reject(error));
    return asked.promise;
  }

  async quit(): Promise<void> {
    this.#listener = () => {};
    const exited = once(this.#program, 'exit');
    this.#program.send({ kind: 'quit' });
    await exited;
  }
}
