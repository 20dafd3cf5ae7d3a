import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ContentsPort,
  denyNavigation,
  denyNetwork,
  denyPermissions,
  isFromOwnPage,
  openLink,
  pageSchemeRegistration,
  servePage,
  type SessionPort,
} from './page-security.ts';
import { emitter, preventable } from './stand-ins.fixture.ts';

describe('navigation', () => {
  function contents() {
    const asked: string[] = [];
    let openWindow: Parameters<ContentsPort['setWindowOpenHandler']>[0] = () => {
      throw new Error('no handler was set');
    };
    const stand = emitter({ setWindowOpenHandler: (handler: typeof openWindow) => void (openWindow = handler) });
    denyNavigation(stand, (address) => asked.push(address));
    return { stand, asked, openWindow: (url: string) => openWindow({ url }) };
  }

  test.each([
    ['our page again', 'vitrine-page://vitrine/', true, false],
    ['a site', 'https://example.com/', true, true],
    ['a file', 'file:///etc/passwd', true, true],
    ['a script', 'javascript:alert(1)', true, true],
    ['data', 'data:text/html,hello', true, true],
    ['a frame, even of our page', 'vitrine-page://vitrine/', false, true],
  ])('to %s has its set permission', (_where, url, isMainFrame, isDenied) => {
    const event = preventable({ url, isMainFrame });
    contents().stand.emit('will-frame-navigate', event);
    expect(event.wasPrevented).toBe(isDenied);
  });

  test.each(['will-redirect', 'will-attach-webview'])('of the kind %s is denied', (name) => {
    const event = preventable({});
    contents().stand.emit(name, event);
    expect(event.wasPrevented).toBe(true);
  });

  test('opens no new window and passes its address on', () => {
    const { openWindow, asked } = contents();
    expect(openWindow('https://example.com/a')).toEqual({ action: 'deny' });
    expect(asked).toEqual(['https://example.com/a']);
  });
});

describe('the session', () => {
  class StandInSession extends EventEmitter implements SessionPort {
    request: Parameters<SessionPort['setPermissionRequestHandler']>[0] | null = null;
    check: Parameters<SessionPort['setPermissionCheckHandler']>[0] | null = null;
    device: (() => boolean) | null = null;
    beforeRequest: Parameters<SessionPort['webRequest']['onBeforeRequest']>[0] | null = null;
    setPermissionRequestHandler = (handler: StandInSession['request']): void => void (this.request = handler);
    setPermissionCheckHandler = (handler: StandInSession['check']): void => void (this.check = handler);
    setDevicePermissionHandler = (handler: () => boolean): void => void (this.device = handler);
    webRequest = {
      onBeforeRequest: (listener: StandInSession['beforeRequest']): void => void (this.beforeRequest = listener),
    };
  }

  test.each([
    ['clipboard-sanitized-write', 'vitrine-page://vitrine/', true],
    ['clipboard-sanitized-write', 'https://example.com/', false],
    ['clipboard-read', 'vitrine-page://vitrine/', false],
    ['media', 'vitrine-page://vitrine/', false],
    ['openExternal', 'vitrine-page://vitrine/', false],
    ['notifications', 'vitrine-page://vitrine/', false],
    ['fileSystem', 'vitrine-page://vitrine/', false],
    ['anything new', 'vitrine-page://vitrine/', false],
  ])('decides %s for %s', (permission, address, isGranted) => {
    const session = new StandInSession();
    denyPermissions(session);
    const answers: boolean[] = [];
    session.request?.(null, permission, (granted) => answers.push(granted), { requestingUrl: address });
    expect([...answers, session.check?.(null, permission, address)]).toEqual([isGranted, isGranted]);
  });

  test('allows no device, and nothing for a request without an address', () => {
    const session = new StandInSession();
    denyPermissions(session);
    const answers: boolean[] = [];
    session.request?.(null, 'clipboard-sanitized-write', (granted) => answers.push(granted), {});
    expect([...answers, session.device?.()]).toEqual([false, false]);
  });

  test.each([
    ['vitrine-page://vitrine/assets/index.js', false],
    ['data:image/png;base64,AA', false],
    ['https://example.com/', true],
    ['http://127.0.0.1:47117/', true],
    ['ws://127.0.0.1/', true],
    ['file:///etc/passwd', true],
  ])('decides a request to %s', (url, isCancelled) => {
    const session = new StandInSession();
    denyNetwork(session);
    const answers: object[] = [];
    session.beforeRequest?.({ url }, (answer) => answers.push(answer));
    expect(answers).toEqual([{ cancel: isCancelled }]);
  });

  test('saves no download of the page', () => {
    const session = new StandInSession();
    denyNetwork(session);
    const event = preventable({});
    session.emit('will-download', event);
    expect(event.wasPrevented).toBe(true);
  });
});

