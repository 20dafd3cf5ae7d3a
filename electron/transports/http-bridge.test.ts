import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HttpBridge } from '../../renderer/bridge/http-bridge.ts';
import type { PageSurroundings } from '../../renderer/bridge/page-session.ts';
import { callLimitBytes } from '../../shared/transport.ts';
import { EventQueue } from './testing/event-queue.ts';
import { innerDetail, someDownload } from './testing/fakes.ts';
import { type HttpHarness, openHttpHarness, secretOf } from './testing/http-harness.ts';
import { until } from './testing/until.ts';

/** The page's end and the host's end of the web transport, together: the real bridge against the real host. */

/** One browser tab: its address, its session storage, and a `fetch` that sends its origin, as a browser's does. */
class Tab implements PageSurroundings {
  readonly origin: string;
  readonly stored = new Map<string, string>();
  readonly requests: string[] = [];
  /** Called before each request; may throw as a browser does when nothing answers. */
  beforeFetch: (url: string) => void = () => {};
  #line = new AbortController();
  #secret: string | null;
  #onLink: () => void = () => {};

  constructor(origin: string, link: string | null) {
    this.origin = origin;
    this.#secret = link === null ? null : secretOf(link);
  }

  readonly storage = {
    getItem: (key: string): string | null => this.stored.get(key) ?? null,
    setItem: (key: string, value: string): void => void this.stored.set(key, value),
  };

