import { createServer } from 'node:http';
import type { Page } from '@playwright/test';
import { listenOnLoopback } from '../faults/loopback-server.ts';

export interface Neighbour {
  page: Page;
  close(): void;
}

/** A page of another program on this computer, open in the browser that has Vitrine open too. */
export async function openNeighbour({ page: own }: { page: Page }): Promise<Neighbour> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A neighbour</title>'),
  );
  const origin = await listenOnLoopback(server);
  const page = await own.context().newPage();
  await page.goto(origin);
  return { page, close: () => server.close().closeAllConnections() };
}

/** A program that accepts any request of a browser and answers it, for every origin. */
export async function openWithoutLocks(): Promise<{ origin: string; asked: string[]; close(): void }> {
  const asked: string[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    const type = url === '/events' ? 'text/event-stream' : url === '/assets/mark.svg' ? 'image/svg+xml' : 'text/css';
    const body = type === 'image/svg+xml' ? '<svg xmlns="http://www.w3.org/2000/svg"/>' : '/* */';
    response
      .writeHead(200, {
        'content-type': url === '/index.html' ? '' : type,
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
      })
      .end(body);
  });
  const origin = await listenOnLoopback(server);
  return { origin, asked, close: () => server.close().closeAllConnections() };
}

/** In the page of a neighbour: what came of each way to ask a host, as the page that asks sees it. */
export function askInEveryWay(host: string): Promise<Record<string, string>> {
  const outcome = (work: Promise<string>): Promise<string> =>
    work.catch((error: unknown) => (error instanceof Error ? error.name : 'refused'));
  const read = async (path: string, init: RequestInit): Promise<string> => {
    const reply = await fetch(host + path, init);
    return reply.type === 'opaque' ? 'opaque' : reply.text();
  };
  const loaded = (element: HTMLScriptElement | HTMLImageElement | HTMLLinkElement): Promise<string> =>
    new Promise((resolve) => {
      element.addEventListener('load', () => resolve('loaded'));
      element.addEventListener('error', () => resolve('refused'));
      document.head.append(element);
    });
  const script = Object.assign(document.createElement('script'), { src: `${host}/index.html` });
  const image = Object.assign(document.createElement('img'), { src: `${host}/assets/mark.svg` });
  const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `${host}/index.html` });
  const connection = (opened: WebSocket | EventSource): Promise<string> =>
    new Promise((resolve) => {
      opened.addEventListener('open', () => resolve('open'));
      opened.addEventListener('error', () => resolve('refused'));
    });
  const json = {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json', 'x-vitrine-session': 'A'.repeat(43) },
  };
  const asked: Record<string, Promise<string>> = {
    'the page, read': read('/', {}),
    'the page, unread': read('/', { mode: 'no-cors' }),
    'the page, with what the browser knows': read('/', { mode: 'no-cors', credentials: 'include' }),
    'a call as a form sends it': read('/call/library.count', { method: 'POST', mode: 'no-cors', body: '{}' }),
    'a call as our page sends it': read('/call/library.count', json),
    'a session for a guess': read('/session', {
      method: 'POST',
      mode: 'no-cors',
      body: JSON.stringify({ secret: 'A'.repeat(43) }),
    }),
    'a file to be staged': read('/stage', {
      method: 'POST',
      mode: 'no-cors',
      body: new Blob(['x'], { type: 'text/plain' }),
    }),
    'the events': read('/events', { mode: 'no-cors' }),
    'an export by a guess': read(`/export/${'0'.repeat(64)}`, { mode: 'no-cors' }),
    'the page as a script': loaded(script),
    'the page as a picture': loaded(image),
    'the page as a style': loaded(style),
    'a socket': connection(new WebSocket(`${host.replace('http', 'ws')}/events`)),
    'an event source': connection(new EventSource(`${host}/events`)),
  };
  return Promise.all(
    Object.entries(asked).map(async ([name, work]): Promise<[string, string]> => [name, await outcome(work)]),
  ).then((all) => Object.fromEntries(all));
}

/**
 * In the page of a neighbour: a form that is sent into a window of its own: no script is asked, so no preflight is
 * either.
 */
export function sendForm({ host, target }: { host: string; target: string }): void {
  const form = Object.assign(document.createElement('form'), {
    method: 'POST',
    action: `${host}/call/settings.change`,
    enctype: 'text/plain',
    target,
  });
  form.append(
    Object.assign(document.createElement('input'), { name: '{"values":{"theme":"dark"},"x":"', value: '"}' }),
  );
  document.body.append(form);
  form.submit();
}