async function tryLink(address: string, answer: boolean) {
  const asked: string[] = [];
  const opened: string[] = [];
  const result = await openLink(address, {
    confirm: async (shown) => (asked.push(shown), answer),
    openExternal: async (url) => void opened.push(url),
  });
  return { asked, opened, result };
}

test('an allowed link opens after confirmation and is shown whole', async () => {
  const address = 'https://virustotal.github.io/yara-x/docs/';
  expect(await tryLink(address, true)).toEqual({ asked: [address], opened: [address], result: true });
});

test('a declined link stays closed', async () => {
  expect(await tryLink('https://yara.readthedocs.io/', false)).toMatchObject({ opened: [], result: false });
});

test.each([
  'http://virustotal.github.io/',
  'https://virustotal.github.io.example.com/',
  'https://example.com/?https://virustotal.github.io/',
  'https://virustotal.github.io@example.com/',
  'https://user@virustotal.github.io/',
  'https://virustotal.github.io:8443/',
  'https://sub.virustotal.github.io/',
  'file:///etc/passwd',
  'smb://virustotal.github.io/share',
  'javascript:alert(1)',
  'virustotal.github.io',
  '',
])('%s is refused without a prompt', async (address) => {
  expect(await tryLink(address, true)).toEqual({ asked: [], opened: [], result: false });
});

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'vitrine-page-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function page() {
  const asked: string[] = [];
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  const serve = servePage(async (path) => {
    asked.push(path);
    return path === '/' ? { path: join(folder, 'index.html'), mediaType: 'text/html; charset=utf-8' } : null;
  });
  return { asked, serve };
}

test('a file of the page is served with a policy that allows no connection and nothing inline', async () => {
  const reply = await page().serve({ method: 'GET', url: 'vitrine-page://vitrine/?x#y' });
  expect([reply.status, await reply.text(), reply.headers.get('content-type')]).toEqual([
    200,
    '<!doctype html>',
    'text/html; charset=utf-8',
  ]);
  const policy = reply.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

test('a missing file is not found', async () => {
  const { serve, asked } = page();
  expect((await serve({ method: 'GET', url: 'vitrine-page://vitrine/%2e%2e/secret' })).status).toBe(404);
  expect(asked).toHaveLength(1);
});

test.each([
  ['another method', 'POST', 'vitrine-page://vitrine/'],
  ['another host', 'GET', 'vitrine-page://elsewhere/'],
])('%s is refused before a file lookup', async (_what, method, url) => {
  const { serve, asked } = page();
  expect((await serve({ method, url })).status).toBe(405);
  expect(asked).toEqual([]);
});

test('the scheme has an origin, is secure and bypasses nothing', () => {
  expect(pageSchemeRegistration).toEqual({
    scheme: 'vitrine-page',
    privileges: { standard: true, secure: true, supportFetchAPI: false, codeCache: true },
  });
});

test('the main frame of the Vitrine page is accepted as a sender', () => {
  expect(isFromOwnPage({ senderFrame: { url: 'vitrine-page://vitrine/#/lookup', parent: null } })).toBe(true);
});

test.each([
  ['a frame that is gone', null],
  ['a frame inside our page', { url: 'vitrine-page://vitrine/', parent: {} }],
  ['another site', { url: 'https://vitrine/', parent: null }],
  ['another host of our scheme', { url: 'vitrine-page://evil/', parent: null }],
  ['a host that begins like ours', { url: 'vitrine-page://vitrine.evil/', parent: null }],
  ['our host with a user name', { url: 'vitrine-page://user@vitrine/', parent: null }],
  ['our host with a port', { url: 'vitrine-page://vitrine:80/', parent: null }],
  ['the deep-link scheme', { url: 'vitrine://vitrine/', parent: null }],
  ['a file', { url: 'file:///vitrine-page://vitrine/', parent: null }],
  ['an empty page', { url: 'about:blank', parent: null }],
  ['no address', { url: '', parent: null }],
])('%s is not accepted as a sender', (_who, senderFrame) => {
  expect(isFromOwnPage({ senderFrame })).toBe(false);
});