  async fetch(url: string, init: RequestInit): Promise<Response> {
    this.requests.push(new URL(url).pathname);
    this.beforeFetch(url);
    const headers = new Headers(init.headers);
    if (init.method === 'POST') headers.set('origin', this.origin);
    const signal = AbortSignal.any([this.#line.signal, ...(init.signal ? [init.signal] : [])]);
    return fetch(url, { ...init, headers, signal });
  }

  takeLinkSecret(): string | null {
    const secret = this.#secret;
    this.#secret = null;
    return secret;
  }

  onLink(listener: () => void): void {
    this.#onLink = listener;
  }

  /** Cuts every connection of this tab; the next ones are made as usual. */
  cut(): void {
    const line = this.#line;
    this.#line = new AbortController();
    line.abort();
  }

  /** Opens another link in this tab. */
  visit(link: string): void {
    this.#secret = secretOf(link);
    this.#onLink();
  }
}

let host: HttpHarness;
const bridges: HttpBridge[] = [];
beforeEach(async () => {
  host = await openHttpHarness();
});
afterEach(async () => {
  for (const bridge of bridges.splice(0)) bridge.close();
  await host.close();
});

function tabWith(link: string | null): Tab {
  return new Tab(host.origin, link);
}
function bridgeIn(tab: Tab, onConnected: () => void = () => {}, onLost: () => void = () => {}): HttpBridge {
  const bridge = new HttpBridge(tab, { onConnected, onLost });
  bridges.push(bridge);
  return bridge;
}
const refused = (kind: string): object => ({ ok: false, failure: expect.objectContaining({ kind }) });
const counted = { ok: true, value: { samples: 3, inVault: 2, vaultBytes: 1024 } };

describe('the session', () => {
  test('is opened once for many simultaneous calls', async () => {
    const tab = tabWith(host.host.newLink());
    const bridge = bridgeIn(tab);
    expect(await Promise.all([bridge.call('library.count', {}), bridge.call('library.count', {})])).toEqual([
      counted,
      counted,
    ]);
    expect(tab.requests.filter((path) => path === '/session')).toHaveLength(1);
  });

  test('survives a reload of the tab, whose address no longer has a secret', async () => {
    const tab = tabWith(host.host.newLink());
    await bridgeIn(tab).call('library.count', {});
    expect(await bridgeIn(tab).call('library.count', {})).toEqual(counted);
  });

  test('is missing without a link', async () => {
    expect(await bridgeIn(tabWith(null)).call('library.count', {})).toEqual(refused('session-missing'));
  });

  test('is refused for a used link', async () => {
    const link = host.host.newLink();
    await bridgeIn(tabWith(link)).call('library.count', {});
    expect(await bridgeIn(tabWith(link)).call('library.count', {})).toEqual(refused('link-used'));
  });

  test('is kept when its own used link is opened once more', async () => {
    const link = host.host.newLink();
    const tab = tabWith(link);
    const bridge = bridgeIn(tab);
    await bridge.call('library.count', {});
    tab.visit(link);
    expect(await bridge.call('library.count', {})).toEqual(counted);
  });

  test('of a restarted host is refused until a new link is opened in the same tab', async () => {
    const tab = tabWith(null);
    tab.stored.set('vitrine-session', 'A'.repeat(43));
    const bridge = bridgeIn(tab);
    expect(await bridge.call('library.count', {})).toEqual(refused('session-refused'));
    tab.visit(host.host.newLink());
    expect(await bridge.call('library.count', {})).toEqual(counted);
  });

  test('is opened later when the host could not be reached first', async () => {
    const tab = tabWith(host.host.newLink());
    const bridge = bridgeIn(tab);
    tab.beforeFetch = () => {
      throw new TypeError('Failed to fetch');
    };
    expect(await bridge.call('library.count', {})).toEqual(refused('host-gone'));
    tab.beforeFetch = () => {};
    expect(await bridge.call('library.count', {})).toEqual(counted);
  });
});

describe('a call', () => {
  test('returns a failure with its facts and hides a defect', async () => {
    const bridge = bridgeIn(tabWith(host.host.newLink()));
    const id = 'f'.repeat(32);
    expect(await bridge.call('downloads.cancel', { id })).toEqual({
      ok: false,
      failure: { kind: 'staged-file-missing', id },
    });
    const crashed = await bridge.call('lab.sampleFiles', {});
    expect(crashed).toEqual(refused('unexpected'));
    expect(JSON.stringify(crashed)).not.toContain(innerDetail);
  });

  test('that is too long fails as it does at the host', async () => {
    const bridge = bridgeIn(tabWith(host.host.newLink()));
    for (const id of ['x'.repeat(callLimitBytes), 'é'.repeat(callLimitBytes / 2)]) {
      expect(await bridge.call('downloads.cancel', { id })).toEqual(refused('body-too-large'));
    }
  });

  test('to an ended host is host-gone', async () => {
    const other = await openHttpHarness();
    const bridge = bridgeIn(new Tab(other.origin, other.host.newLink()));
    await bridge.call('library.count', {});
    await other.close();
    expect(await bridge.call('library.count', {})).toEqual(refused('host-gone'));
    expect(await bridge.stageFile(new File(['x'], 'x'))).toEqual(refused('host-gone'));
  });
});

describe('an answer that violates the contract', () => {
  test.each([
    ['another program', '<html>It works!</html>'],
    ['nothing', ''],
    ['a bare value', '{"samples":3}'],
    ['a value of another shape', '{"ok":true,"value":{"samples":"many"}}'],
    ['a failure of no catalogue', '{"ok":false,"failure":{"kind":"made-up"}}'],
    ['a failure without its facts', '{"ok":false,"failure":{"kind":"body-too-large"}}'],
  ])('is named as such: %s', async (_case, body) => {
    const tab = tabWith(null);
    tab.stored.set('vitrine-session', 'key');
    tab.fetch = async () => new Response(body);
    expect(await bridgeIn(tab).call('library.count', {})).toEqual({
      ok: false,
      failure: { kind: 'host-reply-unreadable', operation: 'library.count' },
    });
  });
});

describe('a file', () => {
  test('is staged under its name', async () => {
    const reply = await bridgeIn(tabWith(host.host.newLink())).stageFile(
      new File(['some bytes'], 'naïve 名前 \ud800.bin', { type: 'text/html' }),
    );
    expect(reply).toMatchObject({ ok: true, value: { name: 'naïve 名前 \ufffd.bin', sizeBytes: 10 } });
    expect(host.fakes.staging.staged.size).toBe(1);
  });

  // A browser's fetch fails in the same way for both.
  test.each([
    ['is gone', 'NotFoundError', { kind: 'file-gone', name: 'a.bin' }],
    ['cannot be read', 'NotReadableError', { kind: 'file-unreadable', name: 'a.bin', code: 'NotReadableError' }],
  ])('that %s does not count as a missing host', async (_case, name, failure) => {
    const tab = tabWith(host.host.newLink());
    const bridge = bridgeIn(tab);
    await bridge.call('library.count', {});
    tab.beforeFetch = () => {
      throw new TypeError('Failed to fetch');
    };
    const file = new File(['some bytes'], 'a.bin');
    file.slice = () =>
      Object.assign(new Blob([]), {
        arrayBuffer: () => Promise.reject(new DOMException('as a browser says it', name)),
      });
    expect(await bridge.stageFile(file)).toEqual({ ok: false, failure });
  });
});

describe('events', () => {
  /** A bridge that listens, and a queue of what it hears. */
  async function listening(
    tab: Tab,
  ): Promise<{ heard: EventQueue<unknown>; connections: EventQueue<null>; stop: () => void; bridge: HttpBridge }> {
    const heard = new EventQueue<unknown>();
    const connections = new EventQueue<null>();
    const bridge = bridgeIn(tab, () => connections.put(null));
    const stop = bridge.subscribe('download.progress', (payload) => heard.put(payload));
    await connections.next();
    return { heard, connections, stop, bridge };
  }

  test('reach every listener of their name', async () => {
    const { heard, bridge } = await listening(tabWith(host.host.newLink()));
    const second = new EventQueue<unknown>();
    bridge.subscribe('download.progress', (payload) => second.put(payload));
    bridge.subscribe('workspaces.changed', () => expect.fail('another name'));
    host.fakes.events.emit({ name: 'download.progress', payload: someDownload(1, '名前') });
    expect([await heard.next(), await second.next()]).toEqual([someDownload(1, '名前'), someDownload(1, '名前')]);
    expect(host.fakes.events.listeners).toBe(1);
  });

  test('of a tab stop with its subscription', async () => {
    const { heard, stop, bridge } = await listening(tabWith(host.host.newLink()));
    stop();
    const later = new EventQueue<unknown>();
    bridge.subscribe('download.progress', (payload) => later.put(payload));
    host.fakes.events.emit({ name: 'download.progress', payload: someDownload(2) });
    await later.next();
    heard.put('nothing came before this');
    expect(await heard.next()).toBe('nothing came before this');
  });

  test('reach no listener unsubscribed by another one during the same event', async () => {
    const { bridge } = await listening(tabWith(host.host.newLink()));
    const heard = new EventQueue<string>();
    let stopSecond = (): void => {};
    bridge.subscribe('download.progress', () => {
      heard.put('first');
      stopSecond();
    });
    stopSecond = bridge.subscribe('download.progress', () => heard.put('second'));
    bridge.subscribe('download.progress', () => heard.put('third'));
    host.fakes.events.emit({ name: 'download.progress', payload: someDownload(2) });
    expect([await heard.next(), await heard.next()]).toEqual(['first', 'third']);
  });

  test('continue after the connection was cut', async () => {
    const tab = tabWith(host.host.newLink());
    const { heard, connections } = await listening(tab);
    tab.cut();
    await connections.next();
    host.fakes.events.emit({ name: 'download.progress', payload: someDownload(3) });
    expect(await heard.next()).toEqual(someDownload(3));
  });

  test('that are unavailable are reported as lost, even without a request', async () => {
    const connections = new EventQueue<null>();
    const losses = new EventQueue<null>();
    bridgeIn(
      tabWith(host.host.newLink()),
      () => connections.put(null),
      () => losses.put(null),
    ).subscribe('lookup.prefill', () => {});
    await connections.next();
    await host.close();
    expect(await losses.next()).toBeNull();
    host = await openHttpHarness();
  });

  test('arrive once, however many links are opened in the tab', async () => {
    const tab = tabWith(host.host.newLink());
    const { connections } = await listening(tab);
    tab.visit(host.host.newLink());
    await connections.next();
    await until(() => host.fakes.events.listeners === 1);
    expect(tab.requests.filter((path) => path === '/events')).toHaveLength(2);
  });

  test('are requested again with a new link, and not with a refused session', async () => {
    const tab = tabWith(null);
    tab.stored.set('vitrine-session', 'A'.repeat(43));
    const connections = new EventQueue<null>();
    const bridge = bridgeIn(tab, () => connections.put(null));
    const heard = new EventQueue<unknown>();
    bridge.subscribe('workspaces.changed', (payload) => heard.put(payload));
    tab.visit(host.host.newLink());
    await connections.next();
    host.fakes.events.emit({ name: 'workspaces.changed', payload: {} });
    expect(await heard.next()).toEqual({});
  });
});
